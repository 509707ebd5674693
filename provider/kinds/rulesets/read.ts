import { RulesetsError } from "../../../core/model/errors.js";
import {
  entrypointKind,
  isDeclarable,
  parseResourceId,
  parseRuleId,
  phaseResourceId,
  rulesetResourceId,
  type Scope,
  scopeArguments,
} from "../../../core/model/ids.js";
import { rulesetName } from "../../../core/model/names.js";
import type { Listed, ListIn, Place } from "../../engine/listing.js";
import type { Ruleset, RulesetSummary } from "../../../core/model/ruleset.js";
import { Responses, WHOLE_RUN } from "../../engine/reads/responses.js";
import type { Session } from "../../engine/session.js";
import type { RulesetDescription, RulesetState } from "./description.js";
import { refreshState, stateOfUnmanaged, unchanged, withCopies, type Refreshed } from "./refresh.js";

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

/** The ruleset of a resource as this run has just read it, or reads it now. */
export function currentRuleset(
  session: Session,
  id: string,
  state: Partial<RulesetState>,
): Promise<Ruleset | undefined> {
  return currentAt(session, parseRuleId(id)?.ruleset ?? addressOf(id, state));
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

/** Whether a state knows rules of others that no refresh has shown yet, as after a switch from sharing the ruleset. */
function lacksForeignRules({ ownership, ruleIds, deployedRules, foreignRules }: RulesetState): boolean {
  if (ownership === "shared" || foreignRules !== undefined) return false;
  return deployedRules.length > Object.keys(ruleIds).length;
}

/** A ruleset of a place, with the ID of the resource that manages it. */
interface ListedRuleset extends Listed {
  readonly rulesetId: string;
}

/** The entry points of a zone or an account. */
export const listEntrypoints: ListIn = async function* (session, place) {
  for (const summary of await rulesetsIn(session, place))
    if (summary.kind === entrypointKind(place)) yield entrypoint(place, summary);
};

/** Every ruleset of a zone or an account that can be created: custom rulesets, and entry points. */
export const listRulesets: ListIn = async function* (session, place) {
  for (const summary of await rulesetsIn(session, place))
    yield { id: rulesetResourceId(place, summary.id), name: nameIn(place, summary) };
};

/** Every ruleset by the ID of the resource that manages it as a whole: entry points by their phases. */
export async function* listByResource(session: Session, place: Place): AsyncGenerator<ListedRuleset> {
  for (const summary of await rulesetsIn(session, place)) {
    if (summary.kind === "custom") {
      const id = rulesetResourceId(place, summary.id);
      yield { id, name: nameIn(place, summary), rulesetId: summary.id };
    } else yield entrypoint(place, summary);
  }
}

function entrypoint(place: Place, summary: RulesetSummary): ListedRuleset {
  return { id: phaseResourceId(place, summary.phase), name: nameIn(place, summary), rulesetId: summary.id };
}

function nameIn({ name: where }: Place, { kind, name, phase }: RulesetSummary): string {
  return kind === "custom" ? `${where} ${rulesetName({ kind, name, phase })}` : `${where} ${phase}`;
}

/** The rulesets of a place that programs can manage. A zone lists the custom rulesets of its account together with its own. */
async function rulesetsIn(session: Session, place: Place): Promise<readonly RulesetSummary[]> {
  const all = await session.client.rulesets.list({ level: place.level, id: place.id });
  const own = all.filter((ruleset) => isDeclarable(ruleset, place));
  if (place.level === "accounts" || own.every(({ kind }) => kind !== "custom")) return own;
  const { accountId } = place;
  const ofAccount = await session.part(accountRulesets).read(accountId, async () => {
    const list = await session.client.rulesets.list({ level: "accounts", id: accountId });
    return new Set(list.map(({ id }) => id));
  });
  return own.filter(({ id }) => !ofAccount.has(id));
}

/** The IDs of the rulesets of each account, which are listed once in a run. */
const accountRulesets = (): Responses<ReadonlySet<string>> => new Responses(WHOLE_RUN);
