/** IEEE 754 doubles give back every decimal number of so many significant digits. */
const EXACT_DIGITS = 15;

/**
 * True for a JSON number that means the same to every reader: a safe integer, or at most 15 significant digits.
 *
 * `1e999` would become Infinity, `9007199254740993` an even number, `1e-999` zero.
 */
export function isExactNumber(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  const mantissa = (token.split(/[eE]/, 1)[0] ?? "").replace(/[-.]/g, "").replace(/^0+/, "");
  if (value === 0) return mantissa === "";
  if (Number.isSafeInteger(value) && /^-?\d+$/.test(token)) return true;
  return mantissa.replace(/0+$/, "").length <= EXACT_DIGITS;
}
