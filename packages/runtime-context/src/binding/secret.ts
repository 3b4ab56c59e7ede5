import { inspect } from "node:util";

/** Stands in for a secret wherever one could be printed. */
const MASK = "[secret]";

/** The value of a secret, held so that no log, error, trace or JSON can show it. Only `reveal` gives it, where it is used. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: for a request's header or a key, never for a message. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
