import { createRequire } from "node:module";
import type { AtEnd } from "../../engine/kind-parts.js";
import type { Session } from "../../engine/session.js";
import { checkedAtEnd } from "./managed/checked.js";

const load = createRequire(__filename);
const loadInvariants = () => load("./invariants/at-end.js") as typeof import("./invariants/at-end.js");
const loadManaged = () => load("./managed/check.js") as typeof import("./managed/check.js");

/** What must hold in zones with everything that the program declares, and the lock file of managed rules. */
export const atEnd: AtEnd = {
  isNeeded: (session) => session.invariants.length > 0 || hasManaged(session),
  ofWholePreview: async (session, warn) => {
    if (hasManaged(session)) await loadManaged().reportManagedLock(session);
    if (session.invariants.length > 0) await loadInvariants().requireInvariants(session, warn);
  },
  ofWholeUpdate: async (session) => {
    if (session.invariants.length > 0) await loadInvariants().requireOpenZones(session);
  },
  ofRun: async (session, isPreview) => {
    if (session.invariants.length > 0 && isPreview) await loadInvariants().reportOpenZones(session);
    if (hasManaged(session)) await loadManaged().reportManagedLock(session);
  },
  waitsFor: async (session) => (session.invariants.length > 0 ? loadInvariants().zonesWaitFor(session) : undefined),
  beforeDelete: async (session, resource) => {
    if (session.invariants.length > 0) await loadInvariants().requireInvariantsWithout(session, resource);
  },
};

function hasManaged(session: Session): boolean {
  return session.part(checkedAtEnd).size > 0;
}
