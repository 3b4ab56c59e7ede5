import { sha256Hex } from "@loopx/contracts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { LayerResult } from "../kernel/turn-result.ts";
import type { Expectation } from "../project/expectation.ts";
import { findsPattern } from "../project/lookup-pattern.ts";
import type { Evaluation } from "./carry-out-turn.ts";

/** Whether an expectation holds, with both sides in words. */
export interface Judgement {
  readonly holds: boolean;
  readonly expected: string;
  readonly got: string;
}

/** `sha256:` and hex of the text that a turn gave: what a golden expectation holds. */
export function toTextDigest({ result }: Evaluation): string {
  return `sha256:${sha256Hex(result.rendered)}`;
}

/** Holds an expectation against a turn. Pure; linear in the text. */
export function judgeExpectation(expectation: Expectation, evaluation: Evaluation): Judgement {
  const { result } = evaluation;
  switch (expectation.kind) {
    case "outcome":
      return judge(result.outcome === expectation.outcome, `outcome ${expectation.outcome}`, sayOutcome(evaluation));
    case "layer":
      return judgeLayer(expectation, evaluation);
    case "selected":
    case "excluded":
    case "order":
      return judgeSelection(expectation, evaluation);
    case "provider":
      return judgeProvider(expectation, evaluation);
    case "contains":
      return judgeContains(expectation.text, evaluation);
    case "matches":
      return judgeMatches(expectation.pattern, evaluation);
    case "bytesAtMost": {
      const { used, bytes } = result.budget;
      const got = `${used} bytes of a budget of ${bytes}`;
      return judge(used <= expectation.bytes, `a text of at most ${expectation.bytes} bytes`, got);
    }
    case "unknown":
      return judgeUnknown(expectation.layer, evaluation);
    case "digest":
      return judgeDigest(expectation.digest, evaluation);
    case "not": {
      const { holds, expected, got } = judgeExpectation(expectation.expectation, evaluation);
      return judge(!holds, `not: ${expected}`, got);
    }
    case "all":
    case "any":
      return judgeGroup(expectation, evaluation);
    default:
      return expectation satisfies never;
  }
}

type Of<Kind extends Expectation["kind"]> = Extract<Expectation, { kind: Kind }>;

function judge(holds: boolean, expected: string, got: string): Judgement {
  return { holds, expected, got };
}

/** A turn that isn't READY says why. */
function sayOutcome({ result: { outcome, blockedBy, unknowns } }: Evaluation): string {
  const why = (outcome === "BLOCKED" ? blockedBy : unknowns).map(({ says }) => says).join(" ");
  return `outcome ${outcome}${why === "" ? "" : `: ${why}`}`;
}

function judgeLayer({ layer: id, ...named }: Of<"layer">, { result, plan }: Evaluation): Judgement {
  const layer = result.layers.find((one) => one.layer === id);
  const wanted = [named.state, named.reason, named.notSelectedBecause];
  const expected = `layer ${id} ${sayWords(wanted)}`;
  if (layer === undefined) return judge(false, expected, `the profile ${plan.profile.id} has no layer ${id}`);
  const found = [layer.state, layer.reason, layer.notSelectedBecause];
  const holds = wanted.every((word, at) => word === null || word === found[at]);
  return judge(holds, expected, `layer ${id} ${sayLayer(layer)}`);
}

function sayWords(words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null).join(", ");
}

function sayLayer({ state, reason, provider, providerStatus, notSelectedBecause }: LayerResult): string {
  const asked = provider === null ? null : `provider ${provider} ${providerStatus}`;
  const left = state === "AVAILABLE" ? notSelectedBecause : null;
  return sayWords([state, reason, asked, left]);
}

function judgeSelection({ kind, layers }: Of<"selected" | "excluded" | "order">, evaluation: Evaluation): Judgement {
  const inText = evaluation.result.layers.filter(({ isSelected }) => isSelected).map(({ layer }) => layer);
  const got =
    inText.length === 0 ? sayNothing(evaluation) : `in the text: ${inText.join(", ")}${sayLeft(layers, evaluation)}`;
  switch (kind) {
    case "selected":
      return judge(
        layers.every((id) => inText.includes(id)),
        `in the text: ${layers.join(", ")}`,
        got,
      );
    case "excluded":
      return judge(!layers.some((id) => inText.includes(id)), `not in the text: ${layers.join(", ")}`, got);
    case "order": {
      const named = inText.filter((id) => layers.includes(id));
      return judge(named.join(" ") === layers.join(" "), `in this order: ${layers.join(", ")}`, got);
    }
    default:
      return kind satisfies never;
  }
}

/** Why a named layer is not in the text. */
function sayLeft(ids: readonly string[], { result }: Evaluation): string {
  const left = result.layers.filter(({ layer, isSelected }) => ids.includes(layer) && !isSelected);
  return left.map((layer) => `; ${layer.layer} is not: ${sayLayer(layer)}`).join("");
}

function sayNothing({ result }: Evaluation): string {
  if (result.outcome !== "BLOCKED") return "an empty text";
  return `no text, for the turn is BLOCKED: ${result.blockedBy.map(({ says }) => says).join(" ")}`;
}

function judgeProvider({ provider, status, reason }: Of<"provider">, evaluation: Evaluation): Judgement {
  const found = findProviderStatus(provider, evaluation);
  const holds = found.status === status && (reason === null || reason === found.reason);
  const say = (words: readonly (string | null)[]): string => `provider ${provider} ${sayWords(words)}`;
  return judge(holds, say([status, reason]), say([found.status, found.reason]));
}

/** Of a value that was refused before anybody was asked, only the layer says so. */
function findProviderStatus(
  provider: string,
  { plan, outcomes, result }: Evaluation,
): { readonly status: string; readonly reason: string | null } {
  const lookup = plan.lookups.find((one) => one.provider === provider);
  const outcome = lookup === undefined ? undefined : outcomes.get(toLookupKey(provider, lookup.value));
  if (outcome !== undefined) return { status: outcome.status, reason: outcome.reason };
  const layer = result.layers.find((one) => one.provider === provider);
  return { status: layer?.providerStatus ?? "NOT_REQUESTED", reason: layer?.providerReason ?? null };
}

function judgeContains(wanted: string, evaluation: Evaluation): Judgement {
  const text = evaluation.result.rendered;
  const expected = `a text that contains ${quote(wanted)}`;
  const at = text.indexOf(wanted);
  if (at !== -1) return judge(true, expected, sayLine(text, at));
  if (text === "") return judge(false, expected, sayNothing(evaluation));
  const near = text.toLowerCase().indexOf(wanted.toLowerCase());
  return judge(
    false,
    expected,
    near === -1 ? "it stands nowhere in the text" : `in other letters, ${sayLine(text, near)}`,
  );
}

function judgeMatches(pattern: string, evaluation: Evaluation): Judgement {
  const text = evaluation.result.rendered;
  const holds = findsPattern(pattern, text);
  const missed = text === "" ? sayNothing(evaluation) : "it matches nowhere in the text";
  return judge(holds, `a text that matches ${pattern}`, holds ? "it matches in the text" : missed);
}

function sayLine(text: string, at: number): string {
  const number = text.slice(0, at).split("\n").length;
  return `line ${number}: ${quote(text.split("\n")[number - 1] ?? "")}`;
}

const SHOWN = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

function judgeUnknown(id: string, { result }: Evaluation): Judgement {
  const found = result.unknowns.map(({ layer }) => layer);
  const layer = result.layers.find((one) => one.layer === id);
  const said = found.length === 0 ? "nothing is unknown" : `unknown: ${found.join(", ")}`;
  const got = layer === undefined || found.includes(id) ? said : `${said}; layer ${id} ${sayLayer(layer)}`;
  return judge(found.includes(id), `unknown: ${id}`, got);
}

function judgeDigest(wanted: string, evaluation: Evaluation): Judgement {
  const found = toTextDigest(evaluation);
  const expected = wanted === "" ? "a digest, and none is accepted yet" : `the text with digest ${wanted}`;
  return judge(found === wanted, expected, `the text with digest ${found}`);
}

function judgeGroup({ kind, expectations }: Of<"all" | "any">, evaluation: Evaluation): Judgement {
  const judged = expectations.map((one) => judgeExpectation(one, evaluation));
  const expected = `${kind} of: ${judged.map((one) => one.expected).join(" · ")}`;
  const holds = kind === "all" ? judged.every((one) => one.holds) : judged.some((one) => one.holds);
  const said = judged.filter((one) => one.holds === holds).map((one) => one.got);
  return judge(holds, expected, [...new Set(said)].join(" · "));
}
