// A dialog over the whole screen, which closes by itself where nobody touches it.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import "./style/dialog.css";

interface DialogProps {
  name: string;
  /** After how many seconds without a touch it closes; 0: not by itself. */
  seconds: number;
  close: () => void;
  children: preact.ComponentChildren;
}

export function Dialog({ name, seconds, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(close, seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return (
    <dialog
      class="counter"
      ref={dialog}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}
