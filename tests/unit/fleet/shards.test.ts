import { fc, runs } from "../../support/properties";
import type { FleetDefinition } from "../../../tools/fleet/definition";
import { withoutGone } from "../../../tools/fleet/plan";
import { NO_LOCK, parseLock, shardZones, type FleetLock } from "../../../tools/fleet/shards";
import { selectFleetZones, type FleetZone } from "../../../tools/fleet/zones";

const definition: FleetDefinition = {
  program: ".",
  stacks: { prefix: "fleet-" },
  zones: {},
  shardSize: 10,
  tokens: [{}],
  waves: [
    { name: "canary", share: { kind: "zones", patterns: ["a.example.com"] }, gates: [] },
    { name: "tenth", share: { kind: "percent", percent: 10 }, gates: [] },
    { name: "rest", share: { kind: "rest" }, gates: [] },
  ],
  failures: { failed: { shards: 0 }, moved: { percent: 100 } },
};
const zone = (name: string, accountId = "acc"): FleetZone => ({ id: `id-${name}`, name, plan: "pro", accountId });
const many = (count: number): FleetZone[] =>
  Array.from({ length: count }, (_, index) => zone(`z${String(index)}.example.com`));

test("canaries come first, then a drawn share, then the rest, in shards of the given size", () => {
  const { shards } = shardZones(definition, [zone("a.example.com"), ...many(49)], NO_LOCK);
  expect(shards.map(({ id, wave, zones }) => [id, wave, zones.length])).toEqual([
    ["s001", "canary", 1],
    ["s002", "tenth", 5],
    ["s003", "rest", 10],
    ["s004", "rest", 10],
    ["s005", "rest", 10],
    ["s006", "rest", 10],
    ["s007", "rest", 4],
  ]);
});

test("the zones of a shard have one account, and its token", () => {
  const zones = [...many(3), zone("b.example.com", "other")];
  const tokens = [{ variable: "A", accounts: ["other"] }, {}];
  const { shards } = shardZones({ ...definition, tokens, waves: definition.waves.slice(2) }, zones, NO_LOCK);
  expect(shards.map(({ account, token, zones: members }) => [account, token, members.length])).toEqual([
    ["acc", undefined, 3],
    ["other", "A", 1],
  ]);
});

test("a new zone fills the shard that has room, and moves no other", () => {
  const before = shardZones(definition, many(11), NO_LOCK);
  const after = shardZones(definition, [...many(11), zone("new.example.com")], before.lock);
  for (const [id, { zones }] of Object.entries(before.lock.shards))
    expect(after.lock.shards[id]?.zones).toMatchObject(zones);
  expect(Object.keys(after.lock.shards)).toEqual(Object.keys(before.lock.shards));
});

test("a zone that leaves is named, and has its place until a plan finds nothing left of it", () => {
  const canary = zone("a.example.com");
  const before = shardZones(definition, [canary, ...many(5)], NO_LOCK);
  const { shards, notes, lock } = shardZones(definition, many(5), before.lock);
  const [shard] = shards;
  expect(shard).toMatchObject({ id: "s001", zones: [], left: [{ id: canary.id, name: canary.name }] });
  expect(notes).toEqual(["a.example.com has left the fleet: s001 deletes what it still manages there"]);
  expect(lock).toEqual(before.lock);
  const back = shardZones({ ...definition, waves: definition.waves.slice(1) }, [canary], lock);
  expect(back.shards.filter(({ zones }) => zones.length > 0).map(({ id }) => id)).toEqual(["s001"]);

  const change = {
    urn: "u",
    zoneId: canary.id,
    op: "delete",
    writes: [""],
    checksum: "",
    weakens: "no" as const,
    removes: false,
  };
  const parts = { version: 1 as const, stack: "fleet-s001", folded: [], drift: false, errors: [] };
  const plan = { ...parts, id: "s001", wave: "canary", zones: [], changes: [change] };
  const there = { s001: { zones: { [canary.id]: canary.name } } };
  expect(withoutGone(lock, [plan])).toMatchObject({ shards: there });
  expect(withoutGone(lock, [{ ...plan, changes: [], errors: ["unreachable"] }])).toMatchObject({ shards: there });
  expect(withoutGone(lock, [{ ...plan, changes: [] }]).shards.s001?.zones).toEqual({});
  // In the order of before: `--frozen` compares texts.
  const all = shards.map(({ id, wave, zones }) => ({
    ...parts,
    id,
    wave,
    zones: zones.toReversed(),
    changes: [change],
  }));
  expect(JSON.stringify(withoutGone(lock, all))).toBe(JSON.stringify(lock));
});

test("a zone that a wave names later stays where it is, and that is said", () => {
  const before = shardZones(definition, many(5), NO_LOCK);
  const canary = { name: "canary", share: { kind: "zones" as const, patterns: ["z1.example.com"] }, gates: [] };
  const { lock, notes } = shardZones(
    { ...definition, waves: [canary, ...definition.waves.slice(1)] },
    many(5),
    before.lock,
  );
  expect(lock).toEqual(before.lock);
  expect(notes.join()).toContain("z1.example.com is named by the wave canary and stays in");
});

test("a zone that two waves name is in the first, which is said", () => {
  const canary = (name: string, patterns: readonly string[]) => ({
    ...{ name, share: { kind: "zones" as const, patterns }, gates: [] },
  });
  const waves = [canary("one", ["z1.*", "z2.*"]), canary("two", ["z1.*", "z3.*"]), ...definition.waves.slice(2)];
  const { shards, notes } = shardZones({ ...definition, waves }, many(4), NO_LOCK);
  expect(shards.map(({ zones }) => zones.map(({ name }) => name.slice(0, 2)))).toEqual([["z1", "z2"], ["z3"], ["z0"]]);
  expect(notes).toEqual(["z1.example.com is named by the waves one and two: one comes first and has it"]);
});

test("a percentage that changes counts for new zones only, which is said", () => {
  const { lock, notes } = shardZones(definition, many(20), NO_LOCK);
  expect(notes).toEqual([]);
  const share = (percent: number) => ({ name: "tenth", share: { kind: "percent" as const, percent }, gates: [] });
  const notesFor = (percent: number, count: number) =>
    shardZones({ ...definition, waves: [share(percent), ...definition.waves.slice(2)] }, many(count), lock).notes;
  expect(notesFor(50, 20)).toEqual([
    "the wave tenth has 2 of 20 zones, where 50 % would be 10: all others have a place in other waves, and a zone never moves to another stack",
  ]);
  expect(notesFor(2.5, 20)).toEqual([
    "the wave tenth has 2 of 20 zones, where 2.5 % would be 1: a zone never moves to another stack",
  ]);
  expect(notesFor(50, 40)).toEqual([]);
});

test("a wave that has another name is not its old one, and one without zones asks no gate; both are said", () => {
  const before = shardZones(definition, many(20), NO_LOCK);
  const gates = [{ kind: "wait" as const, seconds: 60 }];
  const tenth = { name: "ten-percent", share: { kind: "percent" as const, percent: 10 }, gates };
  const { shards, notes } = shardZones(
    { ...definition, waves: [tenth, ...definition.waves.slice(2)] },
    many(20),
    before.lock,
  );
  expect(shards[0]).toMatchObject({ id: "s001", wave: "rest" });
  expect(notes).toEqual([
    "s001 was of the wave tenth, which fleet.yaml does not have any more, and now is of the wave rest. If tenth only has another name, write that name in fleet.lock.json as well",
    "the wave ten-percent has 0 of 20 zones, where 10 % would be 2: all others have a place in other waves, and a zone never moves to another stack",
    "the wave ten-percent has no zones, so its gates are not checked",
  ]);
});

test("however zones come and go, none is in two shards, none is missing, and none moves", () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 4 }), (days) => {
      let lock: FleetLock = NO_LOCK;
      const home = new Map<string, string>();
      for (const day of days) {
        const zones = day.map((number) => zone(`z${String(number)}.example.com`));
        const sharding = shardZones(definition, zones, lock);
        const placed = sharding.shards.flatMap(({ id, zones: members }) => members.map((one) => [one.id, id] as const));
        expect(placed.map(([one]) => one).sort()).toEqual(zones.map(({ id }) => id).sort());
        for (const [one, shard] of placed) expect(home.get(one) ?? shard).toBe(shard);
        home.clear();
        for (const [one, shard] of placed) home.set(one, shard);
        for (const { zones: members } of sharding.shards) expect(members.length).toBeLessThanOrEqual(10);
        lock = sharding.lock;
      }
    }),
    { numRuns: runs(50) },
  );
});

test.each([
  [{}, ["a.test", "b.test", "c.test"]],
  [{ include: ["a.*", "id-c.test"] }, ["a.test", "c.test"]],
  [{ exclude: ["b.test"], accounts: ["acc"] }, ["a.test"]],
  [{ plans: ["free" as const] }, []],
])("%j selects %j", (selection, names) => {
  const zones = [zone("a.test"), zone("b.test"), zone("c.test", "other")];
  expect(selectFleetZones(zones, selection).map(({ name }) => name)).toEqual(names);
});

test("a zone that moved to an account with another token stops the plan, and with the same token it stays", () => {
  const rest = { ...definition, waves: definition.waves.slice(2) };
  const { lock } = shardZones(rest, [zone("a.example.com")], NO_LOCK);
  const moved = [zone("a.example.com", "other")];
  expect(shardZones(rest, moved, lock).shards).toMatchObject([{ id: "s001", account: "acc" }]);
  const tokens = [{ variable: "A", accounts: ["other"] }, {}];
  expect(() => shardZones({ ...rest, tokens }, moved, lock)).toThrow(
    "a.example.com of s001 has moved to the account other, which has another token than acc",
  );
});

test.each([
  "",
  "{",
  '{"version":2,"shards":{}}',
  '{"version":1,"shards":{"s001":{"wave":"a"}}}',
  '{"version":1,"shards":{"s001":{"wave":"a","account":"b","zones":[1]}}}',
  "[]",
])("%j is no lock", (text) => {
  expect(parseLock(text)).toBeUndefined();
});
