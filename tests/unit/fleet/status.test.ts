import { checkApproval, checkNextWave, checkWait } from "../../../tools/fleet/gates";
import type { ShardPlan } from "../../../tools/fleet/plan";
import type { FleetRecords, GateResult, ShardResult, ShardState } from "../../../tools/fleet/results";
import { statusOf, whyNotYet } from "../../../tools/fleet/status";
import { FLEET_PLAN } from "../../support/fleet-plan";

const entry = (id: string, wave: string) => ({ id, wave, zones: 2, changes: 2, checksum: "" });
const plan = { ...FLEET_PLAN, shards: [entry("s001", "canary"), entry("s002", "rest"), entry("s003", "rest")] };
const result = (id: string, state: ShardState): ShardResult => ({
  version: 1,
  id,
  wave: "",
  state,
  attempts: 1,
  startedAt: "",
  endedAt: "2026-11-26T10:00:00.000Z",
  process: { host: "h", pid: 1 },
});
const records = (
  states: Readonly<Record<string, ShardState>>,
  gates: Readonly<Record<string, GateResult["verdict"]>> = {},
  stopped = false,
): FleetRecords => ({
  results: new Map(Object.entries(states).map(([id, state]) => [id, result(id, state)])),
  gates: new Map(
    Object.entries(gates).map(([wave, verdict]) => [wave, { version: 1, wave, checkedAt: "", verdict, gates: [] }]),
  ),
  approvals: new Map(),
  ...(stopped ? { stop: { version: 1, at: "noon", reason: "because" } } : {}),
});

test.each([
  ["nothing has run", records({}), { kind: "run", wave: "canary", shards: ["s001"] }],
  ["a shard was killed", records({ s001: "running" }), { kind: "run", wave: "canary", shards: ["s001"] }],
  ["the first wave is done", records({ s001: "done" }), { kind: "gate", wave: "canary" }],
  ["its gates wait", records({ s001: "done" }, { canary: "waiting" }), { kind: "gate", wave: "canary" }],
  [
    "its gates passed",
    records({ s001: "done" }, { canary: "passed" }),
    { kind: "run", wave: "rest", shards: ["s002", "s003"] },
  ],
  [
    "all is done",
    records({ s001: "done", s002: "done", s003: "done" }, { canary: "passed", rest: "passed" }),
    { kind: "finished" },
  ],
  [
    "a moved zone stops its shard, not the fleet",
    records({ s001: "moved" }, { canary: "passed" }),
    { kind: "run", wave: "rest", shards: ["s002", "s003"] },
  ],
])("%s", (_, found, next) => {
  expect(statusOf(plan, found).next).toEqual(next);
});

test.each([
  ["a gate says no", records({ s001: "done" }, { canary: "no" }), "a gate of the wave canary does not hold"],
  ["a shard failed and none may", records({ s001: "failed" }), "1 shard failed (s001), and none may"],
  [
    "too many moved",
    records({ s001: "moved", s002: "moved" }, { canary: "passed" }),
    "2 shards had a zone that moved (s001 and s002), and 1 may",
  ],
  ["somebody stopped it", records({}, {}, true), "it was stopped at noon: because"],
  ["a wave was rolled back", records({ s001: "rolled back" }), "the wave canary was rolled back"],
])("stops when %s", (_, found, why) => {
  expect(statusOf(plan, found).next).toMatchObject({ kind: "stopped", why: expect.stringContaining(why) as string });
});

test("a rollback that restored nothing is not called one, and what it left is still there", () => {
  const found = records({ s001: "rolled back" });
  const [one] = found.results.values();
  if (one === undefined) throw new Error("no result");
  const left = [{ urn: "u", zoneId: "", why: "somebody else changed it" }];
  const nothing = { ...found, results: new Map([["s001", { ...one, restored: 0, left }]]) };
  expect(statusOf(plan, nothing).next).toMatchObject({
    why: "the rollback of the wave canary restored nothing; what the plan changed in canary is still there",
  });
});

test.each<readonly [string, FleetRecords, unknown]>([
  ["s001", records({}), undefined],
  ["s002", records({}), "the wave canary before it is not done"],
  ["s002", records({ s001: "done" }), "the gates of the wave canary have not passed"],
  ["s002", records({ s001: "done" }, { canary: "passed" }), undefined],
  ["s001", records({ s001: "failed" }), undefined],
  ...(["rolling back", "rolled back"] as const).flatMap((back) =>
    (["failed", "running"] as const).map((state): [string, FleetRecords, unknown] => [
      "s003",
      records({ s001: "done", s002: back, s003: state }, { canary: "passed" }),
      expect.stringMatching(/^the rollout has stopped: the wave rest (is being|was) rolled back/),
    ]),
  ),
  ["s001", records({ s001: "failed" }, {}, true), "the rollout has stopped: it was stopped at noon: because"],
  [
    "s003",
    records({ s001: "done", s002: "failed" }, { canary: "passed" }),
    "the rollout has stopped: 1 shard failed (s002), and none may",
  ],
])("%s may not run yet: %#", (id, found, why) => {
  expect(whyNotYet(plan, found, id)).toEqual(why);
});

describe("a gate", () => {
  const ended = Date.parse("2026-11-26T10:00:00.000Z");
  const wait = { kind: "wait", seconds: 1800 } as const;

  test("waits from the end of the last shard", () => {
    expect(checkWait(wait, [result("s001", "done")], ended + 600_000)).toMatchObject({
      verdict: "waiting",
      words: "20 minutes to go",
      retryAt: "2026-11-26T10:30:00.000Z",
    });
    expect(checkWait(wait, [result("s001", "done")], ended + 1_800_000).verdict).toBe("passed");
  });

  test("waits for an approval", () => {
    const gate = { kind: "approval", of: "security" } as const;
    const at = { wave: "canary", folder: "fleet-plan" };
    expect(checkApproval(gate, undefined, at)).toMatchObject({
      verdict: "waiting",
      words: expect.stringContaining("fleet approve canary --by <name>") as string,
    });
    const approval = { version: 1, wave: "canary", by: "someone", at: "noon" } as const;
    expect(checkApproval(gate, approval, at)).toMatchObject({
      verdict: "passed",
      words: "approved by someone at noon",
    });
  });

  test.each([
    ["weakened", "unknown", false, "no"],
    ["weakened", "no", true, "passed"],
    ["removed", "no", true, "no"],
    ["drift", "yes", true, "passed"],
  ] as const)("looks for %s in the plans of the next wave: %s, %s is %s", (failOn, weakens, removes, verdict) => {
    const change = { urn: "", zoneId: "", op: "update", writes: [], checksum: "", weakens, removes };
    const next = { id: "s002", changes: [change], drift: false, errors: [] } as unknown as ShardPlan;
    expect(checkNextWave({ kind: "summarize", failOn }, [next], true).verdict).toBe(verdict);
  });

  test("does not pass for a wave that could not be previewed, or whose changes by others nobody has looked for", () => {
    const next = { id: "s002", changes: [], drift: false, errors: ["a failure"] } as unknown as ShardPlan;
    expect(checkNextWave({ kind: "summarize", failOn: "weakened" }, [next], true)).toMatchObject({
      verdict: "unknown",
      words: expect.stringContaining("s002 could not be previewed") as string,
    });
    expect(checkNextWave({ kind: "summarize", failOn: "drift" }, [{ ...next, errors: [] }], false)).toMatchObject({
      verdict: "unknown",
      words: expect.stringContaining("without --refresh") as string,
    });
  });
});
