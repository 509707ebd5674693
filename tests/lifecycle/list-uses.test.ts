import type { ListState } from "../../provider/kinds/lists/description.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource, urnOf } from "./managed.js";
import { secret } from "./secrets-apart.js";

const phase = "http_request_firewall_custom";

let service: Service;
let accountId: string;
let zoneId: string;
let rules: ManagedRuleset;
beforeEach(async () => {
  ({ service, accountId, zoneId } = await startService({ zones: [{ name: "a.example.com", plan: "enterprise" }] }));
  rules = new ManagedRuleset("PhaseEntrypoint", service, urnOf("PhaseEntrypoint", "rules"));
});

const root = (): string => `/accounts/${accountId}/rules/lists`;
const exists = async (name: string, kind = "ip", items: readonly object[] = []): Promise<void> => {
  const { id } = await service.ask<{ id: string }>("POST", root(), { name, kind });
  if (items.length > 0) await service.ask("POST", `${root()}/${id}/items`, items);
};
const rule = (expression: string, ref = "one") => ({ ref, action: "block", expression });
const entrypoint = (...expressions: string[]) => ({
  zoneId,
  phase,
  rules: expressions.map((expression, index) => rule(expression, `r${String(index)}`)),
});
const redirects = (name: string, expression = "http.request.full_uri in $moves") => ({
  ...{ accountId, phase: "http_request_redirect" },
  rules: [
    {
      ref: "moves",
      action: "redirect",
      expression,
      actionParameters: { fromList: { name, key: "http.request.full_uri" } },
    },
  ],
});
const lookUps = (requests: readonly string[]): string[] => requests.filter((one) => one.endsWith("/rules/lists"));
const refused = (args: object, resource = rules): Promise<string> => failureOf(resource.preview(args));
const listOf = (name: string, kind = "ip", items: readonly unknown[] = []) => ({ accountId, name, kind, items });
/** A list of the program, in the process of another resource. */
async function declared(args: object, beside: ManagedRuleset): Promise<ManagedResource<ListState>> {
  const list = new ManagedResource<ListState>("RulesList", service, "urn:list");
  list.session = beside.session;
  await list.plan(args, true);
  return list;
}

describe("a rule that uses a list", () => {
  test("that does not exist is refused at preview, with the place and the nearest name", async () => {
    await exists("office");
    const text = await refused(entrypoint("ssl", "not ip.src in $offce"));
    expect(text).toMatch(/rules\[1\][.]expression:15: there is no list \$offce in the account/);
    expect(text).toContain("Did you mean $office? To continue: correct the name, or declare the list as a RulesList");
    expect(text).toContain("If this program declares it, let the rules wait for it: use the output of the list");
    expect(text).toContain("or add `dependsOn: [list]`");
    expect(lookUps(await service.requests())).toHaveLength(1);
  });

  test("that does not exist is refused with the lists that do", async () => {
    expect(await refused(entrypoint("ip.src in $attackers"))).toContain(
      "lists none: there is none, or the credentials may not read any. To continue",
    );
    await exists("office");
    expect(await refused(entrypoint("ip.src in $attackers"))).toContain("The account has $office. To continue");
  });

  test.each([
    ["ip.src in $hosts", "hostname", "`ip.src` needs a list of the kind ip, but $hosts is a list of the kind hostname"],
    ["http.host in $hosts", "ip", "`http.host` needs a list of the kind hostname"],
    ["ip.src.asnum in $hosts", "ip", "`ip.src.asnum` needs a list of the kind asn"],
    ["http.request.full_uri in $hosts", "hostname", "`http.request.full_uri` needs a list of the kind redirect"],
    ['any(http.request.headers["x"][*] in $hosts)', "asn", "needs a list of the kind hostname or redirect"],
  ])("%s of the kind %s is refused", async (expression, kind, expected) => {
    await exists("hosts", kind);
    expect(await refused(entrypoint(expression))).toContain(expected);
  });

  test("is refused in the counting expression of a rate limit, too", async () => {
    const limit = {
      characteristics: ["ip.src", "cf.colo.id"],
      period: 60,
      requestsPerPeriod: 5,
      mitigationTimeout: 60,
    };
    const ratelimit = { ...limit, countingExpression: "ip.src in $nowhere" };
    const args = { zoneId, phase: "http_ratelimit", rules: [{ ...rule("ssl"), ratelimit }] };
    expect(await refused(args)).toContain("rules[0].ratelimit.countingExpression:11: there is no list $nowhere");
  });

  test("must be of redirects to redirect by", async () => {
    await exists("office");
    await exists("moves", "redirect");
    expect(await refused(redirects("office"))).toContain(
      "rules[0].actionParameters.fromList.name: `fromList` needs a list of the kind redirect, but $office is a list of the kind ip",
    );
    expect(await refused(redirects("mvoes"))).toContain("there is no list $mvoes in the account");
    await rules.preview(redirects("moves"));
  });

  test("may be one of Cloudflare's, which is not looked up", async () => {
    const { requests } = await rules.preview(entrypoint("ip.src in $cf.anonymizer"));
    expect(lookUps(requests)).toEqual([]);
  });

  test("that the program declares is not looked up, and its kind must fit", async () => {
    const before = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    before.start();
    await declared(listOf("office"), before);
    await service.forget();
    await before.plan(entrypoint("ip.src in $office"), true);
    expect(lookUps(await service.requests())).toEqual([]);
    await expect(before.plan(entrypoint("http.host in $office"), true)).rejects.toThrow(
      /needs a list of the kind hostname/,
    );
  });

  test("that the run checks after the rules is refused if it does not exist, because nothing makes the rules wait", async () => {
    rules.start();
    await expect(rules.plan(entrypoint("ip.src in $office"), true)).rejects.toThrow(
      /there is no list \$office .* If this program declares it, let the rules wait for it/,
    );
    await declared(listOf("office"), rules);
    await rules.plan(entrypoint("ip.src in $office"), true);
  });

  test("is looked up once for all resources of a run", async () => {
    await exists("office");
    const other = new ManagedResource("RulesetRule", service, "urn:single");
    rules.start();
    other.session = rules.session;
    await service.forget();
    await rules.plan(entrypoint("ip.src in $office"), true);
    const single = {
      ...{ zoneId, phase: "http_config_settings", ref: "bic", action: "set_config", actionParameters: { bic: false } },
      expression: "ip.src in $office",
    };
    await other.plan(single, true);
    expect(lookUps(await service.requests())).toHaveLength(1);
    await expect(other.plan({ ...single, expression: "ip.src in $offices" }, true)).rejects.toThrow(
      /expression:11: there is no list \$offices/,
    );
  });

  test("is not looked up in an unchanged ruleset, nor when another rule changes", async () => {
    await exists("office");
    const args = entrypoint("ip.src in $office");
    await rules.up(args);
    expect((await rules.preview(args)).requests).toEqual([]);
    expect(lookUps((await rules.preview(entrypoint("ip.src in $office", "ssl"))).requests)).toEqual([]);
    expect(lookUps((await rules.up(args)).requests)).toEqual([]);
  });

  test("of a kind that this version does not know is a warning with both names, and an error where answers are required", async () => {
    const result = [{ id: "f".repeat(32), name: "future", kind: "tls_fingerprint", num_items: 3 }];
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ method: "GET", path: "/rules/lists$", times: 9, body });
    const { warnings } = await rules.preview(entrypoint("ip.src in $future"));
    const expected =
      'could not check whether $future fits: the list future could not be read: its kind "tls_fingerprint" is not known to this version';
    expect(warnings.join("\n")).toContain(expected);
    const preview = rules.preview(entrypoint("ip.src in $future"), { previewChecks: "require" });
    await expect(preview).rejects.toThrow(expected);
  });

  test.each([
    [
      "the permission is missing",
      { status: 403 },
      /could not check whether the lists \$office and \$home exist: .*403/,
    ],
    ["the service does not answer", { status: 503 }, /could not check whether the lists \$office and \$home exist/],
  ])("is a warning with its name if %s", async (_, fault, expected) => {
    await service.fault({ method: "GET", path: "/rules/lists$", times: 20, ...fault });
    const { warnings } = await rules.preview(entrypoint("ip.src in $office", "ip.src in $home"));
    expect(warnings.join("\n")).toMatch(expected);
  });

  test("is an error instead if previews must get their answers", async () => {
    await service.fault({ method: "GET", path: "/rules/lists$", status: 403, times: 20 });
    const preview = rules.preview(entrypoint("ip.src in $office"), { previewChecks: "require" });
    await expect(preview).rejects.toThrow(/could not check whether the list \$office exists/);
  });

  test("is not named where the expression is a secret", async () => {
    const hidden = { ref: "one", action: "block", expression: secret("ip.src in $partner_addresses") };
    const text = await refused({ zoneId, phase, rules: [hidden] });
    expect(text).not.toContain("partner_addresses");
  });
});

describe("a list whose items change", () => {
  const attackers = (...items: unknown[]) => listOf("attackers", "ip", items);
  const single = () => ({ zoneId, phase, ...rule("ip.src in $attackers"), description: "Attackers" });
  let list: ManagedResource<ListState>;
  beforeEach(async () => {
    list = new ManagedResource<ListState>("RulesList", service, "urn:list");
    await list.up(attackers("192.0.2.7", "203.0.113.0/24"));
  });
  /** What a preview says that changes the list, and then or before leaves a rule as it is. */
  async function effects(
    resource: ManagedResource<unknown>,
    args: object,
    { items, first }: { readonly items: readonly unknown[]; readonly first: "list" | "rules" },
  ): Promise<string> {
    resource.start();
    list.session = resource.session;
    const steps = [() => list.plan(attackers(...items), true), () => resource.plan(args, true)];
    for (const step of first === "list" ? steps : steps.reverse()) await step();
    return [...resource.notes, ...resource.plans].join("\n");
  }
  const more = ["192.0.2.7", "203.0.113.0/24", "198.51.100.0/29", { value: "198.51.100.200", comment: "bot" }];

  test.each(["list", "rules"] as const)("says what rules do with it, if the %s is checked first", async (first) => {
    await rules.up(entrypoint("ip.src in $attackers"));
    const text = await effects(rules, entrypoint("ip.src in $attackers"), { items: more, first });
    expect(text.match(/this change stops requests that were not stopped/g)).toHaveLength(1);
    expect(text).toContain('"r0": 9 more addresses are blocked');
    expect(text).toMatch(/from 198[.]51[.]100[.]\d+: allowed → blocked by "r0"/);
  });

  test("says how many addresses are no longer in it", async () => {
    await rules.up(entrypoint('ip.src in $attackers and http.host eq "a.example.com"'));
    const args = entrypoint('ip.src in $attackers and http.host eq "a.example.com"');
    const text = await effects(rules, args, { items: ["192.0.2.7", "2001:db8::/40"], first: "list" });
    expect(text).toContain('"r0": 1 more range and 256 fewer addresses in $attackers');
    expect(text).toContain("lets requests through that were stopped");
  });

  test("says what single rules do with it", async () => {
    const resource = new ManagedResource<unknown>("RulesetRule", service, "urn:single");
    await resource.up(single());
    expect(await effects(resource, single(), { items: more, first: "list" })).toContain(
      '"Attackers": 9 more addresses are blocked',
    );
  });

  test("says nothing if only comments or notations change", async () => {
    await rules.up(entrypoint("ip.src in $attackers"));
    const args = entrypoint("ip.src in $attackers");
    const same = [{ value: "192.0.2.7/32", comment: "new" }, "203.0.113.9/24"];
    expect(await effects(rules, args, { items: same, first: "list" })).not.toContain("this change");
  });

  describe("beside items of others", () => {
    const shared = (...items: unknown[]) => ({ ...attackers(...items), ownership: "shared" });
    beforeEach(async () => {
      await list.up(shared("192.0.2.7"));
      const theirs = [{ ip: "198.51.100.0/30" }];
      await service.ask("POST", `${root()}/${list.kept?.state.listId ?? ""}/items`, theirs);
      await rules.up(entrypoint("ip.src in $attackers"));
    });
    const previewed = async (args: object): Promise<string> => {
      rules.start();
      list.session = rules.session;
      await list.plan(args, true);
      await rules.plan(entrypoint("ip.src in $attackers"), true);
      return [...rules.notes, ...rules.plans].join("\n");
    };

    test("is judged with them, and both are counted", async () => {
      const text = await previewed(shared("192.0.2.7", "198.51.100.0/29"));
      expect(text).toContain("list attackers: the program owns 2 items, and leaves 1 item of others");
      expect(text).toContain('"r0": 4 more addresses are blocked');
      expect(text).toContain("this change stops requests that were not stopped");
    });

    test("does nothing where it only repeats them", async () => {
      const text = await previewed(shared("192.0.2.7", "198.51.100.1"));
      expect(text).toContain("the program owns 2 items, and leaves 1 item of others");
      expect(text).toContain("this change makes no difference to any request");
    });

    test("is judged where a whole list is overwritten, by what is at the service", async () => {
      await list.up({ ...attackers("192.0.2.7", "203.0.113.0/24", "198.51.100.0/30") });
      await service.ask("POST", `${root()}/${list.kept?.state.listId ?? ""}/items`, [{ ip: "192.0.2.99" }]);
      const args = attackers("192.0.2.7", "203.0.113.0/24", "198.51.100.0/30", "192.0.2.8");
      const text = await previewed({ ...args, onConflict: "overwrite" });
      expect(text).toContain('"r0": 1 more address and 1 fewer address are blocked');
    });

    test("is judged when it is taken over", async () => {
      list.kept = undefined;
      const text = await previewed(shared("192.0.2.7", "192.0.2.8"));
      expect(text).toContain("takes over the existing list attackers");
      expect(text).toContain("  the program owns 2 items, and leaves 1 item of others");
      expect(text).toContain('"r0": 1 more address is blocked');
    });

    test.each(["auto", "off"] as const)(
      "decides an edit of rules while it stays as it is, with checks: %s",
      async (checks) => {
        rules.settings = { ...rules.settings, previewChecks: checks };
        rules.start();
        list.session = rules.session;
        await list.plan(shared("192.0.2.7"), true);
        await service.forget();
        await rules.plan(entrypoint("ip.src in {192.0.2.7 198.51.100.0/30}"), true);
        const read = (await service.requests()).filter((one) => one.includes("/items"));
        const text = rules.notes.join("\n");
        expect(text).toContain(checks === "off" ? "$attackers" : "this change makes no difference to any request");
        expect(read).toHaveLength(checks === "off" ? 0 : 1);
      },
    );

    test("is said by a refresh with the number of their items", async () => {
      await list.refresh();
      expect(list.notes.join()).toContain("the list attackers has 1 item of others now, and had 0");
      await list.refresh();
      expect(list.notes.join()).not.toContain("of others");
    });
  });

  test("decides what a change of the rules does", async () => {
    await rules.up(entrypoint("ip.src in $attackers"));
    const args = entrypoint("ip.src in {192.0.2.7 203.0.113.0/24}");
    const text = await effects(rules, args, { items: ["192.0.2.7", "203.0.113.0/24"], first: "list" });
    expect(text).not.toContain("not judged");
    expect(text).not.toContain("this change lets");
  });
});

describe("a list that is removed", () => {
  let list: ManagedResource<ListState>;
  beforeEach(async () => {
    list = new ManagedResource<ListState>("RulesList", service, "urn:list");
    await list.up(listOf("office", "ip", ["192.0.2.7"]));
  });
  const othersUse = () => {
    const set = { action: "set_config", action_parameters: { bic: false }, description: "Theirs" };
    const rules = [{ ...set, ref: "b", expression: "ip.src in $office" }];
    return service.ask("PUT", `/zones/${zoneId}/rulesets/phases/http_config_settings/entrypoint`, { rules });
  };
  test("while rules use it stays, and the error names the rules of the program and of others", async () => {
    await rules.up(entrypoint("ssl", "ip.src in $office"));
    await othersUse();
    const error = await failureOf(list.destroy());
    expect(error).toContain("the list office cannot be deleted: 2 rulesets use it:");
    expect(error).toContain('  rule "r1" of http_request_firewall_custom in the zone a.example.com\n');
    expect(error).toContain('  rule "Theirs" of http_config_settings in the zone a.example.com\n');
    expect(error).toContain("To continue: remove $office from these rules first");
  });
});
