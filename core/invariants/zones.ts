import type { Open } from "../analysis/index.js";
import type { Plan } from "../language/index.js";
import type { RulesetInput, ZoneInput } from "../simulator/index.js";
import { isCreated, isSecretPlace, nameOfNewZone } from "../simulator/unknown-zone.js";
import type { JudgedZone } from "./judge.js";

/** Where rulesets come from that may belong to several zones. */
interface RulesetsSource {
  /** In reports, for rulesets without a zone: `the program in infra`. */
  readonly label: string;
  /** Plan of the zones, if it is known. */
  readonly plan?: Plan;
}

/** A zone with its name and plan, where they are known. */
export function withFacts(zone: JudgedZone, facts: Pick<ZoneInput, "name" | "plan"> | undefined): JudgedZone {
  return facts === undefined ? zone : { ...zone, label: facts.name ?? zone.label, zone: { ...zone.zone, ...facts } };
}

/** The zones that rulesets belong to, each with those of its account. */
export function zonesOf(rulesets: readonly RulesetInput[], { label, plan }: RulesetsSource): readonly JudgedZone[] {
  const ids = new Set(rulesets.flatMap(({ zoneId }) => zoneId ?? []));
  const accounts = new Set(rulesets.flatMap(({ accountId }) => accountId ?? []));
  const several: Open = {
    why: `${label} has rules of several accounts, and it is not known which of them a zone belongs to`,
    decidedBy: "judging the zone, with --zone",
  };
  const decidedBy =
    "the `id` of the zone's resource as `zoneId`, mocks where a program runs without the engine, or a preview once it exists";
  const created: Open = {
    why: "the ID of the zone is not known before `pulumi up`, and neither is what else runs there",
    decidedBy,
  };
  const others: Open = {
    why: `${label} has rules of zones whose IDs are not known yet, which may be this zone`,
    decidedBy,
  };
  const secret: Open = {
    why: `${label} has rules of zones whose IDs are secret, so it is not known which rules belong to one zone`,
    decidedBy: "IDs that are not secrets, or judging the zone, with --zone",
  };
  const isDoubtful = ids.size > 1 && Array.from(ids).some(isSecretPlace);
  const isMore = Array.from(ids).some(isCreated);
  const zones = ids.size === 0 ? [undefined] : Array.from(ids);
  return zones.map((id) => {
    const name = nameOfNewZone(id);
    return {
      label: id === undefined ? label : name === undefined ? `zone ${id}` : `the new zone ${name}`,
      zone: { id, plan, ...(name === undefined ? {} : { name }) },
      rulesets: rulesets.filter(({ zoneId }) => zoneId === undefined || zoneId === id),
      open: [
        ...(accounts.size > 1 ? [several] : []),
        ...(isDoubtful ? [secret] : []),
        ...(isCreated(id) ? [created] : []),
      ],
      // A lookup may find any zone.
      ...(isMore && !isCreated(id) ? { mayHaveMore: [others] } : {}),
    };
  });
}
