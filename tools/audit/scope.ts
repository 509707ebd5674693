import { reachOf, type Reach } from "../../core/analysis/index.js";
import { PLANS, type FindingCode } from "../../core/language/index.js";
import type { DeployedRule, Ruleset } from "../../client/index.js";
import { phaseResourceId, ruleResourceId, rulesetResourceId } from "../../core/model/ids.js";
import { expiryOf } from "../../core/rules/written/expiry.js";
import { lockedRuleset, type LockedRuleset } from "../../core/managed/lock.js";
import { managedRulesetName } from "../../core/managed/rulesets.js";
import type { ZoneInput } from "../../core/simulator/index.js";
import { executedRulesetIds, type Facts, type FoundAccount, type FoundZone } from "./facts.js";
import type { Hide } from "./hide.js";
import type { Where } from "./report.js";

/** What every part of an audit needs to know. */
export interface Context extends Pick<Facts, "managed"> {
  readonly hide: Hide;
  /** What rules can name in the managed rulesets that were read. */
  readonly named: ReadonlyMap<string, LockedRuleset>;
  /** When the rules were read: seconds since 1970. */
  readonly now: number;
  /** For how many days before its end a rule is reported. */
  readonly expiryWarningDays: number;
  /** IDs of the custom rulesets; any other executed ruleset is a managed one. */
  readonly custom: ReadonlySet<string>;
  /** The display name of a ruleset. */
  readonly nameOf: (rulesetId: string) => string;
  /** Whether a rule executes a custom ruleset; undefined if that could be a rule that was not read. */
  readonly isExecuted: (ruleset: Ruleset, found: FoundAccount | FoundZone) => boolean | undefined;
  /** The zones that rules of an account apply to. */
  readonly zonesOf: (accountId: string) => readonly FoundZone[];
  /** Which requests of a zone a rule applies to. */
  readonly reach: (rule: DeployedRule, phase: string, zone: FoundZone) => Reach;
}

/** @param isWhole whether every zone of the accounts was read */
export function makeContext(
  facts: Facts,
  {
    isWhole,
    hide,
    now,
    expiryWarningDays,
  }: Pick<Context, "hide" | "now" | "expiryWarningDays"> & {
    readonly isWhole: boolean;
  },
): Context {
  const { zones, accounts, managed } = facts;
  const everywhere = [...accounts, ...zones];
  const executed = new Set(
    everywhere.flatMap(({ rulesets }) =>
      rulesets.flatMap(({ rules }) => executedRulesetIds(rules.filter(({ enabled }) => enabled !== false))),
    ),
  );
  const names = new Map(
    [...everywhere.flatMap(({ rulesets }) => rulesets), ...managed.values()].map(({ id, name }) => [id, name]),
  );
  const closed = new Set(accounts.flatMap(({ id, closed: reason }) => (reason === undefined ? [] : [id])));
  const known = new Map<string, Reach>();
  return {
    hide,
    managed,
    named: new Map([...managed].map(([id, ruleset]) => [id, lockedRuleset(ruleset)])),
    now,
    expiryWarningDays,
    custom: new Set(
      everywhere.flatMap(({ rulesets, unread }) => [
        ...rulesets.flatMap(({ id, kind }) => (kind === "custom" ? [id] : [])),
        ...unread.map(({ id }) => id),
      ]),
    ),
    nameOf: (id) => names.get(id) ?? managedRulesetName(id) ?? `ruleset ${id}`,
    isExecuted: ({ id, kind }, found) => {
      if (kind !== "custom" || executed.has(id)) return true;
      // A zone's list includes the rulesets of its account.
      const isKnown = found.level === "account" ? isWhole : !closed.has(found.accountId);
      return isKnown ? false : undefined;
    },
    zonesOf: (accountId) => zones.filter((zone) => zone.accountId === accountId),
    reach: ({ expression }, phase, zone) => {
      if (expression === undefined || expression === "true") return "every";
      if (expiryOf({ expression }, now, 0) !== undefined) return "none";
      // An expression without zone fields has the same result for every zone.
      const about = /\bcf\.zone\./.test(expression) ? knownOf(zone) : {};
      const key = JSON.stringify([phase, expression, about]);
      const found = known.get(key) ?? reachOf({ expression, phase, zone: about });
      known.set(key, found);
      return found;
    },
  };
}

function knownOf({ name, plan }: FoundZone): ZoneInput {
  return { name, plan: PLANS.find((one) => one === plan) };
}

/** An account is identified by its ID if the service does not return its name. */
export function whereOf({ level, id, name }: FoundAccount | FoundZone): Where {
  return { level, id, name: level === "account" && name === "" ? id : name };
}

type Place = Pick<Ruleset, "kind" | "phase" | "id">;

/** The key that identifies a finding across runs. */
export function findingKey(where: Where, ruleset: Place, code: FindingCode, ref?: string): string {
  const key = rulesetKey(where, ruleset);
  return `${ref === undefined ? key : ruleResourceId(key, ref)}/${code}`;
}

/** An entry point is identified by its phase, so it keeps its key when it is recreated. */
function rulesetKey({ level, id }: Where, { kind, phase, id: rulesetId }: Place): string {
  const scope = { level: level === "zone" ? "zones" : "accounts", id } as const;
  return kind === "custom" ? rulesetResourceId(scope, rulesetId) : phaseResourceId(scope, phase);
}

/** The description of a rule; empty if it says nothing. */
export function descriptionOf({ description = "" }: Pick<DeployedRule, "description">): string {
  return description.trim();
}
