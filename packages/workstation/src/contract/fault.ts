/** Every answer that is no success: the error packet of the command line. */
export interface FaultAnswer {
  readonly ok: false;
  readonly error: Fault;
}

export interface Fault {
  readonly code: string;
  readonly category: string;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
}
