// The operator's corner: behind five touches and a code that the server checks, how loud this kiosk is, what it is, and
// whether everything that it needs can be reached. Loaded when somebody knocks.

import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useCell } from "./cell";
import { setLoudness, version, volume } from "./duties";
import { credentials, device } from "./key";
import type { Kiosk } from "./kiosk";
import "./style/corner.css";
import "./style/dialog.css";
import { readOwn, writeOwn } from "./volume";

const own = {
  ja: {
    title: "係員用",
    code: "暗証番号",
    open: "開く",
    erase: "1文字消す",
    wrong: "暗証番号が違います。",
    often: "続けて間違えたため、しばらく開けません。",
    away: "サーバーにつながらないため、暗証番号を確かめられません。",
    volume: "音量",
    louder: "大きく",
    softer: "小さく",
    quiet: "静かにする",
    venues: "会場の設定に戻す",
    reload: "再読み込み",
    test: "接続の確認",
    close: "とじる",
    device: "端末",
    unnamed: "名前なし（アドレスの ?device=）",
    page: "ページ",
    server: "サーバー",
    screen: "画面",
    worker: "オフライン用の保存",
    awake: "画面の消灯防止",
    microphone: "マイク",
    yes: "あり",
    no: "なし",
    secure: "なし（httpsか、この機械自身のサーバーが必要）",
    testing: "確認しています",
    parts: { calendar: "カレンダー", kiosk: "ページのファイル", sessions: "会話の保存", runs: "実行の保存", audit: "操作の記録" } as Record<string, string>,
    states: { ok: "正常", degraded: "一部に不調", error: "異常" } as Record<string, string>,
    voice: "声",
    noVoice: "この会場では使いません",
    time: (ms: number) => `${ms}ミリ秒`,
    failed: "つながりません",
  },
  en: {
    title: "For operators",
    code: "Code",
    open: "Open",
    erase: "Delete the last digit",
    wrong: "That code is not right.",
    often: "That was wrong too often. Please wait a while.",
    away: "The server can't be reached, so the code can't be checked.",
    volume: "Volume",
    louder: "Louder",
    softer: "Softer",
    quiet: "Quiet mode",
    venues: "As the venue has it",
    reload: "Reload",
    test: "Test the connection",
    close: "Close",
    device: "Kiosk",
    unnamed: "no name (?device= in the address)",
    page: "Page",
    server: "Server",
    screen: "Screen",
    worker: "Kept for offline",
    awake: "Screen kept on",
    microphone: "Microphone",
    yes: "yes",
    no: "no",
    secure: "no (needs https, or a server on this machine)",
    testing: "Testing",
    parts: { calendar: "Calendar", kiosk: "Files of the page", sessions: "Sessions", runs: "Runs", audit: "Audit log" } as Record<string, string>,
    states: { ok: "fine", degraded: "partly down", error: "down" } as Record<string, string>,
    voice: "Voice",
    noVoice: "not in use here",
    time: (ms: number) => `${ms} ms`,
    failed: "can't be reached",
  },
};

type Words = (typeof own)["ja"];

const patience = 5000;
/** The corner closes by itself after so long without a touch, in milliseconds. */
const closesAfter = 120_000;
const longestCode = 12;
const step = 10;

let root: HTMLElement | null = null;

/** Opens the corner, where the venue has one. */
export function open(kiosk: Kiosk): void {
  if (root !== null || kiosk.state.value.venue?.kiosk["corner"] !== true) return;
  root = document.createElement("div");
  document.querySelector(".kiosk")?.append(root);
  render(<Corner kiosk={kiosk} close={close} />, root);
}

function close(): void {
  if (root === null) return;
  render(null, root);
  root.remove();
  root = null;
}

function Corner({ kiosk, close }: { kiosk: Kiosk; close: () => void }) {
  const { language } = useCell(kiosk.state);
  const dialog = useRef<HTMLDialogElement>(null);
  const [inside, setInside] = useState(false);
  const w = own[language];
  useLayoutEffect(() => {
    dialog.current?.showModal();
    let timer = setTimeout(close, closesAfter);
    const stay = () => {
      clearTimeout(timer);
      timer = setTimeout(close, closesAfter);
    };
    for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, stay);
    return () => {
      clearTimeout(timer);
      for (const sign of ["pointerdown", "keydown"]) removeEventListener(sign, stay);
    };
  }, []);
  return (
    <dialog
      class="corner"
      ref={dialog}
      aria-labelledby="corner"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      <h2 id="corner">{w.title}</h2>
      {inside ? <Inside kiosk={kiosk} w={w} close={close} /> : <Lock w={w} enter={() => setInside(true)} close={close} />}
    </dialog>
  );
}

function Lock({ w, enter, close }: { w: Words; enter: () => void; close: () => void }) {
  const [code, setCode] = useState("");
  const [says, setSays] = useState("");
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const add = (digit: string) => setCode((old) => (old + digit).slice(0, longestCode));
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (code === "") return box.current?.focus();
    const status = await check(code);
    setCode("");
    if (status === 204) return enter();
    setSays(status === 0 ? w.away : status === 429 ? w.often : w.wrong);
  };
  return (
    <form class="corner-lock" onSubmit={(event) => void send(event)}>
      <input
        ref={box}
        class="ask-box"
        type="password"
        aria-label={w.code}
        placeholder={w.code}
        inputMode="none"
        autocomplete="off"
        maxLength={longestCode}
        value={code}
        onInput={(event) => setCode(event.currentTarget.value.replace(/\D/g, ""))}
      />
      <p role="status">{says}</p>
      <div class="corner-keys">
        {["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => (
          <button type="button" class="button" key={digit} onClick={() => add(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" class="button" aria-label={w.erase} onClick={() => setCode(code.slice(0, -1))}>
          ⌫
        </button>
        <button type="button" class="button" onClick={() => add("0")}>
          0
        </button>
        <button type="submit" class="button is-main">
          {w.open}
        </button>
      </div>
      <button type="button" class="button" onClick={close}>
        {w.close}
      </button>
    </form>
  );
}

/** The status of the server's answer; 0: it gave none. */
async function check(code: string): Promise<number> {
  const headers = { ...credentials, "Content-Type": "application/json" };
  const sent = fetch("/corner", { method: "POST", headers, body: JSON.stringify({ code }), signal: AbortSignal.timeout(patience) });
  return sent.then(({ status }) => status, () => 0);
}

function Inside({ kiosk, w, close }: { kiosk: Kiosk; w: Words; close: () => void }) {
  const loud = useCell(volume);
  const [set, setSet] = useState(readOwn());
  const [tested, setTested] = useState<[string, string][] | null | undefined>(undefined);
  const change = (next: typeof set) => {
    writeOwn(next);
    setSet(next);
    setLoudness(kiosk);
  };
  const louder = (by: number) => change({ volume: Math.min(100, Math.max(step, loud + by)) });
  const test = async () => {
    setTested(null);
    setTested(await testAll(w, kiosk));
  };
  return (
    <div class="corner-inside">
      <section aria-labelledby="corner-volume">
        <h3 id="corner-volume">{w.volume}</h3>
        <div class="corner-volume">
          <button type="button" class="button" aria-label={w.softer} onClick={() => louder(-step)}>
            −
          </button>
          <output aria-live="polite">{loud} %</output>
          <button type="button" class="button" aria-label={w.louder} onClick={() => louder(step)}>
            ＋
          </button>
          <button type="button" class="button is-toggle" aria-pressed={set.quiet === true} onClick={() => change({ ...set, quiet: !set.quiet })}>
            {w.quiet}
          </button>
          <button type="button" class="button" disabled={set.volume === undefined && !set.quiet} onClick={() => change({})}>
            {w.venues}
          </button>
        </div>
      </section>
      <dl>
        {[...facts(w), ...(tested ?? [])].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p role="status">{tested === null ? w.testing : ""}</p>
      <div class="corner-buttons">
        <button type="button" class="button" onClick={() => void test()} disabled={tested === null}>
          {w.test}
        </button>
        <button type="button" class="button" onClick={() => location.reload()}>
          {w.reload}
        </button>
        <button type="button" class="button is-main" autofocus onClick={close}>
          {w.close}
        </button>
      </div>
    </div>
  );
}

function facts(w: Words): [string, string][] {
  const has = (there: boolean) => (there ? w.yes : isSecureContext ? w.no : w.secure);
  return [
    [w.device, device || w.unnamed],
    [w.page, version],
    [w.screen, `${innerWidth} × ${innerHeight}, ${devicePixelRatio}`],
    [w.worker, has(navigator.serviceWorker?.controller != null)],
    [w.awake, has("wakeLock" in navigator)],
    [w.microphone, has(navigator.mediaDevices !== undefined)],
  ];
}

/** Asks the server how it and what it needs are, and for the sound of a sentence. */
async function testAll(w: Words, kiosk: Kiosk): Promise<[string, string][]> {
  const began = performance.now();
  try {
    const response = await get("/readyz");
    const took = Math.round(performance.now() - began);
    const ready = (await response.json()) as { version?: string; parts?: Record<string, string> };
    const parts = Object.entries(ready.parts ?? {}).map(([name, state]): [string, string] => [w.parts[name] ?? name, w.states[state] ?? state]);
    const voice: [string, string] = [w.voice, await testVoice(w, kiosk)];
    return [[w.server, `${ready.version ?? ""}, ${w.time(took)}`], ...parts, voice];
  } catch {
    return [[w.server, w.failed]];
  }
}

async function testVoice(w: Words, kiosk: Kiosk): Promise<string> {
  const { venue, language } = kiosk.state.value;
  if (venue === null || venue.voice === null) return w.noVoice;
  try {
    const kept = (await (await get(`/kept?language=${language}`)).json()) as { apology?: { audio?: string } };
    const began = performance.now();
    const sound = await get(kept.apology?.audio ?? "");
    return sound.ok ? w.time(Math.round(performance.now() - began)) : w.failed;
  } catch {
    return w.failed;
  }
}

function get(path: string): Promise<Response> {
  return fetch(path, { headers: credentials, cache: "no-store", signal: AbortSignal.timeout(patience) });
}
