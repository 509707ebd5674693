import { HIDDEN } from "../../core/model/secret.js";
import { isObject, type Json } from "../../core/model/json.js";
import { withValueAt, type Path } from "../../core/model/path.js";
import type { ManagedNames } from "../../core/managed/names.js";
import type { DeployedRule } from "../../core/model/ruleset.js";
import { reachOf } from "../ownership/reach.js";
import type { Display } from "../ownership/words.js";
import type { Secrets } from "../../client/redaction/secrets.js";
import { findCopies } from "./secrets.js";

/** What a run knows that decides how rules are shown: its secrets, and the names of Cloudflare's managed rules. */
interface KnownToRun {
  readonly secrets: Secrets;
  readonly names: ManagedNames;
}

/** Which rules a state has, and where it records secrets in them. */
export interface SecretPlaces {
  readonly ownership?: string | undefined;
  readonly ruleIds?: Readonly<Record<string, string>>;
  readonly __secretPaths?: Readonly<Record<string, readonly Path[]>>;
  readonly __secretArgs?: readonly string[];
}

/**
 * How messages show rules of the service: without values that the program declares secret in the resource's own rules, and
 * without copies of them in any other rule. Another resource of the stack may have had a rule that the state does not have, and its
 * secrets are not known: of such a rule no text is shown. A state that owns a whole ruleset has all of its rules.
 * @param state undefined for a resource that is new
 */
export function displayFor({ secrets, names }: KnownToRun, state: SecretPlaces | undefined): Display {
  const refOf = new Map(Object.entries(state?.ruleIds ?? {}).map(([ref, id]) => [id, ref]));
  const reach = state === undefined ? undefined : reachOf(state);
  const covers = reach?.covers(refOf.keys());
  return {
    shows: ({ id }) => covers?.(id) === true,
    rule: (rule) => {
      const { id, version: _version, lastUpdated: _last, ...texts } = rule;
      const own = state?.__secretPaths?.[refOf.get(id) ?? ""] ?? [];
      const paths = [...own, ...findCopies(texts, secrets)];
      return paths.some((path) => path.length === 0) ? hiddenRule(rule) : withoutText(rule, paths);
    },
    description: (text) =>
      reach?.isPart !== false || state?.__secretArgs?.includes("description") === true || secrets.contains(text)
        ? HIDDEN
        : text,
    nameOf: names.of,
  };
}

function hiddenRule({ id, ref, version, lastUpdated, description }: DeployedRule): DeployedRule {
  return {
    ...{ id, ref, version, action: HIDDEN, expression: HIDDEN },
    ...(lastUpdated === undefined ? {} : { lastUpdated }),
    ...(description === undefined ? {} : { description: HIDDEN }),
  };
}

function withoutText(rule: DeployedRule, paths: readonly Path[]): DeployedRule {
  const hidden = paths.reduce<Json | undefined>((current, path) => withValueAt(current, path, HIDDEN), rule);
  return isObject(hidden) ? { ...rule, ...hidden } : rule;
}
