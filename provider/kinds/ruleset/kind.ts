import { defineKind, type Handlers, type Kind } from "../../engine/kind.js";
import { check, validate } from "./check.js";
import { diff } from "./change.js";
import { create } from "./create.js";
import { deleteRuleset } from "./delete.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription } from "./description.js";
import { dryRunChange, withDryRun } from "./dry-run.js";
import { normaliseArguments } from "../../rules/normalise.js";
import { read } from "./read.js";
import { copyPaths, publicTexts, secretPaths, withoutSecretWords } from "./secret-paths.js";
import { update } from "./update.js";
import { upgrade } from "./upgrade.js";

/** What both faces do. An entry point is a ruleset without a kind of its own. */
function handlersOf(description: RulesetDescription): Handlers<typeof RULESET> {
  return {
    upgrade,
    normalise: normaliseArguments,
    validate: (request, olds) => validate(description, request, olds),
    check: async (request) => withDryRun(request, await check(request)),
    diff: async (session, id, olds, news) => {
      const change = await diff(description, session, id, olds, news);
      await dryRunChange(session, id, { olds, news, change });
      return change;
    },
    create: (session, inputs) => create(description, session, inputs),
    read: (session, id, state, given) => read(description, session, id, state, given),
    update: (session, id, olds, news) => update(description, session, id, olds, news),
    delete: deleteRuleset,
    secretPaths,
    copyPaths,
    publicTexts,
    withoutSecretWords,
  };
}

/** The entry point of a phase, by the phase's name. */
export const phaseEntrypoint: Kind = defineKind(PHASE_ENTRYPOINT, handlersOf(PHASE_ENTRYPOINT));
/** Any ruleset, by its id. */
export const ruleset: Kind = defineKind(RULESET, handlersOf(RULESET));
