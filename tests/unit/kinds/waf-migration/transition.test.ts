import { phaseOf } from "../../../../core/previous-waf/phase.js";
import {
  decideStep,
  isReached,
  pollSeconds,
  READS_BEFORE_SENDING,
} from "../../../../provider/kinds/waf-migration/transition.js";
import type { MigrationMode, MigrationPhase } from "../../../../core/model/migration.js";

type Attempt = "none" | "unsure" | "looked" | "applied";
const OBSERVED = {
  none: { reads: 0 },
  unsure: { attempt: "unsure", reads: 0 },
  looked: { attempt: "unsure", reads: READS_BEFORE_SENDING },
  applied: { attempt: "applied", reads: 0 },
} as const;

/** Every phase, goal, content of the entry point, and attempt, with the action: the whole state machine. */
const TABLE: [MigrationPhase, MigrationMode, holds: boolean, Attempt, string][] = [];
const row = (phase: MigrationPhase, goal: MigrationMode, decisions: Record<string, string>): void => {
  for (const holds of [false, true]) {
    for (const attempt of ["none", "unsure", "looked", "applied"] as const) {
      const decision =
        decisions[`${holds ? "holds" : "differs"}, ${attempt}`] ?? decisions[attempt] ?? decisions.always;
      TABLE.push([phase, goal, holds, attempt, decision ?? "missing in the table"]);
    }
  }
};
row("notStarted", "validation", {
  none: "advance validation",
  unsure: "look",
  looked: "advance validation",
  applied: "wait",
});
row("notStarted", "pending", { none: "advance pending", unsure: "look", looked: "advance pending", applied: "wait" });
row("validation", "pending", { none: "advance pending", unsure: "look", looked: "advance pending", applied: "wait" });
row("validation", "validation", {
  ...Object.fromEntries(["none", "unsure", "looked"].map((attempt) => [`differs, ${attempt}`, "save"])),
  always: "done",
});
row("finishing", "validation", { always: "done" });
row("finishing", "pending", { always: "wait" });
row("finished", "validation", { always: "done" });
row("finished", "pending", { always: "done" });

test.each(TABLE)("%s, wanted %s, entry point holds it: %s, attempt %s: %s", (phase, goal, holds, attempt, expected) => {
  const decision = decideStep({ phase, isApplied: holds, ...OBSERVED[attempt] }, goal);
  expect("mode" in decision ? `${decision.kind} ${decision.mode}` : decision.kind).toBe(expected);
});

test("nothing is ever sent to a zone that is finishing or finished", () => {
  const sent = TABLE.filter(([phase, , , , what]) => /advance|save/.test(what) && /^finish/.test(phase));
  expect([TABLE.length, sent]).toEqual([64, []]);
});

test.each<[string, string, string, MigrationPhase]>([
  ["start", "enabled", "disabled", "notStarted"],
  ["default", "enabled", "disabled", "notStarted"],
  ["", "enabled", "disabled", "notStarted"],
  ["start", "disabled", "disabled", "notStarted"],
  ["", "", "", "notStarted"],
  ["validation", "enabled", "enabled", "validation"],
  ["Validation", "", "", "validation"],
  ["complete", "disabled", "enabled", "finished"],
  ["complete", "", "", "finished"],
  ["done", "disabled", "enabled", "finished"],
  ["start", "disabled", "enabled", "finished"],
  ["start", "enabled", "enabled", "finishing"],
  ["pending", "enabled", "enabled", "finishing"],
  ["something new", "enabled", "disabled", "finishing"],
  ["something new", "", "", "finishing"],
])("state %j with old %j and new %j is %s", (migrationState, previousWaf, newWaf, phase) => {
  expect(phaseOf({ migrationState, previousWaf, newWaf })).toBe(phase);
});

test("reports what has been reached", () => {
  const reached = (["notStarted", "validation", "finishing", "finished"] as const).map((phase) => [
    isReached(phase, "validation"),
    isReached(phase, "pending"),
  ]);
  expect(reached).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [true, true],
  ]);
});

test("intervals between checks grow from 5 to 60 seconds", () => {
  expect([0, 1, 2, 3, 6, 7, 50].map(pollSeconds)).toEqual([5, 8, 11, 17, 57, 60, 60]);
});
