// The question before something is written: what would be written, field by field, and what speaks against it. It is
// loaded when it is first asked; owners ask for it, visitors do not.

import { useEffect, useRef } from "preact/hooks";
import type { Confirmation } from "./api";
import { CardList } from "./cards";
import type { Verbs } from "./kiosk";
import { useScrollPanel } from "./scroll";
import type { State, Turn } from "./state";
import "./style/confirm.css";
import { Text } from "./text";
import { words } from "./words";

export function Sheet({ state, turn, of }: { state: State; turn: Turn; of: Confirmation }) {
  const panel = useScrollPanel<HTMLDivElement>();
  const { language } = turn;
  const w = words[state.language];
  const zone = state.venue?.timezone ?? "Asia/Tokyo";
  return (
    <section class="sheet" aria-label={w.answer} aria-live="polite" lang={language}>
      {of.intro !== "" && (
        <p class="sheet-intro">
          <Text text={of.intro} />
        </p>
      )}
      <div class="sheet-facts" ref={panel} role="region" aria-label={of.intro || w.answer}>
        {of.warnings.length > 0 && (
          <ul class="sheet-warnings">
            {of.warnings.map((text) => (
              <li key={text}>
                <Warning />
                <span>
                  <Text text={text} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {of.fields.length > 0 ? (
          <dl>
            {of.fields.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Value text={value} />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <CardList cards={turn.cards} zone={zone} language={language} />
        )}
        {of.notes.map((text) => (
          <p key={text} class="sheet-note">
            <Text text={text} />
          </p>
        ))}
      </div>
    </section>
  );
}

/** "before → after" with what it was struck out. */
function Value({ text }: { text: string }) {
  const [before, after] = text.split(" → ");
  if (after === undefined) return <Text text={text} />;
  return (
    <>
      <s>
        <Text text={before ?? ""} />
      </s>{" "}
      <span class="sheet-arrow">→</span>{" "}
      <ins>
        <Text text={after} />
      </ins>
    </>
  );
}

/** No stands left and has the focus, so that a yes is never an accident. */
export function Answers({ turn, of, verbs }: { turn: Turn; of: Confirmation; verbs: Verbs }) {
  const [yes = "", no = ""] = turn.interrupt?.options ?? [];
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus({ preventScroll: true }), [turn.interrupt?.id]);
  return (
    <section class="answers" aria-labelledby="sheet-ask" lang={turn.language}>
      <h2 id="sheet-ask" class="sheet-ask">
        <Text text={of.ask} />
      </h2>
      <button type="button" class="button" ref={safe} aria-label={no} onClick={() => verbs.ask(no)}>
        <span>
          <Text text={no} />
        </span>
      </button>
      <button
        type="button"
        class={of.do.endsWith("remove") ? "button is-danger" : "button is-main"}
        aria-label={yes}
        onClick={() => verbs.ask(yes)}
      >
        <span>
          <Text text={yes} />
        </span>
      </button>
    </section>
  );
}

function Warning() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3L22 20.500H2Z" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" />
      <path d="M12 9.500v5M12 17.500v.1" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" />
    </svg>
  );
}
