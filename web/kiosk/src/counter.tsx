// The keys of the desk and their dialogs; loaded after the first screen.

import { useEffect } from "preact/hooks";
import { useCell } from "./cell";
import { Code } from "./code";
import { askForStaff, callStaff, clear, closeCall, closePage, desk, offers, takeAlong, vote } from "./desk";
import type { Call, Page } from "./desk";
import { Dialog } from "./dialog";
import type { Screen, State, Turn } from "./state";
import { isBusy } from "./state";
import "./style/answers.css";
import "./style/counter.css";
import { Text } from "./text";
import { clockOf } from "./time";

export { Credit } from "./credit";
export { Kept } from "./kept";

const own = {
  ja: {
    staff: "スタッフ",
    callStaff: "スタッフを呼ぶ",
    ask: "スタッフを呼びますか？",
    calling: "スタッフに連絡しています",
    told: (time: string) => `${time}に、スタッフへ伝わりました。`,
    wait: "このまま、ここでお待ちください。",
    failed: "すみません、スタッフに連絡できませんでした。",
    go: (where: string) => `お手数ですが、${where}にお声がけください。`,
    phone: (number: string) => `お電話は、${number}です。`,
    call: "呼ぶ",
    again: "もう一度呼ぶ",
    no: "やめる",
    close: "とじる",
    helped: "この答えは、役に立ちましたか？",
    yes: "役に立った",
    not: "役に立たなかった",
    thanks: "ありがとうございます",
    take: "スマホへ",
    takeAlong: "この答えを、スマートフォンで見る",
    making: "ページを作っています",
    scan: "スマートフォンのカメラで、読み取ってください。",
    noPage: "すみません、ページを作れませんでした。",
    goes: "ご利用が終わると、このページは消えます。",
  },
  en: {
    staff: "Staff",
    callStaff: "Call staff",
    ask: "Shall I call a member of staff?",
    calling: "I am telling the staff",
    told: (time: string) => `Staff have been told, at ${time}.`,
    wait: "Please wait here.",
    failed: "I'm sorry, I could not reach the staff.",
    go: (where: string) => `Please ask ${where}.`,
    phone: (number: string) => `The number to call is ${number}.`,
    call: "Call",
    again: "Try again",
    no: "No",
    close: "Close",
    helped: "Did this answer help?",
    yes: "It helped",
    not: "It did not help",
    thanks: "Thank you",
    take: "To my phone",
    takeAlong: "See this answer on your phone",
    making: "Making the page",
    scan: "Scan it with the camera of your phone.",
    noPage: "I'm sorry, I could not make the page.",
    goes: "The page disappears when you finish here.",
  },
};

/** How long a dialog stays that nobody touches, in seconds. */
const stays = { ask: 20, told: 20, failed: 45, page: 90 };

export function StaffKey({ state }: { state: State }) {
  const w = own[state.language];
  if (!state.online || !offers(state.venue?.kiosk ?? {}).staff) return null;
  return (
    <button type="button" class="language is-staff" aria-label={w.callStaff} onClick={askForStaff}>
      <Icon path="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.500c.6-4 3.800-6 8-6s7.400 2 8 6" />
      <span>{w.staff}</span>
    </button>
  );
}

/** Whether the answer that is shown can be taken along. */
export function canTake({ venue, turn }: State): boolean {
  return turn?.status === "done" && turn.runId !== null && offers(venue?.kiosk ?? {}).phone;
}

/** The key that takes an answer along. */
export function TakeKey({ state, turn }: { state: State; turn: Turn }) {
  const w = own[state.language];
  return (
    <li class="is-take">
      <button type="button" class="button" aria-label={`${w.take}: ${w.takeAlong}`} onClick={() => void takeAlong(turn, state.session)}>
        <Icon path="M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2" />
        <span>{w.take}</span>
      </button>
    </li>
  );
}

/** Two keys for whether the answer helped. */
export function AnswerKeys({ state, screen }: { state: State; screen: Screen }) {
  const { voted } = useCell(desk);
  const { turn, language } = state;
  const w = own[language];
  if (turn === null || screen !== "answering" || turn.status !== "done" || turn.runId === null || turn.route === "" || isBusy(state)) return null;
  const mine = voted?.turn === turn.number ? voted : null;
  return (
    <div class="helped" role="group" aria-label={w.helped}>
      {mine === null ? (
        <>
          <button type="button" class="button" aria-label={w.yes} onClick={() => void vote(turn, true)}>
            <Face smiling />
          </button>
          <button type="button" class="button" aria-label={w.not} onClick={() => void vote(turn, false)}>
            <Face smiling={false} />
          </button>
        </>
      ) : (
        <p role="status">{mine.taken === true ? w.thanks : ""}</p>
      )}
    </div>
  );
}

export function Dialogs({ state }: { state: State }) {
  const { call, page } = useCell(desk);
  const { session, farewell, turn, online, venue } = state;
  useEffect(clear, [session]);
  // Whoever says that somebody should come is asked as by the key.
  const wanted = turn?.offer === "staff" && online && offers(venue?.kiosk ?? {}).staff;
  useEffect(() => void (wanted && askForStaff()), [wanted, turn?.number]);
  if (farewell !== null) return null;
  if (call !== null) return <StaffDialog key={call.step} call={call} state={state} />;
  return page === null ? null : <PageDialog page={page} state={state} />;
}

function StaffDialog({ call, state }: { call: Call; state: State }) {
  const { language, venue } = state;
  const w = own[language];
  const { where, number } = offers(venue?.kiosk ?? {});
  const seconds = call.step === "calling" ? 0 : stays[call.step];
  return (
    <Dialog name="staff" seconds={seconds} close={call.step === "calling" ? () => undefined : closeCall}>
      <div class="counter-top" role={call.step === "ask" ? undefined : "status"}>
        <h2 id="staff">
          <Text text={call.step === "told" ? w.told(timeOf(call.at, state)) : w[call.step]} />
        </h2>
        {call.step === "told" && <p><Text text={w.wait} /></p>}
        {call.step === "failed" && (
          <p>
            <Text text={w.go(where[language] || (language === "ja" ? "お近くのスタッフ" : "a member of staff"))} />
            <br />
            {number !== "" && <Text text={w.phone(number)} />}
          </p>
        )}
        {call.step === "calling" && <Waiting />}
      </div>
      {call.step !== "calling" && (
        <div class="dialog-buttons">
          <button type="button" class="button is-big" autofocus={call.step !== "failed"} onClick={closeCall}>
            <span>{call.step === "ask" ? w.no : w.close}</span>
          </button>
          {call.step !== "told" && (
            <button type="button" class="button is-main is-big" autofocus={call.step === "failed"} onClick={() => void callStaff(call.id, language)}>
              <span>{call.step === "ask" ? w.call : w.again}</span>
            </button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function PageDialog({ page, state }: { page: Page; state: State }) {
  const w = own[state.language];
  return (
    <Dialog name="page" seconds={stays.page} close={closePage}>
      <div class="counter-top is-page">
        <h2 id="page">
          <Text text={w.takeAlong} />
        </h2>
        {page.step === "made" && <Code url={page.url} language={state.language} />}
        <p role="status">
          <Text text={page.step === "making" ? w.making : page.step === "failed" ? w.noPage : w.scan} />
          <br />
          {page.step === "made" && <Text text={w.goes} />}
        </p>
      </div>
      <div class="dialog-buttons">
        <button type="button" class="button is-main is-big" autofocus onClick={closePage}>
          <span>{w.close}</span>
        </button>
      </div>
    </Dialog>
  );
}

function timeOf(at: string, { venue, language }: State): string {
  return clockOf(Date.parse(at), venue?.timezone ?? "Asia/Tokyo", language).time;
}

function Waiting() {
  return (
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

function Face({ smiling }: { smiling: boolean }) {
  return <Icon path={`M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9.500v.8M15 9.500v.8M8.300 ${smiling ? "14.500c2 2.600 5.400 2.600 7.400 0" : "16.300c2-2.600 5.400-2.600 7.400 0"}`} />;
}
