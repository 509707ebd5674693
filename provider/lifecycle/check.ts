import { diffRules, isEmptyDiff } from "../diff/rules.js";
import { summaryLine } from "../diff/summary.js";
import { assignRefs, type AssignedRefs } from "../identity/assign-refs.js";
import type { KnownRule, WantedRule } from "../identity/match.js";
import { ApiError, RulesetsError } from "../model/errors.js";
import { phaseResourceId } from "../model/ids.js";
import { isObject, mapFrom, type Json, type JsonObject } from "../model/json.js";
import type { RulesetRule } from "../model/generated/rule.js";
import { valueAt, withValueAt, type Path } from "../model/path.js";
import { blur, UNKNOWN, hasUnknown, isUnknown } from "../model/unknown.js";
import { checkRules, checkScope, failureText, join, type Failure, type Findings } from "../validation/index.js";
import type { Session } from "../session/session.js";
import { announce, knownFrom, lookForExisting, type Found } from "./occupied.js";
import {
  isKnownTarget,
  keyedRules,
  orderText,
  targetOf,
  targetWords,
  type CheckedInputs,
  type ResourceKind,
} from "./model.js";
import { normaliseRule } from "./normalise.js";
import { checkOptions } from "./options.js";
import { pathsInRule, restoreSecrets } from "./secrets.js";

/** Inputs as the resource class sends them. */
export type RawInputs = Readonly<Record<string, Json | undefined>>;

export interface CheckAnswer {
  readonly inputs: CheckedInputs;
  readonly failures: readonly Failure[];
}

/** What check works with: the arguments, and what the resource class sent beside them. */
interface Request {
  readonly kind: ResourceKind;
  readonly session: Session;
  readonly olds: CheckedInputs | undefined;
  readonly args: JsonObject;
  readonly urn: string;
  readonly preview: boolean;
  /** Paths of `ignoreChanges` inside rules: a ref, then steps. */
  readonly ignored: readonly Path[];
  /** The rules as a list, secrets restored; a map stands for `ignoreChanges: ["rules"]`. */
  readonly rules: Json | undefined;
  readonly secretPaths: readonly Path[];
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
  session.checked.set(urn, { preview: request.preview, olds: request.olds ?? before?.olds });
  const findings = join([checkScope(placeOf(kind, args)), checkOptions(kind, args), checkOwners(request)]);
  if (isUnknown(request.rules)) return answer(request, findings, pending(request));
  if (isObject(request.rules)) return answer(request, findings, passedThrough(request));
  if (!Array.isArray(request.rules)) {
    const missing: Failure = { path: ["rules"], reason: "must be a list of rules; [] means none on purpose" };
    return answer(request, join([findings, { failures: [missing], warnings: [] }]), { rules: {}, order: "" });
  }
  const rules = (request.rules as Json[]).map(normaliseRule);
  const place = { phase: args.phase, kind: targetOf(args as unknown as CheckedInputs).kind };
  const all = join([findings, checkRules(rules, place)]);
  if (all.failures.length > 0) return answer(request, all, { rules: {}, order: "" });
  return withIdentity(request, all, rules as WantedRule[]);
}

function readRequest(kind: ResourceKind, session: Session, olds: RawInputs | undefined, news: RawInputs): Request {
  const { __preview, __urn, __secrets, __ignore, __provider, rules, ...args } = news;
  const old = olds !== undefined && Object.keys(olds).some((key) => !key.startsWith("__")) ? olds : undefined;
  const restored = restoreSecrets(rules, isObject(__secrets) ? __secrets : {});
  return {
    kind,
    session,
    olds: old as CheckedInputs | undefined,
    args: args,
    urn: typeof __urn === "string" ? __urn : "",
    preview: __preview !== false,
    ignored: Array.isArray(__ignore) ? __ignore : [],
    rules: restored.value ?? (kind === "Ruleset" ? [] : undefined),
    secretPaths: restored.paths,
  };
}

function placeOf(kind: ResourceKind, args: JsonObject): Parameters<typeof checkScope>[0] {
  const { zoneId, accountId, phase } = args;
  return { zoneId, accountId, phase, ...(kind === "Ruleset" ? { kind: args.kind ?? "" } : {}) };
}

/** Two resources of one program must not own the same entry point. */
function checkOwners({ session, urn, args }: Request): Findings {
  const target = targetOf(args as unknown as CheckedInputs);
  if (!target.entrypoint || !isKnownTarget(target) || urn === "") return { failures: [], warnings: [] };
  const other = session.owners.hold(phaseResourceId(target.scope, target.phase), urn);
  if (other === undefined) return { failures: [], warnings: [] };
  const reason = `${targetWords(target)} has two owners in this program: ${other} and ${urn}. Keep one of them.`;
  return { failures: [{ path: [], reason }], warnings: [] };
}

/** While the list is not known, every old rule may still be in it: none of them shows as removed. */
function pending({ olds }: Request): { readonly rules: CheckedInputs["rules"] | string; readonly order: string } {
  const { rules, order } = keyedRules(olds);
  if (order.length === 0) return { rules: UNKNOWN, order: UNKNOWN };
  return { rules: blur(rules as unknown as Json) as unknown as CheckedInputs["rules"], order: UNKNOWN };
}

/** `ignoreChanges: ["rules"]` hands the old map in; it passes with the old order. */
function passedThrough({ olds, rules }: Request): Pick<CheckedInputs, "rules" | "order" | "__secretPaths"> {
  const { order } = keyedRules({ rules, order: olds?.order });
  return {
    rules: rules as unknown as CheckedInputs["rules"],
    order: orderText(order),
    ...(olds?.__secretPaths === undefined ? {} : { __secretPaths: olds.__secretPaths }),
  };
}

async function withIdentity(request: Request, findings: Findings, wanted: readonly WantedRule[]): Promise<CheckAnswer> {
  const { session, urn } = request;
  const found = await lookUp(request, wanted);
  if (found.failure !== undefined) findings = join([findings, { failures: [found.failure], warnings: [] }]);
  const known = request.olds === undefined ? knownFrom(found.found) : knownFromOlds(request.olds);
  const assigned = assignRefs(known, wanted, (index) => {
    const paths = pathsInRule(request.secretPaths, index);
    return paths.some((path) => path.length === 0)
      ? ["action", "description", "expression"]
      : paths.map((path) => String(path[0]));
  });
  if (findings.failures.length === 0) {
    for (const change of assigned.changes) session.reporter.warn(urn, refChangeText(change));
    if (found.found !== undefined) announce(session, found.found, urn);
  }
  const keyed = keyRules(request, wanted, assigned);
  if (findings.failures.length === 0) summarise(request, keyed, found.found);
  return answer(request, findings, keyed);
}

function knownFromOlds(olds: CheckedInputs): KnownRule[] {
  const { rules, order } = keyedRules(olds);
  return order.map((ref) => {
    const rule = rules[ref] ?? {};
    const declared = olds.__declared?.[ref];
    const id = (rule as { id?: string }).id;
    return { ref, rule, ...(id === undefined ? {} : { id }), ...(declared === undefined ? {} : { declared }) };
  });
}

function refChangeText(change: AssignedRefs["changes"][number]): string {
  return (
    `rules[${String(change.index)}].ref: the service knows this rule as ${JSON.stringify(change.present)}; under the ref ` +
    `${JSON.stringify(change.ref)} it becomes a new rule with a new id. To keep its id write ref: ${JSON.stringify(change.present)}.`
  );
}

/** Rules by ref, ignored fields set back to what they were, and where secrets stand. */
function keyRules(
  request: Request,
  wanted: readonly WantedRule[],
  { refs }: AssignedRefs,
): Pick<CheckedInputs, "rules" | "order" | "__secretPaths"> {
  const before = keyedRules(request.olds).rules;
  const entries = wanted.map((rule, index) => {
    const ref = refs[index] ?? "";
    const kept = request.ignored
      .filter(([ignored]) => ignored === ref)
      .reduce<Json | undefined>(
        (current, [, ...path]) => {
          const old = valueAt(before[ref], path) as Json | undefined;
          return before[ref] === undefined ? current : withValueAt(current, path, old);
        },
        isUnknown(rule) && before[ref] !== undefined ? blur(before[ref] as unknown as Json) : (rule as Json),
      );
    return [ref, kept as unknown as RulesetRule] as const;
  });
  const paths = refs.flatMap((ref, index) => {
    const inRule = pathsInRule(request.secretPaths, index);
    return inRule.length === 0 ? [] : [[ref, inRule] as const];
  });
  return {
    rules: mapFrom(entries),
    order: orderText(refs),
    ...(paths.length === 0 ? {} : { __secretPaths: mapFrom(paths) }),
  };
}

interface LookedUp {
  readonly found?: Found;
  readonly failure?: Failure;
}

/** Asks what stands where a new resource is to be, as far as that can and may be asked. */
async function lookUp(request: Request, wanted: readonly WantedRule[]): Promise<LookedUp> {
  const { session, olds, args, urn, preview } = request;
  const target = targetOf(args as unknown as CheckedInputs);
  if (olds !== undefined || !isKnownTarget(target)) return {};
  if (session.previewChecks === "off" && preview) return {};
  const name = typeof args.name === "string" && !isUnknown(args.name) ? args.name : undefined;
  const { rulesetId, onExisting } = args as { rulesetId?: string; onExisting?: CheckedInputs["onExisting"] };
  if (hasUnknown(rulesetId) || hasUnknown(onExisting)) return {};
  try {
    const found = await lookForExisting(session, { target, name, rulesetId, onExisting, wanted, urn });
    if (found === undefined && rulesetId !== undefined) {
      const reason = `there is no ruleset ${rulesetId} in ${target.scope.level}/${target.scope.id}`;
      return { failure: { path: ["rulesetId"], reason } };
    }
    if (found === undefined) return {};
    return found.refusal === undefined ? { found } : { found, failure: { path: [], reason: found.refusal } };
  } catch (error) {
    const what = `whether ${targetWords(target, name)} is free`;
    return unasked(request, error, what);
  }
}

/** A question that could not be asked: a warning in a preview, unless answers are required, and a failure in an `up`. */
function unasked({ session, preview, urn }: Request, error: unknown, what: string): LookedUp {
  if (!(error instanceof RulesetsError)) throw error;
  if (preview && session.previewChecks === "auto" && isOutOfReach(error)) {
    session.reporter.warn(urn, `not asked: ${what}. ${error.message}`);
    return {};
  }
  return { failure: { path: [], reason: error.message } };
}

/** No credentials, or no answer: nothing was wrong with the question. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === "API_UNAVAILABLE" || error.code === "API_RATE_LIMITED";
  return error instanceof RulesetsError && error.code === "CONFIG_CREDENTIALS_MISSING";
}

/** A line for people and bots: what taking over does to the rules that stand there. */
function summarise(request: Request, after: Pick<CheckedInputs, "rules" | "order">, found: Found | undefined): void {
  const existing = found?.existing.rules ?? [];
  if (existing.length === 0) return;
  const before = {
    rules: mapFrom(existing.map((rule) => [rule.ref, rule as RulesetRule] as const)),
    order: existing.map(({ ref }) => ref),
  };
  const target = targetOf(request.args as unknown as CheckedInputs);
  request.session.reporter.info(
    request.urn,
    `${targetWords(target)}: ${summaryLine(diffRules(before, keyedRules(after)))}`,
  );
}

/** Keeps the fingerprints of drifted rules until they are repaired, so that no preview shows them coming or going. */
function repairing(
  { olds }: Request,
  keyed: { readonly rules: unknown; readonly order: string },
): Pick<CheckedInputs, "__declared"> {
  if (olds?.__declared === undefined) return {};
  const same = isEmptyDiff(diffRules(keyedRules(olds), keyedRules(keyed)));
  return same ? {} : { __declared: olds.__declared };
}

function answer(
  request: Request,
  findings: Findings,
  keyed: { readonly rules: CheckedInputs["rules"] | string; readonly order: string },
): CheckAnswer {
  const { args, urn, session } = request;
  if (findings.failures.length === 0) {
    for (const warning of findings.warnings) session.reporter.warn(urn, failureText(warning));
  }
  const { rulesetId, ...rest } = args;
  const adopt = rulesetId === undefined ? {} : { __adopt: rulesetId };
  const inputs = {
    ...rest,
    ...keyed,
    ...adopt,
    ...repairing(request, keyed),
    ...(urn === "" ? {} : { __urn: urn }),
  } as unknown as CheckedInputs;
  return { inputs, failures: findings.failures };
}
