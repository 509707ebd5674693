import type { Secrets } from "../../../../client/redaction/secrets.js";
import { ApiError, RulesetsError } from "../../../../core/model/errors.js";
import { phaseResourceId, rulesetResourceId } from "../../../../core/model/ids.js";
import { isObject, type JsonObject, mapFrom, ownValue, sameJson } from "../../../../core/model/json.js";
import { parsePendingRule, parseRule } from "../../../../core/model/parse-rule.js";
import { type Path, valueAt } from "../../../../core/model/path.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { NOT_KNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { isVersion, noVersionText } from "../../../../core/model/versions.js";
import { assignRefs } from "../../../../core/rules/assign-refs.js";
import { contentOf } from "../../../../core/rules/content.js";
import { writtenAs } from "../../../../core/rules/form.js";
import {
  fieldsOf,
  keyedEntries,
  type KeyedRules,
  NO_RULES,
  type PendingFields,
  ruleEntries,
  type RuleEntry,
} from "../../../../core/rules/keyed.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import { Rule } from "../../../../core/rules/rule.js";
import { displayFor } from "../../../engine/display.js";
import { Responses, WHOLE_RUN } from "../../../engine/reads/responses.js";
import { unavailableCheck } from "../../../engine/request.js";
import { findCopies, pathsByRule } from "../../../engine/secrets.js";
import { perRun, type Session } from "../../../engine/session.js";
import { restoredText } from "../../../ownership/restore-messages.js";
import { knownRules } from "../../../ownership/takeover.js";
import { failure, type Findings } from "../../../validation/index.js";
import { isKnownTarget, type Target, targetWords } from "../desired.js";
import { listByName } from "../new-resource.js";
import type { RuleList, RulesetCheck } from "./inputs.js";

/** The rules of an earlier version, as available to `check`. */
type Version =
  /** The inputs of the last run still contain them. */
  | { readonly kind: "kept"; readonly rules?: undefined }
  | { readonly kind: "read"; readonly rules: readonly DeployedRule[] }
  /** They cannot be known in this preview, or at all. */
  | { readonly kind: "unknown"; readonly findings: Findings };

const PENDING: Version = { kind: "unknown", findings: [] };

/** Reads the version that the program names, but only if the last inputs do not name it: a refresh drops it after drift. */
export async function findVersion(checking: RulesetCheck): Promise<Version> {
  const { session, wanted, keptInputs, preview, target } = checking;
  const { restoreVersion: version } = wanted;
  if (version === undefined || version === NOT_KNOWN || !isKnownTarget(target)) return PENDING;
  if (isKept(checking, version)) return { kind: "kept" };
  if (keptInputs.includes("rules"))
    return failed(
      'cannot be combined with `ignoreChanges: ["rules"]`, which keeps the rules unchanged; remove one of the two',
    );
  if (!isVersion(version)) return failed('must be a version number as a string, such as "12"');
  if (preview && session.previewChecks === "off") return PENDING;
  return ask(checking, version);
}

function isKept({ name, target, olds, last }: RulesetCheck, version: string): boolean {
  if (last === undefined || olds?.restoreVersion !== version) return false;
  const { scope, phase, kind, entrypoint } = last.target;
  const same = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  return same && kind === target.kind && (entrypoint || name === last.name);
}

async function ask(checking: RulesetCheck, version: string): Promise<Version> {
  const { target, name } = checking;
  const where = targetWords(target, { name });
  try {
    const rulesetId = target.entrypoint ? undefined : await customRulesetId(checking);
    const found = await versionOnce(checking.session, target, rulesetId, version, where);
    return { kind: "read", rules: found.rules };
  } catch (error) {
    if (error instanceof NoVersion) return failed(error.message);
    const [found] = unavailableCheck(checking, error, `what version ${version} of ${where} contains`);
    return found === undefined ? PENDING : failed(found.message);
  }
}

/** Finds a custom ruleset by its name: only the state knows its ID. */
async function customRulesetId({ session, name, adopts, target, olds }: RulesetCheck): Promise<string> {
  if (adopts !== undefined) return adopts;
  if (olds === undefined)
    throw new NoVersion("needs an existing ruleset; to restore a version of a custom ruleset, set its `rulesetId`");
  const named = await listByName(session, { target, name });
  const [only, ...others] = named;
  if (only === undefined) throw new NoVersion("needs an existing ruleset, and this one no longer exists");
  if (others.length === 0) return only.id;
  const ids = named.map(({ id }) => id).join(", ");
  throw new NoVersion(`does not identify a ruleset: several have this name (${ids}). Choose one with \`rulesetId\``);
}

/** By ruleset and version, what this run has read. */
const versionReads = perRun((): Responses<Ruleset> => new Responses(WHOLE_RUN));

function versionOnce(
  session: Session,
  { scope, phase }: Target,
  rulesetId: string | undefined,
  version: string,
  where: string,
): Promise<Ruleset> {
  const { rulesets } = session.client;
  const place = rulesetId === undefined ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
  return versionReads(session).read(`${place}/versions/${version}`, async () => {
    try {
      return await (rulesetId === undefined
        ? rulesets.getEntrypointVersion(scope, phase, version)
        : rulesets.getVersion(scope, rulesetId, version));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
      const versions = await (rulesetId === undefined
        ? rulesets.listEntrypointVersions(scope, phase)
        : rulesets.listVersions(scope, rulesetId));
      throw new NoVersion(noVersionText(where, version, versions));
    }
  });
}

/** Why nothing can be restored; the message continues after the name of the argument. */
class NoVersion extends RulesetsError {
  constructor(message: string) {
    super(message, { code: "CONFIG_INVALID" });
  }
}

function failed(reason: string): Version {
  return { kind: "unknown", findings: failure(["restoreVersion"], reason) };
}

/** The program's own list. */
export function listOfProgram({ secretPaths, wanted: { rules } }: RulesetCheck): RuleList {
  const wanted = rules === NOT_KNOWN || rules === undefined ? [] : rules;
  return { wanted, secretPathsIn: pathsByRule(secretPaths) };
}

/** A rule of the version, in today's form if it is equal to a rule of today, and the paths of its secrets. */
interface Restored {
  readonly ref: string;
  readonly rule: PendingFields;
  readonly paths: readonly Path[];
}

/**
 * The rules of a version, instead of the program's.
 * @param rules as returned by the service; undefined if the last inputs contain them
 */
export function listOfVersion(checking: RulesetCheck, rules: readonly DeployedRule[] | undefined): RuleList {
  const version = valueIfKnown(checking.wanted.restoreVersion) ?? "";
  const program = programRules(checking, rules ?? ruleEntries(checking.last?.rules ?? NO_RULES).map(withIdentity));
  const restored = rules === undefined ? keptRules(checking) : readRules(checking, rules, program);
  const { secrets } = checking.session;
  secrets.publish(restored.map(({ ref }) => ref));
  for (const { rule, paths } of restored) for (const path of paths) secrets.add(valueAt(rule, path), path);
  return {
    wanted: restored.map(({ rule, ref }) => ({ ...rule, ref })),
    secretPathsIn: (index) => restored[index]?.paths ?? [],
    restored: { refs: restored.map(({ ref }) => ref), note: noteOn(checking, version, program, restored) },
  };
}

function withIdentity({ ref, rule }: RuleEntry): PendingFields & Identity {
  const fields = fieldsOf(rule);
  return { ...fields, ref, id: fields.id ?? ref };
}

/** How a rule is known at the service. */
type Identity = Pick<DeployedRule, "id" | "ref">;

/** The program's rules, with the refs of the version for equal rules; undefined while they are unknown. */
interface Program {
  readonly rules: KeyedRules;
  readonly paths: ReadonlyMap<string, readonly Path[]>;
}

function programRules(
  { wanted: { rules }, secretPaths }: RulesetCheck,
  restored: readonly Identity[],
): Program | undefined {
  if (rules === NOT_KNOWN) return undefined;
  const wanted: readonly WantedRule[] = rules ?? [];
  const pathsIn = pathsByRule(secretPaths);
  const { refs } = assignRefs(knownRules(restored), wanted, { secretPathsIn: pathsIn });
  return {
    rules: keyedEntries(wanted.map((rule, index) => ({ ref: refs[index] ?? "", rule: parsePendingRule(rule) }))),
    paths: new Map(refs.map((ref, index) => [ref, pathsIn(index)])),
  };
}

function keptRules({ olds, last }: RulesetCheck): Restored[] {
  const paths = valueIfKnown(olds?.__secretPaths) ?? {};
  return ruleEntries(last?.rules ?? NO_RULES).map(({ ref, rule }) => ({
    ref,
    rule: fieldsOf(rule),
    paths: ownValue(paths, ref) ?? [],
  }));
}

function readRules(
  { session, olds, last }: RulesetCheck,
  rules: readonly DeployedRule[],
  program: Program | undefined,
): Restored[] {
  const before = last?.rules ?? NO_RULES;
  const oldPaths = valueIfKnown(olds?.__secretPaths) ?? {};
  const allPaths = [...Object.values(oldPaths).flat(), ...[...(program?.paths.values() ?? [])].flat()];
  const contents = rules.map(contentOf);
  const fields = fieldsWithSecrets(allPaths, contents);
  return rules.map((rule) => {
    const { ref } = rule;
    const old = before.rules[ref];
    const pathsBefore = ownValue(oldPaths, ref) ?? [];
    if (old?.meansSameAs(Rule.of(rule)) === true) return { ref, rule: fieldsOf(old.fields), paths: pathsBefore };
    const content = old === undefined ? contentOf(rule) : contentOf(writtenAs(rule, fieldsOf(old.fields)));
    const current = program?.rules.rules[ref];
    const today = [
      ...currentRuleOf(old?.fields, pathsBefore),
      ...currentRuleOf(current?.fields, program?.paths.get(ref) ?? []),
    ];
    return { ref, rule: parseRule(content), paths: maskedPaths(content, today, fields, session.secrets) };
  });
}

function currentRuleOf(rule: unknown, paths: readonly Path[]): CurrentRule[] {
  return isObject(rule) ? [{ rule, paths }] : [];
}

function noteOn(
  { session }: RulesetCheck,
  version: string,
  program: Program | undefined,
  restored: readonly Restored[],
): string | undefined {
  if (program === undefined) return undefined;
  const display = displayFor(session, {
    ruleIds: mapFrom(restored.map(({ ref }) => [ref, ref])),
    __secretPaths: mapFrom(restored.map(({ ref, paths }) => [ref, paths])),
  });
  return restoredText(version, program.rules, keyedEntries(restored), display);
}

/** A current rule with the ref of a restored one, and the paths of its secrets. */
export interface CurrentRule {
  readonly rule: JsonObject;
  readonly paths: readonly Path[];
}

/** Fields whose values are publicly known words. */
const PLAIN = new Set(["action", "enabled"]);

/**
 * The paths where a rule of an earlier version may contain a secret. The service returns it in plain text, and its
 * secrets may be older than those that the program knows. So a whole field is treated as secret if the field of that
 * name contains secrets in any current rule, unless a current rule has the same value there in plain text.
 */
export function maskedPaths(
  rule: JsonObject,
  today: readonly CurrentRule[],
  secretFields: ReadonlySet<string>,
  secrets: Secrets,
): Path[] {
  const inClear = (field: string): boolean =>
    today.some(
      (one) =>
        sameJson(one.rule[field], rule[field]) && one.paths.every(([head]) => head !== undefined && head !== field),
    );
  const suspect = Object.keys(rule).filter((field) => secretFields.has(field) && !PLAIN.has(field) && !inClear(field));
  const fields = new Set(suspect);
  const copies = findCopies(rule, secrets).filter(([head]) => !fields.has(String(head)));
  return [...suspect.map((field) => [field]), ...copies];
}

/** The names of fields that contain secrets; if a whole rule is secret, all its fields do. */
export function fieldsWithSecrets(paths: readonly Path[], rules: readonly JsonObject[]): Set<string> {
  if (paths.some((path) => path.length === 0)) return new Set(rules.flatMap((rule) => Object.keys(rule)));
  return new Set(paths.map(([head]) => String(head)));
}
