import { HIDDEN } from "../model/secret.js";
import { isObject, type Json } from "../model/json.js";
import { withValueAt, type Path } from "../model/path.js";
import type { ManagedNames } from "../managed/names.js";
import type { DeployedRule } from "../model/ruleset.js";
import type { Display } from "../ownership/display.js";
import type { Secrets } from "../redaction/secrets.js";
import { findCopies } from "./secrets.js";

/** What a run knows that decides how rules are shown: its secrets, and the names of Cloudflare's managed rules. */
interface KnownToRun {
  readonly secrets: Secrets;
  readonly names: ManagedNames;
}

/** Where a state records secrets in the stack's own rules, and in those that it released. */
export interface SecretPlaces {
  readonly ruleIds?: Readonly<Record<string, string>>;
  readonly __secretPaths?: Readonly<Record<string, readonly Path[]>>;
  readonly __secretArgs?: readonly string[];
  readonly __released?: readonly { readonly id: string; readonly secretPaths?: readonly Path[] }[];
}

/**
 * How messages show rules of the service: without values that the program declares secret in the stack's own rules, and
 * without copies of them in any other rule.
 */
export function displayFor({ secrets, names }: KnownToRun, state: SecretPlaces = {}): Display {
  const refOf = new Map(Object.entries(state.ruleIds ?? {}).map(([ref, id]) => [id, ref]));
  const released = new Map(state.__released?.map(({ id, secretPaths }) => [id, secretPaths]));
  return {
    rule: (rule) => {
      const { id, version: _version, lastUpdated: _last, ...texts } = rule;
      const own = state.__secretPaths?.[refOf.get(id) ?? ""] ?? released.get(id) ?? [];
      const paths = [...own, ...findCopies(texts, secrets)];
      return paths.some((path) => path.length === 0) ? hiddenRule(rule) : withoutText(rule, paths);
    },
    description: (text) =>
      state.__secretArgs?.includes("description") === true || secrets.contains(text) ? HIDDEN : text,
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
