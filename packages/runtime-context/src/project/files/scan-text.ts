import { findSensitive } from "@loopx/contracts";
import { findCredentialRule } from "../../providers/answer/credential-scan.ts";
import { lineOfOffset } from "../document/json-document.ts";
import { toFinding, type Finding } from "../document/finding.ts";

/** A finding for each credential in a text, by file, line and rule. The credential itself is never repeated. */
export function findSecrets(text: string, file: string): readonly Finding[] {
  // Nearly every text has none, and this look costs a fraction of what the whole rule set does.
  if (findCredentialRule(text) === undefined) return [];
  return findSensitive(text)
    .filter(({ kind }) => kind === "credential")
    .map(({ rule, start }) =>
      toFinding({
        rule: "SECRET_IN_FILE",
        file,
        line: lineOfOffset(text, start),
        message: `holds a credential (rule ${rule})`,
        hint: "take it out and give it to the Deployment Binding as env:NAME or file:PATH",
      }),
    );
}

/** Reserved for examples (RFC 2606, RFC 6761). */
const EXAMPLE_HOST = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/i;

/** What a text holds that looks like a real person's data: `email` or `payment_card`. A guess, good for a warning. */
export function findPersonalData(text: string): "email" | "payment_card" | undefined {
  for (const [, host = ""] of text.matchAll(/[A-Za-z0-9._%+-]{1,64}@([A-Za-z0-9.-]{1,253}\.[A-Za-z]{2,24})/g)) {
    if (!EXAMPLE_HOST.test(host)) return "email";
  }
  for (const [number] of text.matchAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g)) {
    if (hasLuhnSum(number.replaceAll(/\D/g, ""))) return "payment_card";
  }
  return undefined;
}

/** ISO/IEC 7812-1, annex B. */
function hasLuhnSum(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
