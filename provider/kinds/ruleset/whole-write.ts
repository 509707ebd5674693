import type { RulesetsClient } from "../../client/index.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { DryRun } from "./dry-runs.js";
import type { Target } from "./desired.js";
import { requireKnown, type Content } from "./plan/content.js";

/** A write of a whole ruleset: what `up` sends, and what a dry run sends in a preview. */
export interface WholeWrite extends DryRun {
  readonly send: () => Promise<Ruleset>;
}

const DRY_RUN = { dryRun: true } as const;

/** The single write that gives a ruleset its content. Only an entry point can be renamed, by the path of its phase. */
export function replacementOf(client: RulesetsClient, target: Target, actual: Ruleset, planned: Content): WholeWrite {
  const { scope, phase } = target;
  const content = requireKnown(planned);
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

/**
 * The single write that creates a ruleset. It is also used for entry points, where a PUT would overwrite what somebody
 * else created.
 */
export function creationOf(client: RulesetsClient, target: Target, content: Content): WholeWrite {
  const { scope, phase, kind } = target;
  const ruleset = requireKnown({ ...content, name: nameToCreate(content), kind, phase });
  return {
    operation: "create",
    rules: content.rules,
    send: () => client.create(scope, ruleset),
    dryRun: () => client.create(scope, ruleset, DRY_RUN),
  };
}

/** The name of a new ruleset if the program sets none. */
export function nameToCreate({ name }: Content): string {
  return name ?? "default";
}
