import type { Program } from "./program.js";
import { requireKnownZones } from "./unknown-zone.js";

const ofZones = new WeakMap<Program, Map<string | undefined, Program>>();

/** The rulesets that see requests of one zone, the same object for every request. */
export function ofZone(program: Program, zone: string | undefined): Program {
  const known = ofZones.get(program) ?? new Map<string | undefined, Program>();
  const found = known.get(zone) ?? selectZone(program, zone);
  ofZones.set(program, known.set(zone, found));
  return found;
}

function selectZone(program: Program, zone: string | undefined): Program {
  const zones = new Set(program.rulesets.flatMap(({ zoneId }) => zoneId ?? []));
  requireKnownZones(zones);
  if (zone === undefined && zones.size > 1) {
    throw new TypeError(`zone is required: the rulesets belong to several zones (${Array.from(zones).join(", ")})`);
  }
  if (zone === undefined) return program;
  return { rulesets: program.rulesets.filter(({ zoneId }) => zoneId === undefined || zoneId === zone) };
}
