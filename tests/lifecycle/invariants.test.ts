import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { requireInvariants, requireOpenZones } from "../../provider/kinds/judging/invariants/at-end.js";
import { newZoneFrom, textOfZone } from "../../provider/engine/new-zones.js";
import { textsOfNewZones } from "../../provider/engine/metadata.js";
import { ZONE } from "../../provider/engine/predecessors.js";
import { declaredLists } from "../../provider/engine/declared-lists.js";
import { messageOf } from "../../provider/model/errors.js";
import { UNKNOWN } from "../../provider/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { secret } from "./at-the-border.js";
import { IS_PLUGIN } from "./front-ends.js";
import { startService } from "./harness.js";
import { ManagedResource, urnOf } from "./managed.js";

const phase = "http_request_firewall_custom";
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const closed = { ref: "admin", action: "block", expression: ADMIN };
const narrow = { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' };
const office = {
  ref: "office",
  action: "skip",
  expression: "ip.src eq 192.0.2.7",
  actionParameters: { ruleset: "current" },
};
const rewrite = {
  ...{ ref: "old", action: "rewrite", expression: 'http.request.uri.path eq "/old"' },
  actionParameters: { uri: { path: { value: "/new" } } },
};

const EMPTY_STACK = { readStack: () => Promise.resolve([]) };

describe("invariants in previews", () => {
  const folder = mkdtempSync(join(tmpdir(), "invariants-"));
  const file = join(folder, "zones.invariants.yaml");
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  const resource = (
    type: string,
    name: string,
    settings: ManagedResource<unknown>["settings"] = {},
  ): ManagedResource<unknown> => {
    const made = new ManagedResource<unknown>(type, service, urnOf(type, name));
    made.settings = { invariants: file, ...settings };
    return made;
  };
  const list = (rules: readonly object[], more: object = {}): object => ({ zoneId, phase, rules, ...more });
  beforeAll(() => {
    writeFileSync(file, `invariants: [{ name: admin is closed, requests: '${ADMIN}', must: be-stopped }]\n`);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    ({ emulator, service } = await startService());
    zoneId = await service.zone("pro");
  });
  afterEach(() => emulator.close());
  const VIOLATED =
    /with this change, the invariant "admin is closed" is violated in pro\.example\.com:\n.*\n {2}GET https:/;

  test.each([
    ["zones", /lists no ruleset of zone \w+, not even those of Cloudflare/],
    ["accounts", /is not proved in [^]*the rulesets of the account \w+ could not be read/],
  ])("are not judged without the rulesets of %s where the service lists none at all", async (level, said) => {
    await service.fault({
      ...{ method: "GET", path: `/${level}/[0-9a-f]{32}/rulesets$`, status: 200, times: 9 },
      body: { success: true, result: [], errors: [], messages: [] },
    });
    const found = resource("PhaseEntrypoint", "waf").preview(list([closed]));
    expect(await found.then(({ warnings }) => warnings.join(), String)).toMatch(said);
  });

  test("a change that violates one fails before anything is written, with a request", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed]));
    await service.forget();
    await expect(waf.preview(list([narrow]))).rejects.toThrow(VIOLATED);
    await expect(waf.up(list([narrow]))).rejects.toThrow(VIOLATED);
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("a rule in front of a block is a violation, in the same list or as a single rule", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed], { ownership: "shared" }));
    await expect(waf.preview(list([office, closed], { ownership: "shared" }))).rejects.toThrow(VIOLATED);
    const { ref: _, ...rule } = office;
    const single = resource("RulesetRule", "office");
    await expect(single.preview({ zoneId, phase, ...rule, position: { index: 1 } })).rejects.toThrow(VIOLATED);
    for (const before of ["admin", ""])
      await expect(single.preview({ zoneId, phase, ...rule, position: { before } })).rejects.toThrow(VIOLATED);
    expect((await single.preview({ zoneId, phase, ...rule, position: { after: "admin" } })).warnings).toEqual([]);
    expect((await single.preview({ zoneId, phase, ...rule })).warnings).toEqual([]);
  });

  test("a rule that leaves a shared list is a violation", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed, office], { ownership: "shared" }));
    await expect(waf.preview(list([office], { ownership: "shared" }))).rejects.toThrow(VIOLATED);
  });

  test("rulesets of other phases and of the account count", async () => {
    const account = await service.account();
    const custom = await service.create(`accounts/${account}`, { name: "a", kind: "custom", phase, rules: [closed] });
    await service.create(`accounts/${account}`, {
      ...{ name: "default", kind: "root", phase },
      rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
    });
    const waf = resource("PhaseEntrypoint", "waf");
    expect((await waf.preview(list([narrow], { zoneId: await service.zone("enterprise") }))).warnings).toEqual([]);
    expect((await waf.preview(list([narrow]))).warnings).toContainEqual(expect.stringContaining("is violated"));
  });

  test("rules of an account are judged in every zone that an invariant is about, together", async () => {
    const accountId = await service.account();
    const custom = await service.create(`accounts/${accountId}`, { name: "a", kind: "custom", phase, rules: [closed] });
    const executing = {
      ...{ ref: "all", action: "execute", expression: 'cf.zone.plan eq "ENT"' },
      actionParameters: { id: custom.id },
    };
    const root = (...rules: readonly object[]): object => ({ accountId, phase, rules });
    const some = join(folder, "some.yaml");
    const about = "{ plan: enterprise }";
    writeFileSync(some, `invariants: [{ name: admin, zones: ${about}, requests: '${ADMIN}', must: block }]\n`);
    const account = resource("PhaseEntrypoint", "account", { invariants: some });
    await account.up(root(executing));
    await service.forget();
    await expect(account.preview(root())).rejects.toThrow(
      /with this change, the invariant "admin" is violated in enterprise\.example\.com:/,
    );
    const lists = (await service.requests()).filter((request) => /^GET \/zones\/\w+\/rulesets$/.test(request));
    expect(lists).toEqual([`GET /zones/${await service.zone("enterprise")}/rulesets`]);
    // Zones that the credentials may not see are no answer.
    await service.fault({
      ...{ method: "GET", path: "^/zones$", status: 200, times: 9 },
      body: { success: true, result: [], errors: [], messages: [] },
    });
    const unseen = new RegExp(
      `invariants are not judged, because the service lists no zone of the account ${accountId}: there is none, or .*: warn`,
    );
    await expect(account.preview(root())).rejects.toThrow(unseen);
    account.settings = { ...account.settings, invariantsUnknown: "warn" };
    expect((await account.preview(root())).warnings).toContainEqual(expect.stringMatching(unseen));
    account.settings = { ...account.settings, invariantsUnknown: "fail" };
    await service.noFaults();
    account.settings = { ...account.settings, invariants: file };
    expect((await account.preview(root(executing))).warnings).toEqual([
      expect.stringMatching(/is violated in \w+\.example\.com, .*\.example\.com, also without this resource:/),
    ]);
  });

  test("what a zone violates anyway is a warning, once, and later resources count", async () => {
    const redirects = resource("PhaseEntrypoint", "redirects");
    const args = { zoneId, phase: "http_request_transform", rules: [] };
    const { warnings } = await redirects.preview(args);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the invariant "admin is closed" is violated in pro\.example\.com, also without this resource:\n/,
      ),
    ]);
    const waf = resource("PhaseEntrypoint", "waf");
    expect((await waf.preview(list([closed]))).warnings).toEqual([]);
  });

  test("an exception that has expired is named with what it no longer allows", async () => {
    const until = (year: number): string => {
      const path = join(folder, `${String(year)}.yaml`);
      const except = `[{ zone: pro.example.com, until: ${String(year)}-01-31, reason: closed soon }]`;
      writeFileSync(path, `invariants: [{ name: admin, requests: '${ADMIN}', must: block, except: ${except} }]\n`);
      return path;
    };
    const waf = resource("PhaseEntrypoint", "waf", { invariants: until(2999) });
    await waf.up(list([closed]));
    expect((await waf.preview(list([narrow]))).warnings).not.toContainEqual(expect.stringContaining("violated"));
    const expired = resource("PhaseEntrypoint", "waf", { invariants: until(2020) });
    await expired.up(list([closed]));
    await expect(expired.preview(list([narrow]))).rejects.toThrow(
      /is violated in pro\.example\.com:[^]*the exception for pro\.example\.com has expired: its last day was 2020-01-31/,
    );
  });

  test("what is not known yet is judged by `up`", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed]));
    const { warnings } = await waf.preview(list([{ ...closed, expression: UNKNOWN }]));
    expect(warnings).toContainEqual(expect.stringContaining("is not proved in pro.example.com yet"));
    await expect(waf.up(list([narrow]))).rejects.toThrow(VIOLATED);
  });

  test("what cannot be decided fails, unless the settings say otherwise", async () => {
    const rules = [{ ...closed, expression: `${ADMIN} and not ip.src in $cf.anonymizer` }];
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed]));
    await expect(waf.preview(list(rules))).rejects.toThrow("with this change, the invariant");
    waf.settings = { ...waf.settings, invariantsUnknown: "warn" };
    expect((await waf.preview(list(rules))).warnings).toContainEqual(expect.stringContaining("is not proved"));
  });

  describe("about lists", () => {
    const rules = [{ ...closed, expression: `${ADMIN} and not ip.src in $office` }];
    const narrowed = join(folder, "office.invariants.yaml");
    const fromOffice = `${ADMIN} and not ip.src in {192.0.2.0/24}`;
    let accountId: string;
    let offices: ManagedResource<unknown>;
    let waf: ManagedResource<unknown>;
    beforeEach(async () => {
      writeFileSync(narrowed, `invariants: [{ name: admin is closed, requests: '${fromOffice}', must: be-stopped }]\n`);
      accountId = await service.account();
      offices = resource("RulesList", "list", { invariants: narrowed });
      waf = resource("PhaseEntrypoint", "waf", { invariants: narrowed });
    });
    const items = (...values: unknown[]) => ({ accountId, name: "office", kind: "ip", items: values });
    const storeList = async (...values: string[]): Promise<void> => {
      const lists = `/accounts/${accountId}/rules/lists`;
      const { id } = await service.ask<{ id: string }>("POST", lists, { name: "office", kind: "ip" });
      await service.ask(
        "POST",
        `${lists}/${id}/items`,
        values.map((ip) => ({ ip })),
      );
      await service.advanceClock(60);
    };
    /** A run that checks some resources, in this order. */
    const preview = async (...checks: readonly [ManagedResource<unknown>, object][]) => {
      const [[first] = []] = checks;
      first?.start(EMPTY_STACK);
      for (const [one, args] of checks) {
        one.session = (first ?? one).session;
        await one.plan(args, true);
      }
    };

    test("items of lists that the program does not declare are read once, and decide", async () => {
      await storeList("192.0.2.0/24", "192.0.2.7");
      const other = resource("PhaseEntrypoint", "other", { invariants: narrowed });
      await service.forget();
      await preview([waf, list(rules)], [other, { zoneId, phase: "http_request_transform", rules: [] }]);
      expect(waf.warnings).toEqual([]);
      const requests = (await service.requests()).filter((one) => one.includes("/rules/lists"));
      expect(requests.map((one) => one.replaceAll(/[0-9a-f]{32}/g, "<id>"))).toEqual([
        "GET /accounts/<id>/rules/lists",
        "GET /accounts/<id>/rules/lists/<id>/items",
      ]);
    });

    test("a rule that lets everybody in such a list past is a violation", async () => {
      await storeList("192.0.2.0/24", "198.51.100.7");
      await expect(preview([waf, list(rules)])).resolves.toBeUndefined();
      expect(waf.warnings).toContainEqual(expect.stringContaining("violated"));
      await waf.up(list([{ ...closed, expression: fromOffice }]));
      await expect(preview([waf, list(rules)])).rejects.toThrow(
        /is violated in .*\n.*\n {2}GET .* from 198\.51\.100\.7/,
      );
    });

    test("lists that cannot be read are named, and what depends on them is not proved", async () => {
      await storeList("192.0.2.0/24");
      await service.fault({ path: "/rules/lists", status: 403, times: 9 });
      const undecided = /is not proved in [^]*\n {2}the items of \$office could not be read: GET .*403/;
      await expect(preview([waf, list(rules)])).rejects.toThrow(undecided);
      const named = join(folder, "named.invariants.yaml");
      const requests = `${ADMIN} and not ip.src in $office`;
      writeFileSync(named, `invariants: [{ name: admin is closed, requests: '${requests}', must: be-stopped }]\n`);
      waf.settings = { ...waf.settings, invariants: named };
      await service.fault({ path: "/rules/lists", status: 403, times: 9 });
      await expect(preview([waf, list(rules)])).resolves.toBeUndefined();
    });

    test("lists are not known where the service lists none at all", async () => {
      await storeList("192.0.2.0/24");
      // The rules of the stack use the list, so no other check asks for it.
      const seen = {
        ref: "seen",
        action: "managed_challenge",
        expression: 'http.host eq "x.pro.example.com" and ip.src in $office',
      };
      await waf.up(list([{ ...closed, expression: fromOffice }, seen]));
      const body = { success: true, result: [], errors: [], messages: [] };
      await service.fault({ path: "/rules/lists$", status: 200, body, times: 9 });
      await expect(preview([waf, list([...rules, seen])])).rejects.toThrow(
        /is not proved in [^]*\n {2}the items of \$office could not be read: the service lists no list of the account: there/,
      );
    });

    test("the items of a list that the program declares decide", async () => {
      await offices.up(items("192.0.2.0/24"));
      await preview([offices, items("192.0.2.0/24")], [waf, list(rules)]);
      expect(waf.warnings).toEqual([]);
      await expect(requireInvariants(waf.session)).resolves.toBeUndefined();
    });

    test("a change of a list violates what its items were to protect", async () => {
      await offices.up(items("192.0.2.0/24"));
      await waf.up(list(rules));
      const more = items("192.0.2.0/24", "198.51.100.0/24");
      const blamed = /with the change of \$office, .* is violated in .*\n.*\n {2}GET .* from 198\.51\.100\./;
      await expect(preview([offices, more], [waf, list(rules)])).rejects.toThrow(blamed);
      const edited = list([...rules, office]);
      await expect(preview([offices, more], [waf, edited])).rejects.toThrow("with this change and that of $office");
      await expect(preview([offices, items("192.0.2.7")], [waf, list(rules)])).resolves.toBeUndefined();
    });

    test("an up judges the items that only it knows", async () => {
      await offices.up(items("192.0.2.0/24"));
      await waf.up(list(rules));
      await preview([offices, items(UNKNOWN)], [waf, list(rules)]);
      expect(waf.warnings).toContainEqual(
        expect.stringMatching(
          /not proved in .* yet:[^]*the items of \$office are known only when `pulumi up` writes them/,
        ),
      );
      offices.start(EMPTY_STACK);
      waf.session = offices.session;
      await offices.plan(items("198.51.100.0/24"), false);
      await expect(waf.plan(list(rules), false)).rejects.toThrow("with the change of $office");
    });

    test("a list that is declared after rules that use it is judged when it is checked", async () => {
      await storeList("192.0.2.0/24");
      const adopted = { ...items("192.0.2.0/24"), onExisting: "adopt" };
      await preview([waf, list(rules)], [offices, adopted]);
      expect(waf.warnings).toEqual([]);
      const more = { ...adopted, items: ["192.0.2.0/24", "198.51.100.0/24"] };
      await waf.up(list(rules));
      const blamed = /with the items of \$office, .* is violated in .*\n.*\n {2}GET .* from 198\.51\.100\./;
      await expect(preview([waf, list(rules)], [offices, more])).rejects.toThrow(blamed);
    });

    test("where the program says that it declares a list, its items are waited for", async () => {
      await storeList("192.0.2.0/24");
      waf.start(EMPTY_STACK);
      offices.session = waf.session;
      waf.session.part(declaredLists).announce({ kinds: { office: "ip" }, hasUnknown: false });
      await waf.plan(list(rules), true);
      expect(waf.warnings).toContainEqual(
        expect.stringMatching(/not proved in .* yet:[^]*\$office are declared by the program, and not checked yet/),
      );
      await expect(requireInvariants(waf.session)).rejects.toThrow("is not proved");
      const blamed = "with the items of $office";
      const more = { ...items("192.0.2.0/24", "198.51.100.0/24"), onExisting: "adopt" };
      await expect(offices.plan(more, true)).rejects.toThrow(blamed);
      await offices.plan({ ...items("192.0.2.0/24"), onExisting: "adopt" }, true);
      await expect(requireInvariants(waf.session)).resolves.toBeUndefined();
    });

    test("a shared list has the items of others as well", async () => {
      await storeList("192.0.2.7");
      const shared = (...values: string[]) => ({ ...items(...values), ownership: "shared" });
      await preview([offices, shared("192.0.2.0/24")], [waf, list(rules)]);
      expect(waf.warnings).toEqual([]);
      await offices.up(shared("192.0.2.0/24"));
      await waf.up(list(rules));
      await expect(preview([offices, shared("192.0.2.0/24", "198.51.100.1")], [waf, list(rules)])).rejects.toThrow(
        "with the change of $office",
      );
      await preview([offices, shared("192.0.2.9")], [waf, list(rules)]);
      expect(waf.warnings).toEqual([]);
    });
  });

  test("each zone is read once in a run, and nothing is read for what does not change in an `up`", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed]));
    const { requests } = await waf.preview(list([closed]));
    expect(requests.map((one) => one.replaceAll(/[0-9a-f]{32}/g, "<id>"))).toEqual([
      "GET /zones/<id>",
      "GET /zones/<id>/rulesets",
      "GET /accounts/<id>/rulesets",
      "GET /zones/<id>/rulesets/<id>",
    ]);
    // The plugin does not know whether a check is one of an `up`.
    const again = (await waf.up(list([closed]))).requests;
    expect(again).toHaveLength(IS_PLUGIN ? requests.length : 0);
  });

  test("without access to the account, or without asking, nothing is proved", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await service.fault({ path: "/accounts/", status: 403, times: 9 });
    const { warnings } = await waf.preview(list([closed]));
    expect(warnings).toContainEqual(expect.stringContaining("the rulesets of the account"));
    const blind = resource("PhaseEntrypoint", "blind", { previewChecks: "off" });
    await expect(blind.preview(list([closed]))).rejects.toThrow("previewChecks is off");
  });

  describe("at the end of a preview", () => {
    const zoneUrn = (name: string) => `urn:pulumi:dev::shop::cloudflare:index/zone:Zone::${name}`;
    const knowZone = (waf: ManagedResource<unknown>, urn: string, inputs: object): void => {
      waf.session.part(textsOfNewZones).set(waf.urn, textOfZone(newZoneFrom(urn, { ...inputs })));
    };
    const end = async (
      waf: ManagedResource<unknown>,
      args: object,
      stack: readonly object[] = [],
      zone?: object,
    ): Promise<string> => {
      waf.start({ readStack: () => Promise.resolve(stack as never) });
      if (zone !== undefined) knowZone(waf, zoneUrn("new"), zone);
      await waf.plan(args, true);
      return requireInvariants(waf.session).then(
        () => "",
        (error: unknown) => String(error),
      );
    };
    const TOGETHER =
      'with everything that the program declares, the invariant "admin is closed" is violated in pro.example.com:';

    test("a zone that is not in order fails", async () => {
      const waf = resource("PhaseEntrypoint", "waf");
      expect(await end(waf, list([narrow]))).toContain(TOGETHER);
      expect(await end(waf, list([closed]))).toBe("");
    });

    test("where the state of the stack cannot be read, what leaves the program is not known", async () => {
      const waf = resource("PhaseEntrypoint", "waf");
      waf.start({ readStack: () => Promise.reject(new Error("no such stack")) });
      await waf.plan(list([closed]), true);
      const unread = "invariants are not judged without the resources that leave the program, because the state";
      await expect(requireInvariants(waf.session)).rejects.toThrow(unread);
      waf.settings = { ...waf.settings, invariantsUnknown: "warn" };
      waf.start({ readStack: () => Promise.reject(new Error("no such stack")) });
      await waf.plan(list([closed]), true);
      await requireInvariants(waf.session);
      expect(waf.warnings).toEqual([expect.stringContaining(unread)]);
    });

    test("a zone that a resource leaves without its rules fails, unless another one takes them over", async () => {
      const old = resource("PhaseEntrypoint", "old");
      await old.up(list([closed]));
      const stack = [{ type: "PhaseEntrypoint", state: old.kept?.state }];
      const other = resource("PhaseEntrypoint", "other");
      const args = { zoneId, phase: "http_request_transform", rules: [] };
      expect(await end(other, args, stack)).toContain(TOGETHER);
      expect(
        await end(other, args, [
          { type: "PhaseEntrypoint", state: { ...(old.kept?.state as object), onDelete: "keep" } },
        ]),
      ).toBe("");
      expect(await end(resource("PhaseEntrypoint", "new"), list([closed]), stack)).toBe("");
      // A state that has its rules as @pulumi/cloudflare does.
      const rules = (await service.entrypoint(zoneId, phase))?.rules;
      const state = { ...(old.kept?.state as object), rules, order: undefined };
      expect(await end(other, args, [{ type: "PhaseEntrypoint", state }])).toContain(TOGETHER);
    });

    test("a zone that the program creates is judged with its rules and those of the account", async () => {
      const created = (rules: readonly object[]): object => list(rules, { zoneId: UNKNOWN });
      const waf = resource("PhaseEntrypoint", "waf");
      const named = { name: "new.example.org" };
      expect(await end(waf, created([narrow]), [], named)).toContain(
        'with everything that the program declares, the invariant "admin is closed" is violated in the new zone new.example.org:',
      );
      expect(await end(waf, created([closed]), [], named)).toBe("");
      expect(waf.warnings).toEqual([]);
      const account = await service.account();
      const custom = await service.create(`accounts/${account}`, { name: "a", kind: "custom", phase, rules: [closed] });
      await service.create(`accounts/${account}`, {
        ...{ name: "default", kind: "root", phase },
        rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
      });
      // Its plan is not known.
      expect(await end(waf, created([narrow]), [], named)).toBe("");
      expect(waf.warnings).toEqual([
        expect.stringMatching(
          /"admin is closed" is not proved in the new zone new\.example\.org:[^]*`pulumi up` judges it$/,
        ),
      ]);
    });

    test.each<[string, object | undefined, readonly object[]]>([
      ["that comes from no zone of the program", undefined, []],
      ["of a zone that the stack has", { name: "pro.example.com" }, [{ type: ZONE, state: { __urn: zoneUrn("new") } }]],
      ["of a zone that the program only reads", {}, []],
    ])("an ID that is not known yet %s may be that of a zone with rules: `up` judges them", async (_, zone, stack) => {
      const waf = resource("PhaseEntrypoint", "waf");
      for (const rules of [[narrow], [closed]]) {
        expect(await end(waf, list(rules, { zoneId: UNKNOWN }), stack, zone)).toBe("");
        expect(waf.warnings).toEqual([
          "invariants are not judged for the rules of waf, because the ID of the zone is not known yet, and the zone may " +
            "exist, with other rules; `pulumi up` judges them",
        ]);
      }
    });

    describe("where the program creates several zones", () => {
      const LIMIT = "http_ratelimit";
      const limited = {
        ref: "api",
        action: "block",
        expression: 'starts_with(http.request.uri.path, "/api")',
        ratelimit: {
          characteristics: ["ip.src", "cf.colo.id"],
          period: 60,
          requestsPerPeriod: 100,
          mitigationTimeout: 60,
        },
      };
      interface Declared {
        readonly rules: readonly object[];
        readonly phase?: string;
        readonly ownership?: string;
        /** The zone, where the program tells which it is. */
        readonly zone?: string;
      }
      /** What stops a preview, and what it warns of. */
      const judge = async (invariants: string, ...declared: readonly Declared[]) => {
        const made = declared.map((_, at) => resource("PhaseEntrypoint", String(at), { invariants }));
        const [first] = made;
        if (first === undefined) throw new Error("nothing is declared");
        first.start(EMPTY_STACK);
        for (const [index, one] of made.entries()) {
          one.session = first.session;
          const { rules, phase: own = phase, ownership, zone } = declared[index] ?? { rules: [] };
          if (zone !== undefined) knowZone(one, zoneUrn(zone), { name: `${zone}.example.org` });
          await one.plan({ zoneId: UNKNOWN, phase: own, rules, ownership }, true);
        }
        const fault = await requireInvariants(first.session).then(() => "", String);
        return { fault, warnings: [...first.warnings] };
      };
      const two = join(folder, "two.yaml");
      const limits = { rules: [limited], phase: LIMIT };
      beforeAll(() => {
        const api = "requests: 'starts_with(http.request.uri.path, \"/api\")'";
        const text = `{ name: admin is closed, requests: '${ADMIN}', must: be-stopped }`;
        writeFileSync(two, `invariants: [${text}, { name: the API is limited, ${api}, must: be-limited }]\n`);
      });

      const [shop, blog] = [{ zone: "shop" }, { zone: "blog" }];
      const UNSURE = /^invariants are not judged for the rules of 1, because the ID/;

      test("lists of several phases are of the zones that the program says", async () => {
        const whole = await judge(two, { rules: [closed], ...shop }, { ...limits, ...shop });
        expect(whole).toEqual({ fault: "", warnings: [] });
        const apart = await judge(two, { rules: [closed], ...shop }, { ...limits, ...blog });
        expect(apart.fault).toContain('"the API is limited" is violated in the new zone shop.example.org:');
        expect(apart.fault).toContain("GET https://shop.example.org/api");
        expect(apart.fault).toContain('"admin is closed" is violated in the new zone blog.example.org:');
        expect(apart.warnings).toEqual([]);
      });

      test("where the program does not say it, a list is violated for certain if no other one mends it", async () => {
        const unsure = await judge(two, { rules: [closed], ...shop }, limits);
        expect(unsure.fault).toBe("");
        expect(unsure.warnings).toEqual([
          expect.stringMatching(UNSURE),
          expect.stringMatching(/if a new zone has only the rules of 0, [^]*"the API is limited" is violated/),
        ]);
        const { fault } = await judge(two, { rules: [narrow], ...shop }, limits);
        expect(fault).toContain('"admin is closed" is violated in the new zone shop.example.org:');
        expect(fault).not.toContain("the API is limited");
        // A zone has one list of a phase.
        const apart = await judge(file, { rules: [narrow], ...shop }, { rules: [closed] });
        expect(apart.fault).toContain('"admin is closed" is violated in the new zone shop.example.org:');
        expect(apart.warnings).toEqual([expect.stringMatching(UNSURE)]);
      });

      const shared = (count: number): readonly Declared[] =>
        Array.from({ length: count }, (_, index) => ({
          ownership: "shared",
          rules: [{ ...closed, ref: `rule-${String(index)}` }],
        }));

      test("many zones are judged with what may be in any of them", async () => {
        const names = Array.from({ length: 40 }, (_, index) => `z${String(index)}`);
        const zones = names.map((zone) => ({ zone, rules: [zone === "z17" ? narrow : closed] }));
        const unplaced = [
          { ...limits, ownership: "shared" },
          { phase: "http_request_transform", rules: [rewrite] },
        ];
        const { fault, warnings } = await judge(file, ...zones, ...unplaced);
        expect(fault).toMatch(/^RulesetsError: [^\n]*"admin is closed" is violated in the new zone z17\.example\.org:/);
        expect(warnings).toEqual([
          expect.stringContaining("invariants are not judged for the rules of 40 and 41, because"),
        ]);
      });

      test("where there are too many possibilities, what a zone violates without them fails, and they are named", async () => {
        const zones = [
          { rules: [narrow], ...shop, ownership: "shared" },
          { rules: [closed], ...blog, ownership: "shared" },
        ];
        const { fault, warnings } = await judge(file, ...zones, ...shared(7));
        expect(fault).toMatch(
          /^RulesetsError: without the rules of 2, 3, 4, 5, 6 and 2 more, the invariant "admin is closed" is violated in the new zone shop\.example\.org:/,
        );
        expect(fault).not.toContain("blog");
        expect(warnings).toEqual([
          expect.stringContaining("invariants are not judged for the rules of 2, 3, "),
          expect.stringMatching(
            /^invariants are judged in the new zone shop\.example\.org and the new zone blog\.example\.org without /,
          ),
        ]);
      });

      test.each([0, 1, 7])(
        "what is not known of a zone is a warning, also beside %d lists without a zone",
        async (count) => {
          const open = { ref: "admin", action: "block", expression: `(${ADMIN}) and ip.src in $nowhere` };
          const { fault, warnings } = await judge(
            file,
            { rules: [open], ...shop, ownership: "shared" },
            ...shared(count),
          );
          expect(fault).toBe("");
          expect(warnings.join("\n")).toMatch(
            /the invariant "admin is closed" is not proved in the new zone shop[^]*\n {2}`pulumi up` judges it/,
          );
        },
      );

      test("rules of a shared list are in the order of their checks, whatever the zone of each", async () => {
        const unsure = { ownership: "shared", rules: [office] };
        const placed = { ownership: "shared", rules: [closed], ...shop };
        const before = await judge(file, unsure, placed);
        expect(before.warnings.join("\n")).toContain("if a new zone has only the rules of 0 and 1, ");
        const after = await judge(file, placed, unsure);
        expect(after.warnings).toEqual([expect.stringMatching(UNSURE)]);
      });
    });

    test("a single rule that leaves a shared list is missed", async () => {
      const rule = resource("RulesetRule", "rule");
      const { ref: _, ...single } = closed;
      await rule.up({ zoneId, phase, ...single });
      const other = resource("PhaseEntrypoint", "other");
      const args = { zoneId, phase: "http_request_transform", rules: [] };
      expect(await end(other, args)).toBe("");
      expect(await end(other, args, [{ type: "RulesetRule", state: rule.kept?.state }])).toContain(TOGETHER);
    });

    test("an up passes where a rule that is about to go is all that a zone violates, as its preview does", async () => {
      const skip = new ManagedResource<unknown>("RulesetRule", service, "urn:skip");
      await resource("PhaseEntrypoint", "urn:waf").up(list([closed], { ownership: "shared" }));
      const { ref: _, ...everybody } = { ...office, expression: "true" };
      await skip.up({ zoneId, phase, ...everybody, position: { before: "" } });
      const other = resource("PhaseEntrypoint", "urn:other");
      const args = { zoneId, phase: "http_request_transform", rules: [rewrite] };
      const up = async (readStack: () => Promise<unknown>) => {
        other.start({ readStack: readStack as never });
        await other.plan(args, false);
        expect(other.warnings).toContainEqual(expect.stringContaining("is violated"));
        return requireOpenZones(other.session).then(() => "", String);
      };
      const stack = [{ type: "RulesetRule", state: skip.kept?.state }];
      expect(await end(other, args, stack)).toBe("");
      expect(await up(() => Promise.resolve(stack))).toBe("");
      expect(await up(() => Promise.resolve([]))).toContain(TOGETHER);
      expect(await up(() => Promise.reject(new Error("no such stack")))).toContain("without the resources that leave");
    });
  });

  test("an up does not delete what protects a zone, unless the whole stack goes", async () => {
    const [old, other] = [resource("PhaseEntrypoint", "old"), resource("PhaseEntrypoint", "other")];
    await old.up(list([closed]));
    await other.up({ zoneId, phase: "http_request_transform", rules: [] });
    await service.forget();
    await expect(other.deleteOther(old.kept?.id ?? "", { ...(old.kept?.state as object) })).rejects.toThrow(
      'without this resource, the invariant "admin is closed" is violated in pro.example.com:',
    );
    expect(writesIn(await service.requests())).toEqual([]);
    await old.destroy();
    expect((await service.entrypoint(zoneId, phase))?.rules).toEqual([]);
  });

  test.each(["fail", "warn"] as const)(
    "a delete in an account that shows no zone is said not to be judged: %s",
    async (unknown) => {
      const [old, other] = [resource("PhaseEntrypoint", "old"), resource("PhaseEntrypoint", "other")];
      await old.up({ accountId: await service.account(), phase, rules: [] });
      other.settings = { ...other.settings, invariantsUnknown: unknown };
      await other.up({ zoneId, phase: "http_request_transform", rules: [] });
      await service.fault({
        ...{ method: "GET", path: "^/zones$", status: 200, times: 9 },
        body: { success: true, result: [], errors: [], messages: [] },
      });
      const deleted = await other
        .deleteOther(old.kept?.id ?? "", { ...(old.kept?.state as object) })
        .then(() => "", messageOf);
      const said = unknown === "fail" ? deleted : other.warnings.join();
      expect(said).toMatch(
        /lists no zone of the account \w+: [^]*To continue: [^]*set `rulesets:invariantsUnknown: warn`/,
      );
      expect(deleted === "").toBe(unknown === "warn");
    },
  );

  test("a mistake in a file fails with its place", async () => {
    const bad = join(folder, "bad.yaml");
    writeFileSync(bad, "invariants: [{ name: a }]");
    const waf = resource("PhaseEntrypoint", "waf", { invariants: bad });
    await expect(waf.preview(list([closed]))).rejects.toThrow(
      `rulesets:invariants: ${bad}:1:14: invariants[0].requests`,
    );
  });

  test("secrets of rules stay hidden in requests", async () => {
    const waf = resource("PhaseEntrypoint", "waf");
    await waf.up(list([closed]));
    const hidden = { ...office, expression: secret('any(http.request.headers["x-key"][*] eq "the-hidden-key")') };
    const refused = await waf.preview(list([hidden, closed])).then(
      () => "",
      (error: unknown) => String(error),
    );
    expect(refused).toMatch(VIOLATED);
    expect(refused).not.toContain("the-hidden-key");
  });
});
