import type { ListState } from "../../provider/kinds/lists/description.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { block } from "../support/rules.js";
import { ManagedRuleset } from "./harness.js";
import { ManagedResource } from "./managed.js";

let service: Service;
let accountId: string;
const start = async (...plans: ("free" | "pro" | "enterprise")[]): Promise<void> => {
  service = new Service(
    await freshEmulator({ seed: { zones: plans.map((plan) => ({ name: `${plan}.example.com`, plan })) } }),
  );
  accountId = await service.account();
  await service.forget();
};

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `10.0.${String(index >> 8)}.${String(index & 255)}`);
const listOf = (name: string): ManagedResource<ListState> => new ManagedResource("RulesList", service, `urn:${name}`);
const zoneReads = (requests: readonly string[]): string[] => requests.filter((request) => request === "GET /zones");

describe("lists that the account's plan does not include", () => {
  const args = (name: string, items: readonly unknown[] = [], kind = "ip") => ({ accountId, name, kind, items });
  const exists = (name: string, kind = "ip"): Promise<unknown> =>
    service.ask("POST", `/accounts/${accountId}/rules/lists`, { name, kind });

  test("are refused at preview with the numbers, and an error of the up that the service refuses", async () => {
    await start("free");
    await exists("other");
    const list = listOf("office");
    await expect(list.preview(args("office"))).rejects.toThrow(
      "items: the account would have 2 custom lists (1 now), but the Free plan includes 1, which is the highest plan of the zones that " +
        "the credentials can read. To continue: remove lists or items, or let the credentials read a zone of the account with a higher plan",
    );
    await expect(list.up(args("office"))).rejects.toThrow(
      /no room for the list office: it would have 2 custom lists \(1 now\), but the Free plan includes 1\.[^]*2 out of 1[^]*To continue/,
    );
    await service.fault({ method: "POST", path: "/rules/lists$", status: 400, body: "<html>Blocked</html>" });
    await expect(list.up(args("office"))).rejects.toThrow(
      /^POST \S+: 400 "<html>Blocked.*This is not the API's format/,
    );
    await exists("moves", "redirect");
    expect((await list.preview(args("more", [], "redirect"))).warnings).toEqual([]);
  });

  test("depend on the highest plan of the zones, which are read only if the smallest plan is not enough", async () => {
    await start("free", "pro");
    const first = await listOf("first").preview(args("first", addresses(10)));
    expect([first.warnings, zoneReads(first.requests)]).toEqual([[], []]);
    await exists("other");
    const second = await listOf("second").preview(args("second", addresses(10)));
    expect([second.warnings, zoneReads(second.requests)]).toEqual([[], ["GET /zones"]]);
    await expect(listOf("hosts").preview(args("hosts", [], "hostname"))).rejects.toThrow(
      "1 hostname list (0 now), but the Pro plan includes 0",
    );
  });

  test("count what a run adds to several lists, and items of all of them", async () => {
    await start("pro");
    const [one, other] = [listOf("one"), listOf("other")];
    await one.up(args("one", addresses(6_000)));
    other.run = one.start();
    await service.forget();
    await other.plan(args("other", addresses(3_000)), true);
    one.run = other.run;
    await expect(one.plan(args("one", addresses(7_001)), true)).rejects.toThrow(
      "10001 items in custom lists (6000 now), but the Pro plan includes 10000",
    );
    expect(one.warnings).toEqual([
      "items: the account would use 9000 of 10000 items in custom lists that the Pro plan includes (6000 now)",
    ]);
  });

  test("are refused at preview where two lists of a program need them, and left to the service where no plan is known", async () => {
    await start("free");
    const [one, other] = [listOf("one"), listOf("other")];
    await one.plan(args("one"), true);
    other.run = one.run;
    await expect(other.plan(args("other"), true)).rejects.toThrow(
      "2 custom lists (0 now), but the Free plan includes 1",
    );
    await exists("first");
    await service.fault({ method: "GET", path: "/zones$", status: 403, body: {}, times: 9 });
    expect((await listOf("second").preview(args("second"))).warnings).toEqual([
      "items: the account would have 2 custom lists, more than the Free plan includes. It is not known whether it has a higher one: no zone " +
        "of it could be read, so the service decides",
    ]);
  });

  test("are named with their numbers when an update is refused, and the next up goes on", async () => {
    await start("free");
    const list = listOf("office");
    await list.up(args("office", addresses(9_999)));
    await expect(list.up(args("office", addresses(10_001)))).rejects.toThrow(
      /it would have 10001 items in custom lists \(9999 now\), but the Free plan includes 10000/,
    );
    await list.up(args("office", addresses(10_000)));
    expect(list.kept?.state.size).toBe(10_000);
    await list.settled(args("office", addresses(10_000)));
  });

  test("with one host and path in too many redirects are refused at preview over all lists of the program", async () => {
    await start("enterprise");
    const place = "example.com/old";
    const moves = [place, `http://${place}`, `https://${place}`].map((source) => ({
      source,
      target: "https://b.test/",
    }));
    const lists = ["a", "b", "c", "d", "e", "f"].map(listOf);
    const [first, ...others] = lists;
    const run = first?.start();
    for (const [index, list] of [first, ...others.slice(0, -1)].entries()) {
      if (list === undefined || run === undefined) throw new Error("no list");
      list.run = run;
      await list.apply(args(`l${String(index)}`, moves, "redirect"));
    }
    const last = others.at(-1);
    if (last === undefined || run === undefined) throw new Error("no list");
    last.run = run;
    await expect(last.plan(args("l5", moves, "redirect"), true)).rejects.toThrow(
      "the lists of the program would have 18 sources with the hostname and path example.com/old, and an account can have 16",
    );
    // Of lists that are not in the program, only the service knows.
    await expect(listOf("f").up(args("l5", moves, "redirect"))).rejects.toThrow(
      "This account has reached the limit on the number of URL matching items on the same hostname/path",
    );
  });

  test("are not asked about where nothing is added, or previews ask nothing", async () => {
    await start("free");
    await exists("other");
    const list = listOf("office");
    list.settings = { previewChecks: "off" };
    expect((await list.preview(args("office"))).requests).toEqual([]);
  });
});

describe("rules that the account does not include", () => {
  const many = (count: number, from = 0): object[] =>
    Array.from({ length: count }, (_, index) =>
      block(`Rule ${String(from + index)}`, `http.host eq "h${String(index)}"`),
    );
  const custom = (name: string, rules: readonly object[]) => ({
    accountId,
    kind: "custom",
    name,
    phase: "http_request_firewall_custom",
    rules,
  });

  test("over all custom rulesets are refused at preview, with the numbers", async () => {
    await start("enterprise");
    const ruleset = (name: string) => new ManagedRuleset("Ruleset", service, `urn:${name}`);
    await ruleset("first").up(custom("first", many(600)));
    await expect(ruleset("second").preview(custom("second", many(401)))).rejects.toThrow(
      "the custom rulesets of the account would have 1001 rules together, 600 in first and 401 in second, and no account can have more than 1000",
    );
    const fits = ruleset("second");
    expect((await fits.preview(custom("second", many(100)))).warnings).toEqual([]);
    expect((await fits.preview(custom("second", many(200)))).warnings).toEqual([
      "rules: there are 200 rules, but an account can have 100 in one custom ruleset. " +
        "The service refuses more unless its support has divided them in another way",
    ]);
    expect((await fits.preview(custom("second", many(300)))).warnings[0]).toBe(
      "rules: the account would use 900 of 1000 rules that all custom rulesets of an account can have together",
    );
    const third = ruleset("third");
    third.run = fits.start();
    fits.run = third.run;
    await fits.plan(custom("second", many(200)), true);
    await expect(third.plan(custom("third", many(201)), true)).rejects.toThrow(
      "1001 rules together, 600 in first, 201 in third and 200 in second",
    );
  });

  test("in bulk redirects are a warning at preview by the highest plan of the zones, of which the token may see a part", async () => {
    await start("free", "pro");
    await service.ask("POST", `/accounts/${accountId}/rules/lists`, { name: "moves", kind: "redirect" });
    const rules = Array.from({ length: 16 }, (_, index) => ({
      ref: `r${String(index)}`,
      action: "redirect",
      expression: `http.request.full_uri in $moves and http.host eq "h${String(index)}.example.com"`,
      actionParameters: { fromList: { name: "moves", key: "http.request.full_uri" } },
    }));
    const redirects = new ManagedRuleset("PhaseEntrypoint", service);
    const args = (count: number) => ({ accountId, phase: "http_request_redirect", rules: rules.slice(0, count) });
    expect((await redirects.preview(args(13))).warnings).toEqual([]);
    expect((await redirects.preview(args(14))).warnings).toEqual([
      "rules: these are 14 of 15 rules in http_request_redirect that the Pro plan of the account includes",
    ]);
    expect((await redirects.preview(args(16))).warnings).toEqual([
      "rules: there are 16 rules, but the Pro plan of the account includes 15 in http_request_redirect; the Enterprise plan includes 50. " +
        "The service rejects more unless the account has them by contract",
    ]);
    await expect(redirects.up(args(16))).rejects.toThrow("16 out of 15");
    redirects.settings = { dryRun: "on" };
    await expect(redirects.preview(args(16))).rejects.toThrow("16 out of 15");
  });

  test("in a phase of a zone are a warning from 90 %, and only if the number grows", async () => {
    await start("pro");
    const zoneId = await service.zoneNamed("pro.example.com");
    const args = (count: number) => ({ zoneId, phase: "http_request_firewall_custom", rules: many(count) });
    const rules = new ManagedRuleset("PhaseEntrypoint", service);
    const warned =
      "rules: these are 18 of 20 rules in http_request_firewall_custom that the Pro plan of pro.example.com includes";
    expect((await rules.preview(args(17))).warnings).toEqual([]);
    expect((await rules.preview(args(18))).warnings).toEqual([warned]);
    await rules.up(args(18));
    expect((await rules.preview({ ...args(18), description: "Ours" })).warnings).toEqual([]);
  });

  test("as custom rulesets are refused in a zone with the numbers, and a warning in an account", async () => {
    await start("pro", "enterprise");
    const zoneId = await service.zoneNamed("pro.example.com");
    const ruleset = (name: string) => new ManagedRuleset("Ruleset", service, `urn:${name}`);
    const ofZone = (name: string) => ({ ...custom(name, many(1)), accountId: undefined, zoneId });
    // A zone lists those of its account, which do not count.
    await ruleset("r0").up(custom("r0", many(1)));
    for (const name of ["one", "two"]) await ruleset(name).up(ofZone(name));
    await expect(ruleset("three").preview(ofZone("three"))).rejects.toThrow(
      "the zone would have 3 custom rulesets (2 now), but the Pro plan of pro.example.com includes 2",
    );
    for (let index = 1; index < 10; index += 1)
      await ruleset(`r${String(index)}`).up(custom(`r${String(index)}`, many(1)));
    expect((await ruleset("last").preview(custom("last", many(1)))).warnings).toEqual([
      "the account would have 11 custom rulesets, but an account can have 10. " +
        "The service refuses more unless its support has divided them in another way",
    ]);
  });
});
