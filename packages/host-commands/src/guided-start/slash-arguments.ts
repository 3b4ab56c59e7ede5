/**
 * The task text in what a host hands over as `--slash-command-arguments`; undefined for bare `/loopx`.
 *
 * The raw string is the text, byte for byte. Switches that other implementations peel off its front (`--fine-grained`,
 * `--capability-route`) are words of the task here. Only `[ \t\r\n]` counts as white space: U+3000 and NBSP are text.
 */
export function findGoalText(slashArguments: string): string | undefined {
  return /[^ \t\r\n]/.test(slashArguments) ? slashArguments : undefined;
}
