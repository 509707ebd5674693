import type { Plan } from "../../../language/index.js";
import type { JudgedZone } from "../../../invariants/judge.js";
import type { LoadedRules } from "../source/index.js";
import { withUnknown } from "../source/pair.js";

/** The zones whose rules a source has. A program or a file may have rules of several. */
export function zonesIn(source: LoadedRules, plan: Plan | undefined): readonly JudgedZone[] {
  const { label, zone, notes, rulesets } = source;
  const inputs = rulesets.map((ruleset) => withUnknown(ruleset, label));
  const open = notes.map((why) => ({ why, decidedBy: "a token that may read them" }));
  if (zone !== undefined)
    return [{ label: zone.name ?? label, zone: { ...zone, plan: plan ?? zone.plan }, rulesets: inputs, open }];
  const ids = new Set(inputs.flatMap(({ zoneId }) => zoneId ?? []));
  const accounts = new Set(inputs.flatMap(({ accountId }) => accountId ?? []));
  const several =
    accounts.size > 1
      ? [
          {
            why: `${label} has rules of several accounts, and which of them a zone belongs to is not known`,
            decidedBy: "--zone",
          },
        ]
      : [];
  const zones = ids.size === 0 ? [undefined] : Array.from(ids);
  return zones.map((id) => ({
    label: id === undefined ? label : `zone ${id}`,
    zone: { id, plan },
    rulesets: inputs.filter(({ zoneId }) => zoneId === undefined || zoneId === id),
    open: [...open, ...several],
  }));
}
