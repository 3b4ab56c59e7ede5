/** What a flag of a printed command may hold. `undefined` and `false` leave the flag out, `true` prints it alone. */
export type PrintedFlag = string | boolean | readonly string[] | undefined;

/**
 * Prints one `loopx` command line that a POSIX shell runs as it stands.
 *
 * The port between packets and the command table: the composition root builds it from the table, so a packet can't print a
 * flag that doesn't exist. Every value is printed as `--flag=value` and quoted where the shell needs it.
 */
export type PrintCommand = (
  words: string,
  flags: Readonly<Record<string, PrintedFlag>>,
  /** Words of another command, behind `--`. */
  command?: readonly string[],
) => string;
