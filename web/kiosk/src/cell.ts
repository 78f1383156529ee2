// A value that components follow: what a library of signals would bring, without the tenth of the first load that it takes.

import { useEffect, useState } from "preact/hooks";

export class Cell<T> {
  #value: T;
  #followers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const follower of this.#followers) follower();
  }

  /** Calls follower after each change, until what it returns is called. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}

/** What a component may read and follow. */
export type Readable<T> = Pick<Cell<T>, "value" | "follow">;

/** The value of a cell in a component, which is drawn again when it changes. */
export function useCell<T>(cell: Readable<T>): T {
  const [, redraw] = useState<unknown>(null);
  useEffect(() => {
    redraw(cell.value); // it may have changed between drawing and now
    return cell.follow(() => redraw(cell.value));
  }, [cell]);
  return cell.value;
}
