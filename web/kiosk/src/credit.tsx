// Whose voice is heard, and whose work else is in the program: a line on the front, and all of it behind its key.

import { useEffect, useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { useScrollPanel } from "./scroll";
import type { State } from "./state";
import "./style/credit.css";
import { words } from "./words";

const own = {
  ja: { about: "使っている作品とライセンス", close: "とじる", failed: "すみません、いま読み込めません。", loading: "読み込んでいます" },
  en: { about: "Works used here, and their licences", close: "Close", failed: "I'm sorry, I can't load it now.", loading: "Loading" },
};

/** How long it stays when nobody touches it, in seconds. */
const stays = 90;

export function Credit({ state }: { state: State }) {
  const [open, setOpen] = useState(false);
  const w = own[state.language];
  const voice = state.venue?.voice;
  return (
    <>
      <button type="button" class="credit" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="credit-mark" aria-hidden="true">
          i
        </span>
        <span>{voice ? `${words[state.language].sound}: ${voice.credit}` : w.about}</span>
      </button>
      {open && <Notice state={state} close={() => setOpen(false)} />}
    </>
  );
}

function Notice({ state, close }: { state: State; close: () => void }) {
  const w = own[state.language];
  const panel = useScrollPanel<HTMLPreElement>();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    load().then(setText, () => setText(""));
  }, []);
  return (
    <Dialog name="notice" seconds={stays} close={close}>
      <div class="counter-top is-notice">
        <h2 id="notice">{w.about}</h2>
        {text ? (
          <pre ref={panel} lang="en" role="region" aria-labelledby="notice">
            {text}
          </pre>
        ) : (
          <p role="status">{text === null ? w.loading : w.failed}</p>
        )}
      </div>
      <div class="dialog-buttons">
        <button type="button" class="button is-main is-big" autofocus onClick={close}>
          <span>{w.close}</span>
        </button>
      </div>
    </Dialog>
  );
}

/** What the program says of the work of others, its data and the parts of this page; its lines flow as the screen has room. */
async function load(): Promise<string> {
  const texts = ["/kiosk/notice.txt", "/kiosk/licences.txt"].map(async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.text();
  });
  return (await Promise.all(texts)).join("\n\n").replace(/(\S)\n(?=[a-z(])/g, "$1 ");
}
