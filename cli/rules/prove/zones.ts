import type { Plan } from "../../../language/index.js";
import type { JudgedZone } from "../../../invariants/judge.js";
import { zonesOf } from "../../../invariants/zones.js";
import type { LoadedRules } from "../source/index.js";
import { withUnknown } from "../source/unknown-rules.js";

/** The zones whose rules a source has. A program or a file may have rules of several. */
export function zonesIn(source: LoadedRules, plan: Plan | undefined): readonly JudgedZone[] {
  const { label, zone, notes, rulesets: loaded } = source;
  const rulesets = loaded.map((ruleset) => withUnknown(ruleset, label));
  const open = notes.map((why) => ({ why, decidedBy: "a token that may read them" }));
  if (zone === undefined) return zonesOf(rulesets, { label, plan, open });
  return [{ label: zone.name ?? label, zone: { ...zone, plan: plan ?? zone.plan }, rulesets, open }];
}
