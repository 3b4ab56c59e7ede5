const NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** Whether `--binding` means a binding of the LoopX home by its name; everything else is a path. */
export function isBindingName(written: string): boolean {
  return NAME.test(written);
}
