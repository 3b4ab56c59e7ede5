/** Minified bytes that the choices of one gate may take together, so that the whole gate stays within its 2,048. */
const CHOICES_BUDGET_BYTES = 750;

/** The leading choices that fit, at least one; the rest is a command away. */
export function fitChoices<Choice>(choices: readonly Choice[]): readonly Choice[] {
  let usedBytes = 0;
  const fitting = choices.findIndex((choice) => {
    usedBytes += Buffer.byteLength(JSON.stringify(choice)) + 1;
    return usedBytes > CHOICES_BUDGET_BYTES;
  });
  return fitting === -1 ? choices : choices.slice(0, Math.max(1, fitting));
}
