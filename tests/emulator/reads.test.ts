import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Emulator } from "../../emulator/index.js";
import { ListItemReads } from "../../provider/engine/reads/list-items.js";
import { AccountListReads } from "../../provider/engine/reads/lists.js";
import { RulesetReads } from "../../provider/engine/reads/rulesets.js";
import type { Scope } from "../../core/model/ids.js";
import type { Ruleset } from "../../core/model/ruleset.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
const OTHER_PHASE = "http_ratelimit";

describe("the reads of a run", () => {
  let emulator: Emulator;
  let service: Service;
  let scope: Scope;
  let ruleset: Ruleset;
  let reads: RulesetReads;
  let time: number;
  beforeEach(async () => {
    emulator = await freshEmulator({
      seed: { zones: [{ name: "example.com" }], rulesets: [{ zone: "example.com", phase: PHASE, rules: [] }] },
    });
    service = new Service(emulator);
    scope = { level: "zones", id: await service.zone() };
    const { rulesets } = clientFor(emulator.url);
    const found = await rulesets.findEntrypoint(scope, PHASE);
    if (found === undefined) throw new Error("the seed has an entry point");
    ruleset = found;
    time = 0;
    reads = new RulesetReads(() => rulesets, { now: () => time });
    await service.forget();
  });
  const list = () => `GET /zones/${scope.id}/rulesets`;

  test("are reused for thirty seconds", async () => {
    const get = `${list()}/${ruleset.id}`;
    await reads.byId(scope, ruleset.id);
    time += 29_999;
    await reads.byId(scope, ruleset.id);
    expect(await service.requests()).toEqual([get]);
    time += 2;
    await reads.byId(scope, ruleset.id);
    expect(await service.requests()).toEqual([get]);
  });
  test("age from the time of the response, and are shared until it arrives", async () => {
    const slow = reads.list(scope);
    time += 120_000;
    await Promise.all([slow, reads.list(scope)]);
    time += 29_999;
    await reads.list(scope);
    expect(await service.requests()).toEqual([list()]);
  });
  test("of a list are reused for ten minutes by a refresh, and for the whole run as a hint", async () => {
    const recorded = { rulesetId: ruleset.id, version: ruleset.version };
    expect(await reads.isUnchanged(scope, recorded)).toBe(true);
    time += 599_999;
    expect(await reads.isUnchanged(scope, { ...recorded, version: "0" })).toBe(false);
    time += 600_000;
    await reads.listOfRun(scope);
    expect(await service.requests()).toEqual([list()]);
    await reads.isUnchanged(scope, recorded);
    expect(await service.requests()).toEqual([list()]);
  });
  test.each(["write", "read"])("of rulesets do not stay in memory once a %s finds them outdated", async (next) => {
    const stored = Array.from({ length: 3 }, (_each, index) => {
      const response = { ...ruleset, id: String(index).repeat(32), kind: "custom" };
      reads.store(scope, response);
      return new WeakRef(response);
    });
    time += 30_000;
    if (next === "write") reads.store(scope, ruleset);
    else await reads.byId(scope, ruleset.id);
    // References that a test has read stay alive until the next turn of the event loop.
    await new Promise(setImmediate);
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    expect(stored.map((one) => one.deref())).toEqual([undefined, undefined, undefined]);
  });
  test("take no entry point for missing because a list does not show it", async () => {
    await service.fault({
      ...{ method: "GET", path: `${list().slice(4)}$`, status: 200 },
      body: { success: true, result: [], errors: [], messages: [] },
    });
    await reads.list(scope);
    expect((await reads.entrypoint(scope, PHASE))?.id).toBe(ruleset.id);
    expect(await reads.entrypoint(scope, OTHER_PHASE)).toBeUndefined();
    await reads.entrypoint(scope, OTHER_PHASE);
    expect(await service.requests()).toEqual([
      list(),
      `${list()}/phases/${PHASE}/entrypoint`,
      `${list()}/phases/${OTHER_PHASE}/entrypoint`,
    ]);
  });
  test("of a list contain no rules after a write", async () => {
    await reads.list(scope);
    reads.store(scope, ruleset);
    const listed = (await reads.list(scope)).find(({ id }) => id === ruleset.id);
    expect(listed?.version).toBe(ruleset.version);
    expect(listed).not.toHaveProperty("rules");
  });
  test("are shared by concurrent callers", async () => {
    await Promise.all([reads.list(scope), reads.list(scope), reads.list(scope)]);
    expect(await service.requests()).toEqual([list()]);
  });
  test("are repeated after a failure", async () => {
    await service.fault({ method: "GET", path: "/rulesets$", status: 403 });
    await expect(reads.list(scope)).rejects.toThrow("403");
    await reads.list(scope);
    expect(await service.requests()).toEqual([list(), list()]);
  });
  test("are updated by writes, in the list too", async () => {
    const before = (await reads.list(scope)).map(({ id }) => id);
    reads.store(scope, { ...ruleset, id: "new", phase: OTHER_PHASE });
    expect((await reads.list(scope)).map(({ id }) => id)).toEqual([...before, "new"]);
    expect((await reads.entrypoint(scope, OTHER_PHASE))?.id).toBe("new");
    expect(await service.requests()).toEqual([list()]);
    reads.forget(scope, OTHER_PHASE, "new");
    await reads.list(scope);
    expect(await service.requests()).toEqual([list()]);
  });
});

describe("the items of lists that are read by name", () => {
  let emulator: Emulator;
  let service: Service;
  let accountId: string;
  beforeEach(async () => {
    const office = { name: "office", kind: "ip", items: [{ ip: "192.0.2.7" }] } as const;
    emulator = await freshEmulator({ seed: { zones: [{ name: "example.com" }], lists: [office] } });
    service = new Service(emulator);
    accountId = await service.account();
  });
  const read = async (names: readonly string[], created?: readonly string[]) => {
    const { lists } = clientFor(emulator.url);
    const found = await new ListItemReads(new AccountListReads(() => lists), () => lists).read(
      accountId,
      names,
      created,
    );
    return [[...found.lists.keys()], found.notRead, found.isForbidden];
  };

  test("leave out those that do not exist", async () => {
    expect(await read(["office", "other"])).toEqual([["office"], [], undefined]);
  });

  test("are not known where the service lists none at all, unless this run creates the list", async () => {
    const body = { success: true, result: [], errors: [], messages: [] };
    await service.fault({ method: "GET", path: "/rules/lists$", status: 200, body, times: 9 });
    const why =
      "could not be read: the service lists no list of the account: there is none, or the credentials may not read any";
    expect(await read(["office", "other"])).toEqual([[], [`the items of $office and $other ${why}`], undefined]);
    expect(await read(["office", "other"], ["other"])).toEqual([[], [`the items of $office ${why}`], undefined]);
    expect(await read(["other"], ["other"])).toEqual([[], [], undefined]);
  });
});
