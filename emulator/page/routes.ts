import type { Call, Owner } from "../call.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import type { StoredRulesets } from "../rulesets/stored.js";
import type { Ruleset } from "../rulesets/model.js";
import { noSeed } from "../seed-part.js";
import type { Zone } from "../zones/model.js";

/** What the page of the emulator shows of zones. It asks the controls, so that the log has only requests of others. */
export const page: GroupDefinition = {
  seed: noSeed,
  build: ({ store, storedRulesets }) => {
    const zoneOf = ({ params }: Call): Zone => {
      const zone = store.zones.get("", params.zone ?? "");
      if (zone === undefined) throw refuse(404, undefined, `there is no zone ${params.zone ?? ""}`);
      return zone;
    };
    return {
      routes: [],
      controls: [
        ["GET", "/zones", () => store.zones.in("").map((zone) => summaryOf(zone, storedRulesets))],
        ["GET", "/zones/:zone/rulesets", (call) => rulesetsOf(zoneOf(call), storedRulesets)],
      ],
    };
  },
};

/** A zone, and a text that changes with its rules. */
function summaryOf(zone: Zone, stored: StoredRulesets): object {
  const { id, name, plan, account } = zone;
  const state = ownersOf(zone)
    .flatMap((owner) => stored.in(owner))
    .map((ruleset) => `${ruleset.id}:${ruleset.version}`);
  return { id, name, plan, account: account.name, rulesets: state.length, state: state.join() };
}

/** The rulesets that may run for requests to a zone, the account's first, each with its versions, the newest first. */
function rulesetsOf(zone: Zone, stored: StoredRulesets): readonly object[] {
  return ownersOf(zone).flatMap((owner) =>
    stored
      .in(owner)
      .map((ruleset) => ({ level: owner.level === "zones" ? "zone" : "account", ...shown(ruleset, stored) })),
  );
}

function shown(ruleset: Ruleset, stored: StoredRulesets): object {
  const { id, name, kind, phase, version } = ruleset;
  return { id, name, kind, phase, version, versions: stored.versionsOf(ruleset).toReversed() };
}

function ownersOf({ id, account }: Zone): readonly Owner[] {
  return [
    { level: "accounts", id: account.id },
    { level: "zones", id },
  ];
}
