/** What only help, completion, the reference and the refusal of a line read of a row and of a flag. */
const WORDS_OF_ROW = ["summary", "details", "authority", "ownerWhen", "examples", "budgetBytes", "isHidden"];
const WORDS_OF_FLAG = ["describe", "placeholder", "completes", "offers"];

/** The groups of the command table with what parsing a line and printing a command need, which is no word for people. */
export function toLeanGroups(groups) {
  return groups.map(({ title, commands }) => ({ title, commands: mapValues(commands, toLeanRow) }));
}

function toLeanRow(row) {
  const { flags, ...rest } = row;
  return { ...omit(rest, WORDS_OF_ROW), flags: mapValues(flags, (flag) => omit(flag, WORDS_OF_FLAG)) };
}

function omit(record, keys) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
