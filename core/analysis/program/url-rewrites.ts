import { toBytes } from "../../language/bytes.js";
import type { Operand } from "../../language/ast.js";
import type { Bytes } from "../../language/value.js";
import type { TextSource } from "../../simulator/effect.js";
import type { KnownRewrites } from "../formula/fields.js";
import { and, FALSE, not, type Formula } from "../formula/formula.js";
import { RewrittenUrl, type RewriteCase, type UrlPart } from "../formula/rewritten-url.js";
import type { Translator } from "../formula/translate.js";
import { isRewriteUnknown, keepsQuery } from "./phase-fields.js";
import type { AnalysedRule } from "./rule.js";

/** With more rules that rewrite the same part of a URL, a test on it has too many cases. */
const MOST_REWRITES = 16;

/** A rule that requests pass, and when it acts. */
interface RewritingStep {
  readonly rule: AnalysedRule;
  readonly guard: Formula;
  readonly isApart: boolean;
}

/** A case with the step that decides it; undefined if none acts. */
interface DecidedCase<S extends RewritingStep> extends RewriteCase {
  readonly by: S | undefined;
}

/**
 * What the rules of a phase make of the URL, for the phases after it; undefined if it is not known when a rule acts.
 * @param before the fields as the rules see them
 */
export function knownRewrites(steps: readonly RewritingStep[], before: Translator): KnownRewrites | undefined {
  const path = rewriteCases(steps, "path");
  if (path === undefined || !before.fields.isAsSent("http.request.uri")) return undefined;
  const query = rewriteCases(steps, "query");
  const cases = { path: ifAny(path), query: ifAny(query) };
  return new RewrittenUrl(before.fields, { cases, isQueryKnown: query !== undefined }, (operand, base) =>
    before.isIn(operand, base),
  );
}

/**
 * What the rules of a phase make of a part of the URL, and when: the last one that acts decides. Undefined if that is not known.
 */
export function rewriteCases<S extends RewritingStep>(
  steps: readonly S[],
  part: UrlPart,
): readonly DecidedCase<S>[] | undefined {
  if (steps.some(({ rule }) => isRewriteUnknown(rule))) return undefined;
  const own = steps.flatMap((by) => {
    const value = rewriteOf(by, part);
    return value === undefined ? [] : [{ when: by.guard, value: valueOf(value), by }];
  });
  if (own.length > MOST_REWRITES || own.some(({ by }) => by.isApart)) return undefined;
  if (part === "query" && !steps.every(({ rule }) => keepsQuery(rule))) return undefined;
  const none = { when: and(own.map((rule) => not(rule.when))), value: undefined, by: undefined };
  const cases = own.map((rule, at) => ({
    ...rule,
    when: and([rule.when, ...own.slice(at + 1).map((later) => not(later.when))]),
  }));
  return [...cases, none].filter(({ when }) => when !== FALSE);
}

/** Undefined if no rule rewrites the part. */
function ifAny(
  cases: readonly DecidedCase<RewritingStep>[] | undefined,
): readonly DecidedCase<RewritingStep>[] | undefined {
  return cases?.some(({ by }) => by !== undefined) === true ? cases : undefined;
}

function rewriteOf({ rule: { effect } }: RewritingStep, part: UrlPart): TextSource | undefined {
  return effect.kind === "rewrite" ? effect[part] : undefined;
}

function valueOf(source: TextSource): Bytes | Operand {
  return typeof source === "string" ? toBytes(source) : source.operand;
}
