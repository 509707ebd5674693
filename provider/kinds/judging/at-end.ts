import { createRequire } from "node:module";
import type { AtEnd } from "../../engine/kind-parts.js";

const load = createRequire(__filename);
const loadInvariants = () => load("./invariants/at-end.js") as typeof import("./invariants/at-end.js");

/** What must hold in zones with everything that the program declares. */
export const atEnd: AtEnd = {
  isNeeded: (session) => session.invariants.length > 0,
  ofWholePreview: async (session, warn) => {
    if (session.invariants.length > 0) await loadInvariants().requireInvariants(session, warn);
  },
  ofWholeUpdate: async (session) => {
    if (session.invariants.length > 0) await loadInvariants().requireOpenZones(session);
  },
  ofRun: async (session, isPreview) => {
    if (session.invariants.length > 0 && isPreview) await loadInvariants().reportOpenZones(session);
  },
  waitsFor: async (session) => (session.invariants.length > 0 ? loadInvariants().zonesWaitFor(session) : undefined),
  beforeDelete: async (session, resource) => {
    if (session.invariants.length > 0) await loadInvariants().requireInvariantsWithout(session, resource);
  },
};
