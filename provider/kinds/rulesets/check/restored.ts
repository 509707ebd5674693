import { unavailableCheck } from "../../../engine/request.js";
import { Responses, WHOLE_RUN } from "../../../engine/reads/responses.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, RulesetsError } from "../../../../core/model/errors.js";
import { rulesetResourceId, phaseResourceId } from "../../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { NOT_KNOWN } from "../../../../core/model/unknown.js";
import { isVersion, noVersionText } from "../../../../core/model/versions.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { isKnownTarget, targetWords, type Target } from "../desired.js";
import { listByName } from "../takeover.js";
import type { RulesetCheck } from "./inputs.js";

/** The rules of an earlier version, as available to `check`. */
type Version =
  /** The inputs of the last run still contain them. */
  | { readonly kind: "kept"; readonly rules?: undefined }
  | { readonly kind: "read"; readonly rules: readonly DeployedRule[] }
  /** They cannot be known in this preview, or at all. */
  | { readonly kind: "unknown"; readonly findings: Findings };

const PENDING: Version = { kind: "unknown", findings: NO_FINDINGS };

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
const versionReads = (): Responses<Ruleset> => new Responses(WHOLE_RUN);

function versionOnce(
  session: Session,
  { scope, phase }: Target,
  rulesetId: string | undefined,
  version: string,
  where: string,
): Promise<Ruleset> {
  const { rulesets } = session.client;
  const place = rulesetId === undefined ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
  return session.part(versionReads).read(`${place}/versions/${version}`, async () => {
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
