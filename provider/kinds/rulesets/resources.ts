import { createRequire } from "node:module";
import { defineKind, type Checked, type CheckRequest, type Handlers, type Kind } from "../../engine/kind.js";
import { normaliseRulesetArguments } from "../../rules/normalise.js";
import { planUp } from "../../engine/published-plans.js";
import type { ListIn } from "../../engine/listing.js";
import { diff } from "./change.js";
import { check, type CheckedRuleset } from "./check/check.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription } from "./description.js";
import { desiredFrom } from "./desired.js";
import { lastDesired } from "./plans.js";
import { joinFindings } from "../../validation/failure.js";
import { runRecord } from "./ledgers.js";
import { mayUseManagedRules } from "./managed/uses.js";
import { isDryRunOn } from "./write/dry-runs.js";
import { explainingMissingLists } from "./write/missing-lists.js";
import { plannedCreation } from "./write/planned-requests.js";
import { listEntrypoints, listRulesets } from "./list.js";
import { read } from "./read.js";
import { copyPaths, publicTexts, secretPaths, withoutSecretWords } from "./secret-paths.js";
import { upgrade } from "./upgrade.js";
import { validate } from "./check/validate.js";

const load = createRequire(__filename);
/** Modules that write are loaded for the first write: most rulesets are unchanged in most runs. */
const loadLifecycle = () => load("./lifecycle.js") as typeof import("./lifecycle.js");
const loadInvariants = () => load("./invariants/check.js") as typeof import("./invariants/check.js");
const loadManaged = () => load("./managed/check.js") as typeof import("./managed/check.js");
const loadDryRun = () => load("./check/dry-run.js") as typeof import("./check/dry-run.js");

/** Records what a new ruleset does, for the plan of the preview. */
function planCreation(
  { session, urn, olds, preview }: CheckRequest<typeof RULESET>,
  { inputs, creation }: CheckedRuleset,
): void {
  if (olds !== undefined || !preview) return;
  const desired = creation?.desired ?? desiredFrom(inputs);
  const found = creation ?? { isRead: false, existing: undefined, part: undefined };
  planUp(session, urn, plannedCreation(desired, found, runRecord(session).dropped));
}

/** Adds what invariants say about the rules, unless they are refused anyway. */
async function withInvariants(
  request: CheckRequest<typeof RULESET>,
  { inputs, findings }: Checked<typeof RULESET>,
): Promise<Checked<typeof RULESET>> {
  if (findings.failures.length > 0) return { inputs, findings };
  const { session, urn, olds } = request;
  const last = olds === undefined ? undefined : session.part(lastDesired).parse(urn, olds);
  const found = await loadInvariants().checkInvariants({ request, desired: desiredFrom(inputs), last });
  return { inputs, findings: joinFindings([findings, found]) };
}

/** Adds what Cloudflare's releases of managed rules mean, unless the rules are refused anyway. */
async function withManagedRules(
  request: CheckRequest<typeof RULESET>,
  checked: Checked<typeof RULESET>,
): Promise<Checked<typeof RULESET>> {
  const { inputs, findings } = checked;
  if (findings.failures.length > 0) return checked;
  const desired = desiredFrom(inputs);
  if (!mayUseManagedRules(desired)) return checked;
  const { session, urn, olds } = request;
  const last = olds === undefined ? undefined : session.part(lastDesired).parse(urn, olds);
  const pathOf = (index: number) => ["rules", index];
  const found = await loadManaged().checkManagedRules({ request, desired, last, pathOf });
  return { inputs, findings: joinFindings([findings, found]) };
}

/** The handlers of both resources. An entry point is a ruleset without a kind argument. */
function handlersOf(description: RulesetDescription, list: ListIn): Handlers<typeof RULESET> {
  return {
    upgrade,
    normalise: normaliseRulesetArguments,
    validate: (request, olds) => validate(description, request, olds),
    check: async (request) => {
      const checked = await check(request);
      planCreation(request, checked);
      const { session } = request;
      const tried = isDryRunOn(session) ? await loadDryRun().withDryRun(request, checked) : checked;
      const known = await withManagedRules(request, tried);
      return session.invariants.length === 0 ? known : withInvariants(request, known);
    },
    diff: async (session, id, olds, news) => {
      const change = await diff(description, session, id, olds, news);
      if (isDryRunOn(session)) await loadDryRun().dryRunChange(session, id, { olds, news, change });
      return change;
    },
    create: (session, inputs) =>
      explainingMissingLists(session, inputs, Object.values(inputs.rules), () =>
        loadLifecycle().create(description, session, inputs),
      ),
    read: (session, id, state, given) => read(description, session, id, state, given),
    update: (session, id, olds, news) =>
      explainingMissingLists(session, news, Object.values(news.rules), () =>
        loadLifecycle().update(description, session, id, olds, news),
      ),
    delete: (session, id, state) => loadLifecycle().deleteRuleset(session, id, state),
    list,
    secretPaths,
    copyPaths,
    publicTexts,
    withoutSecretWords,
  };
}

/** The entry point of a phase, identified by the name of the phase. */
export const phaseEntrypoint: Kind<"PhaseEntrypoint"> = defineKind(
  PHASE_ENTRYPOINT,
  handlersOf(PHASE_ENTRYPOINT, listEntrypoints),
);
/** Any ruleset, identified by its ID. */
export const ruleset: Kind<"Ruleset"> = defineKind(RULESET, handlersOf(RULESET, listRulesets));
