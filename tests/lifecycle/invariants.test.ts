import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { requireInvariants } from "../../provider/kinds/rulesets/invariants/at-end.js";
import { UNKNOWN } from "../../provider/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { secret } from "./at-the-border.js";
import { IS_PLUGIN } from "./front-ends.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

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

describe("invariants in previews", () => {
  const folder = mkdtempSync(join(tmpdir(), "invariants-"));
  const file = join(folder, "zones.invariants.yaml");
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  const resource = (
    type: string,
    urn: string,
    settings: ManagedResource<unknown>["settings"] = {},
  ): ManagedResource<unknown> => {
    const made = new ManagedResource<unknown>(type, service, urn);
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

  test("a change that violates one fails before anything is written, with a request", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await waf.up(list([closed]));
    await service.forget();
    await expect(waf.preview(list([narrow]))).rejects.toThrow(VIOLATED);
    await expect(waf.up(list([narrow]))).rejects.toThrow(VIOLATED);
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("a rule in front of a block is a violation, in the same list or as a single rule", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await waf.up(list([closed], { ownership: "shared" }));
    await expect(waf.preview(list([office, closed], { ownership: "shared" }))).rejects.toThrow(VIOLATED);
    const { ref: _, ...rule } = office;
    const single = resource("RulesetRule", "urn:office");
    await expect(single.preview({ zoneId, phase, ...rule, position: { index: 1 } })).rejects.toThrow(VIOLATED);
    for (const before of ["admin", ""])
      await expect(single.preview({ zoneId, phase, ...rule, position: { before } })).rejects.toThrow(VIOLATED);
    expect((await single.preview({ zoneId, phase, ...rule, position: { after: "admin" } })).warnings).toEqual([]);
    expect((await single.preview({ zoneId, phase, ...rule })).warnings).toEqual([]);
  });

  test("a rule that leaves a shared list is a violation", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
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
    const waf = resource("PhaseEntrypoint", "urn:waf");
    expect((await waf.preview(list([narrow], { zoneId: await service.zone("enterprise") }))).warnings).toEqual([]);
    expect((await waf.preview(list([narrow]))).warnings).toContainEqual(expect.stringContaining("is violated"));
  });

  test("what a zone violates anyway is a warning, once, and later resources count", async () => {
    const redirects = resource("PhaseEntrypoint", "urn:redirects");
    const args = { zoneId, phase: "http_request_transform", rules: [] };
    const { warnings } = await redirects.preview(args);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the invariant "admin is closed" is violated in pro\.example\.com, also without this resource:\n/,
      ),
    ]);
    const waf = resource("PhaseEntrypoint", "urn:waf");
    expect((await waf.preview(list([closed]))).warnings).toEqual([]);
  });

  test("what is not known yet is judged by `up`", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await waf.up(list([closed]));
    const { warnings } = await waf.preview(list([{ ...closed, expression: UNKNOWN }]));
    expect(warnings).toContainEqual(expect.stringContaining("is not proved in pro.example.com yet"));
    await expect(waf.up(list([narrow]))).rejects.toThrow(VIOLATED);
  });

  test("what cannot be decided fails, unless the settings say otherwise", async () => {
    const rules = [{ ...closed, expression: `${ADMIN} and not ip.src in $cf.anonymizer` }];
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await waf.up(list([closed]));
    await expect(waf.preview(list(rules))).rejects.toThrow("with this change, the invariant");
    waf.settings = { ...waf.settings, invariantsUnknown: "warn" };
    expect((await waf.preview(list(rules))).warnings).toContainEqual(expect.stringContaining("is not proved"));
  });

  test("the items of lists are not read, so a list decides only where the invariant names it too", async () => {
    const account = await service.account();
    await service.ask("POST", `/accounts/${account}/rules/lists`, { name: "office", kind: "ip" });
    const rules = [{ ...closed, expression: `${ADMIN} and not ip.src in $office` }];
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await expect(waf.preview(list(rules))).rejects.toThrow("the items of the list, which `rules prove --zone` reads");
    const named = join(folder, "named.invariants.yaml");
    const requests = `${ADMIN} and not ip.src in $office`;
    writeFileSync(named, `invariants: [{ name: admin is closed, requests: '${requests}', must: be-stopped }]\n`);
    waf.settings = { ...waf.settings, invariants: named };
    expect((await waf.preview(list(rules))).action).toBe("create");
  });

  test("the items of a list that the program declares decide", async () => {
    const accountId = await service.account();
    const rules = [{ ...closed, expression: `${ADMIN} and not ip.src in $office` }];
    const narrowed = join(folder, "office.invariants.yaml");
    const requests = `${ADMIN} and not ip.src in {192.0.2.0/24}`;
    writeFileSync(narrowed, `invariants: [{ name: admin is closed, requests: '${requests}', must: be-stopped }]\n`);
    const items = (...values: string[]) => ({ accountId, name: "office", kind: "ip", items: values });
    const offices = resource("RulesList", "urn:list", { invariants: narrowed });
    await offices.up(items("192.0.2.0/24"));
    const waf = resource("PhaseEntrypoint", "urn:waf", { invariants: narrowed });
    const preview = async (...values: string[]) => {
      offices.start();
      waf.session = offices.session;
      await offices.plan(items(...values), true);
      return waf.plan(list(rules), true);
    };
    expect((await preview("192.0.2.0/24")).action).toBe("create");
    expect(waf.warnings).toEqual([]);
    await expect(requireInvariants(waf.session)).resolves.toBeUndefined();
    // The zone is open anyway, so the rule is not to blame; the end of the preview is.
    await preview("192.0.2.0/24", "198.51.100.0/24");
    await expect(requireInvariants(waf.session)).rejects.toThrow(
      /is violated in .*\n.*\n {2}GET .* from 198\.51\.100\./,
    );
  });

  test("each zone is read once in a run, and nothing is read for what does not change in an `up`", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
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
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await service.fault({ path: "/accounts/", status: 403, times: 9 });
    const { warnings } = await waf.preview(list([closed]));
    expect(warnings).toContainEqual(expect.stringContaining("the rulesets of the account"));
    const blind = resource("PhaseEntrypoint", "urn:blind", { previewChecks: "off" });
    await expect(blind.preview(list([closed]))).rejects.toThrow("previewChecks is off");
  });

  describe("at the end of a preview", () => {
    const end = async (waf: ManagedResource<unknown>, args: object, stack: readonly object[] = []): Promise<string> => {
      waf.start({ readStack: () => Promise.resolve(stack as never) });
      await waf.plan(args, true);
      return requireInvariants(waf.session).then(
        () => "",
        (error: unknown) => String(error),
      );
    };
    const TOGETHER =
      'with everything that the program declares, the invariant "admin is closed" is violated in pro.example.com:';

    test("a zone that is not in order fails", async () => {
      const waf = resource("PhaseEntrypoint", "urn:waf");
      expect(await end(waf, list([narrow]))).toContain(TOGETHER);
      expect(await end(waf, list([closed]))).toBe("");
    });

    test("a zone that a resource leaves without its rules fails, unless another one takes them over", async () => {
      const old = resource("PhaseEntrypoint", "urn:old");
      await old.up(list([closed]));
      const stack = [{ type: "PhaseEntrypoint", state: old.kept?.state }];
      const other = resource("PhaseEntrypoint", "urn:other");
      const args = { zoneId, phase: "http_request_transform", rules: [] };
      expect(await end(other, args, stack)).toContain(TOGETHER);
      expect(
        await end(other, args, [
          { type: "PhaseEntrypoint", state: { ...(old.kept?.state as object), onDelete: "keep" } },
        ]),
      ).toBe("");
      expect(await end(resource("PhaseEntrypoint", "urn:new"), list([closed]), stack)).toBe("");
    });

    test("a single rule that leaves a shared list is missed", async () => {
      const rule = resource("RulesetRule", "urn:rule");
      const { ref: _, ...single } = closed;
      await rule.up({ zoneId, phase, ...single });
      const other = resource("PhaseEntrypoint", "urn:other");
      const args = { zoneId, phase: "http_request_transform", rules: [] };
      expect(await end(other, args)).toBe("");
      expect(await end(other, args, [{ type: "RulesetRule", state: rule.kept?.state }])).toContain(TOGETHER);
    });
  });

  test("a mistake in a file fails with its place", async () => {
    const bad = join(folder, "bad.yaml");
    writeFileSync(bad, "invariants: [{ name: a }]");
    const waf = resource("PhaseEntrypoint", "urn:waf", { invariants: bad });
    await expect(waf.preview(list([closed]))).rejects.toThrow(
      `rulesets:invariants: ${bad}:1:14: invariants[0].requests`,
    );
  });

  test("secrets of rules stay hidden in requests", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
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
