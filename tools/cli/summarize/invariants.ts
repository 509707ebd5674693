import type { ZoneFacts } from "../zone-facts.js";
import type { NamedInvariant } from "../../../core/invariants/invariant.js";
import { judgeZones, type JudgedZone, type ZoneVerdict } from "../../../core/invariants/judge.js";
import { rulesetsOfStates, type StateOfResource } from "../../../core/invariants/states.js";
import { invariantWords, reasonLines } from "../../../core/invariants/words.js";
import { withFacts, zonesOf } from "../../../core/invariants/zones.js";
import { isCreated, nameOfNewZone } from "../../../core/simulator/unknown-zone.js";
import type { Open } from "../../../core/analysis/index.js";
import { ownType } from "../../../core/model/urn.js";
import { separateDrift } from "./drift-steps.js";
import { leftOut, type Preview } from "./preview.js";
import { statesAfter, statesBefore } from "./states.js";
import type { InvariantChange } from "./summary.js";

/** In which zones a stack violates invariants after a preview, or does not prove them, and whether that was so before. */
export function invariantsOf(
  preview: Preview,
  { invariants, zones: facts, now }: { invariants: readonly NamedInvariant[]; zones: ZoneFacts; now: Date },
): readonly InvariantChange[] {
  const { planned } = separateDrift(preview.steps);
  const open = leftOut(preview) > 0 ? [LEFT_OUT] : [];
  const own = planned.filter(({ urn }) => ownType(urn) !== undefined);
  const judge = (states: readonly StateOfResource[], ids: readonly string[]): readonly ZoneVerdict[] => {
    const rulesets = rulesetsOfStates(states);
    const found = zonesOf(rulesets, { label: "the stack" }).map((zone) =>
      withFacts(zone, facts.get(zone.zone.id ?? "")),
    );
    const known = new Set(found.map(({ zone }) => zone.id));
    // What is removed leaves a zone behind, without rules.
    const left = ids.filter((id) => !known.has(id)).map((id) => withFacts(zoneWithout(id), facts.get(id)));
    const zones = [...found.filter(({ zone }) => zone.id !== undefined || ids.length === 0), ...left];
    const judged = zones.map((zone) => ({ ...zone, open: [...(zone.open ?? []), ...open] }));
    return judgeZones({ invariants, zones: judged, now, isWhole: false }).verdicts;
  };
  const [before, after] = [statesBefore(own), statesAfter(own)];
  if (rulesetsOfStates([...before, ...after]).length === 0) return [];
  const ids = zoneIds([...before, ...after]);
  const old = judge(before, ids);
  return judge(after, ids).flatMap((one): InvariantChange[] => {
    if (one.verdict === "proved") return [];
    const was = old.find(({ invariant, zone }) => invariant === one.invariant && zone.zone.id === one.zone.zone.id);
    return [
      {
        name: one.invariant.name,
        zone: one.zone.label,
        verdict: one.verdict,
        ...(isNew(one.zone.zone.id) ? {} : { before: was?.verdict ?? "proved" }),
        words: invariantWords(one.invariant),
        lines: reasonLines(one),
        ...(one.verdict === "excepted" && one.exception !== undefined
          ? { exception: { until: one.exception.until, reason: one.exception.reason } }
          : {}),
      },
    ];
  });
}

const LEFT_OUT: Open = {
  why: "the preview leaves out resources that do not change, and with them rules",
  decidedBy: "`pulumi preview --json --show-sames`",
};

/** Whether the run that a preview shows creates a zone. */
function isNew(id: string | undefined): boolean {
  return isCreated(id) || nameOfNewZone(id) !== undefined;
}

function zoneWithout(id: string): JudgedZone {
  return { label: `zone ${id}`, zone: { id }, rulesets: [] };
}

function zoneIds(states: readonly StateOfResource[]): readonly string[] {
  return Array.from(new Set(rulesetsOfStates(states).flatMap(({ zoneId }) => zoneId ?? [])));
}
