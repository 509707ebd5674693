import { RulesetsError } from "../../model/errors.js";
import { parseResourceId, type Scope } from "../../model/ids.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Session } from "../../session/session.js";
import type { ResourceKind, RulesetState } from "./model.js";
import { refreshState, stateOfStranger, type Refreshed } from "./state.js";

/** Where an id points; the scope of a bare id comes from the state. */
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
    `${JSON.stringify(id)} is no id of this resource: write zones/<zoneId>/rulesets/<rulesetId> or zones/<zoneId>/phases/<phase>, and accounts/… alike.`,
    { code: "CONFIG_INVALID" },
  );
}

export function readAt(session: Session, address: Address): Promise<Ruleset | undefined> {
  return address.phase === undefined
    ? session.client.rulesets.find(address.scope, address.rulesetId ?? "")
    : session.client.rulesets.findEntrypoint(address.scope, address.phase);
}

/** What is there, as this run has just read it or reads it now. */
export function currentRuleset(
  session: Session,
  id: string,
  state: Partial<RulesetState>,
): Promise<Ruleset | undefined> {
  const { scope, phase, rulesetId } = addressOf(id, state);
  return phase === undefined ? session.reads.byId(scope, rulesetId ?? "") : session.reads.entrypoint(scope, phase);
}

/** What is there now, in the words of the program; undefined when it is gone. One GET. */
export async function read(
  kind: ResourceKind,
  session: Session,
  id: string,
  state: RulesetState,
): Promise<Refreshed | undefined> {
  const address = addressOf(id, state);
  const actual = await readAt(session, address);
  if (actual === undefined) return undefined;
  session.reads.learn(address.scope, actual);
  if ((state as Partial<RulesetState>).rules !== undefined) return refreshState(state, actual);
  const scope = address.scope.level === "zones" ? { zoneId: address.scope.id } : { accountId: address.scope.id };
  const whole = stateOfStranger({ ...state, ...scope }, actual);
  const { kind: _kind, ...rest } = whole;
  const known = kind === "Ruleset" ? whole : rest;
  return { inputs: known, state: known };
}
