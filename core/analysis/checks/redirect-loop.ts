import { makeRequest, type RequestInput } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import { compileProgram, simulateRequest, type Program, type RuleInput } from "../../simulator/index.js";
import type { AnalysisContext } from "../analysis-context.js";
import type { Translator } from "../formula/translate.js";
import type { AnalysedRule } from "../program/rule.js";
import { buildRequest } from "../witness/build-request.js";
import { describeRequest } from "../witness/describe-request.js";
import type { AnalysisFinding } from "./finding.js";

/** Browsers give up after this many redirects. */
const MOST_REDIRECTS = 20;

/** No rule names it, so a target on the same host is one that the rule takes from the request. */
const SOME_HOST = "some-host.invalid";

/** Fields that follow from the URL: with a value of their own, a request keeps it at the next URL. */
const OF_URL = /^(?:raw\.)?http\.(?:host|request\.(?:uri|full_uri))/;

/**
 * A rule that redirects a request to itself without end, shown by a request that satisfies its condition, over HTTP or HTTPS.
 * @param rules all rules of its ruleset: an earlier one may take the request
 */
export function checkRedirectLoop(
  { effect, condition, place, input: rule }: AnalysedRule,
  translator: Translator,
  { context, rules }: { readonly context: AnalysisContext; readonly rules: readonly AnalysedRule[] },
): readonly AnalysisFinding[] {
  if (effect.kind !== "redirect" || condition === undefined) return [];
  const solved = context.solve(translator.translate(condition));
  if (solved.kind !== "sat") return [];
  try {
    const uses = usesOf({ kind: "filter", condition });
    const sent = buildRequest(solved.model, uses, SOME_HOST);
    const alone = programOf(place.phase, [rule]);
    const input = overBoth(sent).find((one) => loopOf(alone, one) !== undefined);
    if (input === undefined) return [];
    const all = programOf(
      place.phase,
      rules.map((other) => other.input),
    );
    const loop = loopOf(all, input);
    if (loop?.index !== place.index) return [];
    const message =
      `it redirects without end: for example, ${describeRequest(input)} to \`${loop.target}\`, which it matches again. ` +
      `Exclude the target from its expression`;
    const request = makeRequest(input);
    return [{ code: "redirect-loop", severity: "warning", verdict: "witness", rule: place, message, request, input }];
  } catch {
    // No request can have such values, the target is no URL, or another rule of the ruleset cannot be read.
    return [];
  }
}

function programOf(phase: string, rules: readonly RuleInput[]): Program {
  return compileProgram([{ kind: "zone", phase, rules }]);
}

/** The request, and the same over the other scheme. */
function overBoth(input: RequestInput): readonly RequestInput[] {
  if (Object.keys(input.fields ?? {}).some((name) => OF_URL.test(name))) return [];
  const url = String(input.url);
  const other = url.startsWith("https:") ? url.replace("https:", "http:") : url.replace("http:", "https:");
  return [input, { ...input, url: other }];
}

/** The rule that first redirects a request that is redirected on its host without end, and where to. */
function loopOf(
  program: Program,
  input: RequestInput,
): { readonly index: number; readonly target: string } | undefined {
  let url = String(input.url);
  let first: ReturnType<typeof loopOf>;
  for (let count = 0; count < MOST_REDIRECTS; count += 1) {
    const { decision, response } = simulateRequest({ program, request: { ...input, url }, trace: false }).unanswered();
    const location = response?.headers.location;
    if (decision?.outcome !== "redirected" || typeof location !== "string") return undefined;
    const next = new URL(location, url);
    if (next.host !== new URL(url).host) return undefined;
    first ??= { index: decision.rule.index, target: next.href };
    if (next.href === url) break;
    url = next.href;
  }
  return first;
}
