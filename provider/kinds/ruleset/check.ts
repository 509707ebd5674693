import { diffRules, isEmptyDiff, withoutForm } from "../../rules/diff.js";
import { summaryLine } from "../../rules/summary.js";
import { assignRefs } from "../../rules/assign-refs.js";
import type { WantedRule } from "../../rules/match.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { phaseResourceId } from "../../model/ids.js";
import { isObject, mapFrom, sameJson, type Json, type JsonObject } from "../../model/json.js";
import { blur, isUnknown, UNKNOWN } from "../../model/unknown.js";
import { twoOwnersText } from "../../ownership/messages.js";
import type { Session } from "../../engine/session.js";
import {
  checkIgnoredRefs,
  checkRules,
  checkScope,
  failure,
  failureText,
  join,
  readIgnored,
  type Failure,
  type Findings,
  type IgnoredField,
} from "../../validation/index.js";
import { ignorableNames } from "./argument-names.js";
import { readRequest, type CheckRequest, type RawInputs } from "./check-request.js";
import { checkEntitlements } from "./entitlements.js";
import { keyRules, knownFromOlds, refChangeText } from "./key-rules.js";
import { lookUp } from "./look-up.js";
import {
  isKnownTarget,
  keyedRules,
  orderText,
  rulesInForce,
  targetOf,
  targetWords,
  type CheckedInputs,
  type ResourceKind,
} from "./model.js";
import { normaliseRule } from "../../rules/normalise.js";
import { announce, knownFrom, type Found } from "./occupied.js";
import { checkOptions } from "./options.js";
import { keptSecrets, pathsByRule, refuseSecrets, withoutSecrets } from "../../engine/secrets.js";
import { refuseSecretRefs, traceTexts } from "./secret-refs.js";

export interface CheckAnswer {
  readonly inputs: CheckedInputs;
  readonly failures: readonly Failure[];
}

/**
 * Everything that can be known before writing: shapes, tables, identity, and what stands at the service where the
 * resource is to be created. Returns the inputs the engine keeps, with rules by ref, and every failure at once.
 */
export async function check(
  kind: ResourceKind,
  session: Session,
  olds: RawInputs | undefined,
  news: RawInputs,
): Promise<CheckAnswer> {
  const request = readRequest(kind, session, olds, news);
  const { args, urn } = request;
  const before = session.checked.get(urn);
  session.checked.set(urn, { preview: request.preview, at: session.clock.now(), olds: request.olds ?? before?.olds });
  const ignored = readIgnored(request.ignored, kind, ignorableNames(kind));
  const findings = join([
    withoutSecrets(join([checkScope(placeOf(kind, args)), checkOptions(kind, args)]), request),
    checkOwners(request),
    refuseSecrets(request.secretPaths, ["rules", "name", "description"]),
    refuseSecretRefs(request),
    ignored.findings,
  ]);
  if (isUnknown(request.rules)) return answer(request, findings, pending(request));
  if (isHandedIn(request)) return answer(request, findings, passedThrough(request));
  if (!Array.isArray(request.rules)) {
    return answer(request, join([findings, failure(["rules"], noListText(request.rules))]), { rules: {}, order: "" });
  }
  const rules = (request.rules as Json[]).map(normaliseRule);
  const place = { phase: args.phase, kind: targetOf(args as unknown as CheckedInputs).kind };
  const all = join([findings, withoutSecrets(checkRules(rules, place), request)]);
  if (all.failures.length > 0) return answer(request, all, { rules: {}, order: "" });
  return withIdentity(request, all, rules as WantedRule[], ignored.fields);
}

/** Whether the rules are the old ones, by ref: `ignoreChanges: ["rules"]` hands them in. No other object passes. */
function isHandedIn({ rules, olds }: CheckRequest): boolean {
  return isObject(rules) && olds !== undefined && sameJson(rules, olds.rules);
}

function noListText(rules: Json | undefined): string {
  return isObject(rules)
    ? "must be a list of rules, not an object, which has no order: write Object.values(…), or a list. " +
        "The output `rules` of another ruleset is such a list"
    : "must be a list of rules; [] means none on purpose";
}

function placeOf(kind: ResourceKind, args: JsonObject): Parameters<typeof checkScope>[0] {
  const { zoneId, accountId, phase } = args;
  return { zoneId, accountId, phase, ...(kind === "Ruleset" ? { kind: args.kind ?? "" } : {}) };
}

/** Two resources of one program must not own the same entry point. */
function checkOwners({ session, urn, args }: CheckRequest): Findings {
  const target = targetOf(args as unknown as CheckedInputs);
  if (!target.entrypoint || !isKnownTarget(target) || urn === "") return { failures: [], warnings: [] };
  const other = session.owners.hold(phaseResourceId(target.scope, target.phase), urn);
  if (other === undefined) return { failures: [], warnings: [] };
  const reason = twoOwnersText(targetWords(target), other, urn);
  return { failures: [{ path: [], reason }], warnings: [] };
}

/** While the list is not known, every old rule may still be in it: none of them shows as removed. */
function pending({ olds }: CheckRequest): { readonly rules: CheckedInputs["rules"] | string; readonly order: string } {
  const { rules, order } = keyedRules(olds);
  if (order.length === 0) return { rules: UNKNOWN, order: UNKNOWN };
  return { rules: blur(rules as unknown as Json) as unknown as CheckedInputs["rules"], order: UNKNOWN };
}

/** The old rules pass with the old order. */
function passedThrough({ olds, rules }: CheckRequest): Pick<CheckedInputs, "rules" | "order" | "__secretPaths"> {
  const { order } = keyedRules({ rules, order: olds?.order });
  return {
    rules: rules as unknown as CheckedInputs["rules"],
    order: orderText(order),
    ...(olds?.__secretPaths === undefined ? {} : { __secretPaths: olds.__secretPaths }),
  };
}

async function withIdentity(
  request: CheckRequest,
  findings: Findings,
  wanted: readonly WantedRule[],
  ignored: readonly IgnoredField[],
): Promise<CheckAnswer> {
  const { session, urn } = request;
  const found = await lookUp(request, wanted);
  if (found.failure !== undefined) findings = join([findings, { failures: [found.failure], warnings: [] }]);
  if (findings.failures.length === 0)
    findings = join([findings, await checkEntitlements(request, wanted, found.found)]);
  const known = request.olds === undefined ? knownFrom(found.found) : knownFromOlds(request.olds);
  const pathsIn = pathsByRule(request.secretPaths);
  const assigned = assignRefs(known, wanted, (index) => {
    const paths = pathsIn(index);
    return paths.some((path) => path.length === 0)
      ? ["action", "description", "expression"]
      : paths.map((path) => String(path[0]));
  });
  findings = join([findings, checkIgnored(request, wanted, assigned.refs, ignored)]);
  if (findings.failures.length === 0) {
    for (const change of assigned.changes) session.reporter.warn(urn, refChangeText(change));
    for (const text of traceTexts(request, wanted, assigned.refs)) session.reporter.warn(urn, text);
    if (found.found !== undefined) await announce(session, found.found, urn);
  }
  const keyed = keyRules(request, wanted, assigned, ignored);
  if (findings.failures.length === 0) summarise(request, keyed, found.found);
  return answer(request, findings, keyed);
}

/** Refs are judged once every rule has its own: one that is not known yet may get any. */
function checkIgnored(
  { olds }: CheckRequest,
  wanted: readonly WantedRule[],
  refs: readonly string[],
  ignored: readonly IgnoredField[],
): Findings {
  const pending = wanted.some((rule) => isUnknown(rule) || (isObject(rule) && isUnknown(rule.ref)));
  return pending ? join([]) : checkIgnoredRefs(ignored, [...refs, ...keyedRules(olds).order]);
}

/** A line for people and bots: what taking over does to the rules that stand there. */
function summarise(
  request: CheckRequest,
  after: Pick<CheckedInputs, "rules" | "order">,
  found: Found | undefined,
): void {
  const existing = found?.existing.rules ?? [];
  if (existing.length === 0) return;
  const before = {
    rules: mapFrom(existing.map((rule) => [rule.ref, rule as RulesetRule] as const)),
    order: existing.map(({ ref }) => ref),
  };
  const target = targetOf(request.args as unknown as CheckedInputs);
  request.session.reporter.info(
    request.urn,
    `${targetWords(target)}: ${summaryLine(withoutForm(diffRules(before, keyedRules(after))))}`,
  );
}

/** Keeps the fingerprints of drifted rules until they are repaired, so that no preview shows them coming or going. */
function repairing(
  { olds }: CheckRequest,
  keyed: { readonly rules: unknown; readonly order: string },
): Pick<CheckedInputs, "__declared"> {
  if (olds?.__declared === undefined) return {};
  const same = isEmptyDiff(diffRules(keyedRules(olds), keyedRules(keyed)));
  return same ? {} : { __declared: olds.__declared };
}

function answer(
  request: CheckRequest,
  findings: Findings,
  keyed: { readonly rules: CheckedInputs["rules"] | string; readonly order: string },
): CheckAnswer {
  const { args, urn, session, secretPaths } = request;
  const { failures, warnings } = findings;
  if (failures.length === 0) {
    for (const warning of warnings) session.reporter.warn(urn, failureText(warning));
  }
  const inArguments = secretPaths.flatMap(([name]) => (name === "rules" || name === undefined ? [] : [String(name)]));
  const before = (request.olds?.__secretArgs ?? []).map((name) => [name]);
  const kept = keptSecrets(before, request).map(([name]) => String(name));
  const secretArgs = [...new Set([...inArguments, ...kept])];
  const { rulesetId, ...rest } = args;
  const adopt = rulesetId === undefined ? {} : { __adopt: rulesetId };
  const inputs = {
    ...rest,
    ...keyed,
    ...(isUnknown(keyed.order) ? {} : { rulesInForce: rulesInForce(keyed.rules as CheckedInputs["rules"]) }),
    ...adopt,
    ...repairing(request, keyed),
    ...(secretArgs.length === 0 ? {} : { __secretArgs: secretArgs }),
    ...(urn === "" ? {} : { __urn: urn }),
  } as unknown as CheckedInputs;
  return { inputs, failures };
}
