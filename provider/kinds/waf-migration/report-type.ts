import { objectType } from "../../engine/named-type.js";
import type { MigrationReport } from "../../previous-waf/readiness/report.js";

const LINES = { list: "string" } as const;

export const REPORT = objectType<MigrationReport>(
  "MigrationReport",
  "A zone's migration as text for a security engineer: each list in order, each entry one line or more.",
  {
    zone: { type: "string", text: "The zone's name and ID.", required: true },
    plan: { type: "string", text: "The zone's plan.", required: true },
    standing: { type: "string", text: "The phase of the zone.", required: true },
    obstacles: { type: LINES, text: "What must be done before it can be migrated, and how.", required: true },
    writes: { type: LINES, text: "The rules that will be written, in order.", required: true },
    carriedOver: { type: LINES, text: "What the previous settings become.", required: true },
    notCarriedOver: { type: LINES, text: "What is lost unless it is declared again.", required: true },
    differences: { type: LINES, text: "Where the service differs from its documentation." },
    existing: { type: LINES, text: "Rules of the entry point that the result does not contain.", required: true },
    beforeTheFinish: { type: LINES, text: "What to check in this zone before the step that cannot be undone." },
    preparations: { type: LINES, text: "What to do before that step in every zone." },
    afterwards: { type: LINES, text: "What is different afterwards, in every zone.", required: true },
    tools: { type: LINES, text: "Tools that stop working, by version, and what replaces them; in every zone." },
    rollout: { type: LINES, text: "When the phases of the rollout began." },
  },
);
