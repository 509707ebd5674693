import { RulesetsError } from "../../model/errors.js";
import { parseResourceId, scopeArguments, type Scope } from "../../model/ids.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Session } from "../../engine/session.js";
import type { RulesetDescription, RulesetState } from "./description.js";
import { lacksForeignRules, refreshState, stateOfUnmanaged, unchanged, withCopies, type Refreshed } from "./state.js";

/** Where an ID points; the scope of a bare ID comes from the state. */
export interface Address {
  readonly scope: Scope;
  readonly rulesetId?: string;
  readonly phase?: string;
}

export function addressOf(id: string, state: Partial<RulesetState>): Address {
  const parsed = parseResourceId(id);
  if (parsed?.form === "phase") return { scope: parsed.scope, phase: parsed.phase };
  if (parsed?.form === "ruleset") return { scope: parsed.scope, rulesetId: parsed.rulesetId };
  const scope: Scope | undefined =
    state.zoneId !== undefined
      ? { level: "zones", id: state.zoneId }
      : state.accountId !== undefined
        ? { level: "accounts", id: state.accountId }
        : undefined;
  if (parsed?.form === "bare" && scope !== undefined) return { scope, rulesetId: parsed.rulesetId };
  throw new RulesetsError(
    `${JSON.stringify(id)} is not a valid ID of this resource: write zones/<zoneId>/rulesets/<rulesetId> or zones/<zoneId>/phases/<phase>, or the same with accounts/….`,
    { code: "CONFIG_INVALID" },
  );
}

export function readAt(session: Session, address: Address): Promise<Ruleset | undefined> {
  return address.phase === undefined
    ? session.client.rulesets.find(address.scope, address.rulesetId ?? "")
    : session.client.rulesets.findEntrypoint(address.scope, address.phase);
}

/** The ruleset as this run has just read it, or reads it now. */
export function currentRuleset(
  session: Session,
  id: string,
  state: Partial<RulesetState>,
): Promise<Ruleset | undefined> {
  return currentAt(session, addressOf(id, state));
}

/** The same of the ruleset with an ID, or of the entry point of a phase. */
export function currentAt({ reads }: Session, { scope, phase, rulesetId }: Address): Promise<Ruleset | undefined> {
  return rulesetId === undefined ? reads.entrypoint(scope, phase ?? "") : reads.byId(scope, rulesetId);
}

/**
 * Reads the ruleset in the form of the program's inputs; undefined if it no longer exists. Sends one list
 * for all rulesets of a scope, and a GET for each that changed. Without inputs where the list shows that nothing changed.
 */
export async function read(
  { type }: RulesetDescription,
  session: Session,
  id: string,
  state: RulesetState | undefined,
  given: Partial<RulesetState>,
): Promise<Refreshed | Pick<Refreshed, "state"> | undefined> {
  const address = addressOf(id, given);
  const complete = state?.__incomplete === true ? undefined : state;
  if (
    complete !== undefined &&
    (await session.reads.isUnchanged(address.scope, complete)) &&
    !lacksForeignRules(complete)
  )
    return unchanged(complete);
  const actual = await readAt(session, address);
  if (actual === undefined) return undefined;
  session.reads.store(address.scope, actual);
  if (state !== undefined) return withCopies(refreshState(state, actual), state, session.secrets);
  const whole = stateOfUnmanaged(type, { ...given, ...scopeArguments(address.scope) }, actual);
  return withCopies({ inputs: whole, state: whole }, {}, session.secrets);
}
