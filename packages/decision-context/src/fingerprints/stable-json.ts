import { LoopxError } from "@loopx/contracts";

/** Members that are fractions by nature: the public recipe writes 1 as `1.0` there. */
const FRACTIONS: ReadonlySet<string> = new Set(["confidence", "score", "timeout_seconds"]);

/** How long something took: the only member that differs between two runs on equal inputs. */
const ELAPSED = "latency_ms";

/**
 * The text form that references are made of: keys in the order of their code points, no white space, everything but
 * printable ASCII escaped, fractions as Python writes them, elapsed times left out. Other readers compute the same
 * references from our packets.
 *
 * Refuses with `invalid_value` what JSON cannot express.
 */
export function toStableJson(value: unknown, member = ""): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number" && Number.isFinite(value)) return renderNumber(value, FRACTIONS.has(member));
  if (Array.isArray(value)) return `[${value.map((item) => toStableJson(item)).join(",")}]`;
  if (typeof value === "object") return renderObject(value as Readonly<Record<string, unknown>>);
  throw new LoopxError("invalid_value", { message: "a packet holds a value that JSON cannot express" });
}

function renderObject(members: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(members)
    .filter((key) => key !== ELAPSED)
    .toSorted(compareCodePoints);
  return `{${keys.map((key) => `${escapeText(key)}:${toStableJson(members[key], key)}`).join(",")}}`;
}

/** The order of UTF-8 bytes is that of code points; that of UTF-16 units is not. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function escapeText(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function renderNumber(value: number, isFraction: boolean): string {
  // JSON.stringify writes a negative zero as 0, so that is what readers of our packets see.
  if (value === 0) return isFraction ? "0.0" : "0";
  if (Number.isInteger(value) && !isFraction) return BigInt(value).toString();
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  // Between these bounds JavaScript and Python write the same digits.
  const plain = String(value);
  return plain.includes(".") ? plain : `${plain}.0`;
}
