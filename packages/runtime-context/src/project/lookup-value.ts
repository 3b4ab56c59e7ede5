/** Characters of a lookup value. */
const LOOKUP_VALUE_MAX = 256;

/** True for `[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}` as a whole (seed 004). A loop: it runs on every request, before any pattern. */
export function isBaseLookupValue(value: string): boolean {
  if (value.length === 0 || value.length > LOOKUP_VALUE_MAX || !isAlphanumeric(value.charCodeAt(0))) return false;
  for (let index = 1; index < value.length; index += 1) {
    const unit = value.charCodeAt(index);
    if (!isAlphanumeric(unit) && !isPunctuation(unit)) return false;
  }
  return true;
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** `-` `.` `:` `@` `_` */
function isPunctuation(unit: number): boolean {
  return unit === 0x2d || unit === 0x2e || unit === 0x3a || unit === 0x40 || unit === 0x5f;
}
