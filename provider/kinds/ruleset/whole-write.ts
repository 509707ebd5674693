import type { RulesetsClient } from "../../client/index.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { DryRun } from "./dry-runs.js";
import type { Target } from "./desired.js";
import type { Content } from "./plan/content.js";

/** A write of a ruleset as a whole: what `up` sends, and what a dry run of it rehearses. */
export interface WholeWrite extends DryRun {
  readonly send: () => Promise<Ruleset>;
}

const DRY_RUN = { dryRun: true } as const;

/** The one write that makes a ruleset hold a content. Only an entry point can be renamed, by the path of its phase. */
export function replacementOf(client: RulesetsClient, target: Target, actual: Ruleset, content: Content): WholeWrite {
  const { scope, phase } = target;
  const { name, ...body } = content;
  if (target.entrypoint && name !== undefined && name !== actual.name)
    return {
      operation: "replaceEntrypoint",
      rules: content.rules,
      send: () => client.replaceEntrypoint(scope, phase, content),
      dryRun: () => client.replaceEntrypoint(scope, phase, content, DRY_RUN),
    };
  return {
    operation: "replace",
    rules: content.rules,
    send: () => client.replace(scope, actual.id, body, phase),
    dryRun: () => client.replace(scope, actual.id, body, phase, DRY_RUN),
  };
}

/** The one write that creates a ruleset, an entry point too: there a PUT would overwrite what somebody else made. */
export function creationOf(client: RulesetsClient, target: Target, content: Content): WholeWrite {
  const { scope, phase, kind } = target;
  const ruleset = { ...content, name: nameToCreate(content), kind, phase };
  return {
    operation: "create",
    rules: content.rules,
    send: () => client.create(scope, ruleset),
    dryRun: () => client.create(scope, ruleset, DRY_RUN),
  };
}

/** The name that a ruleset gets where the program gives none. */
export function nameToCreate({ name }: Content): string {
  return name ?? "default";
}
