import { readFileSync } from "node:fs";
import { levelWords } from "../../tools/cli/report/render/labels.js";
import { join } from "node:path";
import type { Report, State } from "../../tools/audit/report";
import type { Emulator, Seed } from "../../emulator/index";
import { Service, TOKEN } from "../support/emulator";
import { freshEmulator } from "../support/emulators";
import { reportSeed } from "../support/report-seed";
import { runInProcess } from "./in-process.js";
import { cli, newFile, root, type Finished } from "./support";

const FIREWALL = "http_request_firewall_managed";
const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";

/** An emulator with a seed, and the command that runs against it. */
class Stage {
  private constructor(
    readonly emulator: Emulator,
    readonly service: Service,
  ) {}

  static async open(seed: Seed): Promise<Stage> {
    const emulator = await freshEmulator({ seed });
    return new Stage(emulator, new Service(emulator));
  }
  /** Runs the built command in a process of its own. */
  async runBuilt(...args: string[]): Promise<Finished> {
    await this.service.forget();
    return cli(["report", "--base-url", this.emulator.url, ...args], { CLOUDFLARE_API_TOKEN: TOKEN });
  }
  /** Runs the command in this process, which is faster. */
  async run(...args: string[]): Promise<Finished> {
    await this.service.forget();
    return runInProcess(this.emulator.url, ["report", ...args]);
  }
  async json(...args: string[]): Promise<Report> {
    return JSON.parse((await this.run("--json", ...args)).stdout) as Report;
  }
}

/** `code severity phase` of the findings of a zone or an account. */
const findingsOf = ({ findings }: Report, where: string): string[] =>
  findings.filter((one) => one.where.name === where).map(({ code, severity, phase }) => `${code} ${severity} ${phase}`);
const statesOf = ({ zones }: Report, name: string): State[] =>
  (zones.find(({ zoneName }) => zoneName === name)?.coverage ?? []).map(({ state }) => state);

describe("pulumi-rulesets report", () => {
  let stage: Stage;
  let report: Report;
  beforeAll(async () => {
    stage = await Stage.open(reportSeed);
    report = await stage.json("--all-zones");
  });

  test("reports how well each zone is protected in each phase, including the rules of its account", () => {
    expect(report.phases).toEqual([CUSTOM, LIMITS, FIREWALL]);
    expect(statesOf(report, "shop.example.com")).toEqual(["active", "active", "active"]);
    expect(statesOf(report, "blog.example.com")).toEqual(["active", "unprotected", "weakened"]);
    // Its own custom rule only logs, but a rule of the account that matches the zone blocks. Its managed rules are skipped.
    expect(statesOf(report, "api.example.com")).toEqual(["active", "active", "unprotected"]);
    expect(statesOf(report, "old.example.com")).toEqual(["unprotected", "unprotected", "unprotected"]);
    const [api] = report.zones;
    expect(api?.coverage[0]).toMatchObject({ stopping: 1, logging: 1, fromAccount: true });
  });

  test("lists what weakens the zones, what has no effect, and what other zones have", () => {
    expect(findingsOf(report, "shop.example.com")).toEqual([]);
    expect(findingsOf(report, "blog.example.com")).toEqual([
      `no-protection error ${LIMITS}`,
      `covered warning ${CUSTOM}`,
      `skip-without-description warning ${CUSTOM}`,
      `managed-rules-logged warning ${FIREWALL}`,
      `managed-rules-off warning ${FIREWALL}`,
      `managed-rules-logged warning ${FIREWALL}`,
      `skip info ${CUSTOM}`,
      `disabled-rule info ${CUSTOM}`,
      `skip info ${CUSTOM}`,
    ]);
    expect(findingsOf(report, "api.example.com")).toEqual([
      `no-protection error ${FIREWALL}`,
      `skip-for-everybody error ${FIREWALL}`,
      `covered warning ${FIREWALL}`,
    ]);
    expect(findingsOf(report, "Example Ltd")).toEqual([`not-executed warning ${CUSTOM}`]);
    const messages = report.findings.map(({ message }) => message);
    expect(messages).toContain(
      "overrides switch off 1 of 6 rules of Cloudflare Managed Ruleset: Wordpress - Broken access control",
    );
    expect(messages).toContain(
      "overrides set 1 of 6 rules of Cloudflare Managed Ruleset to only log: SQLi - comparison",
    );
    expect(messages).toContain("Cloudflare OWASP Core Ruleset only logs: nothing stops a request at the threshold");
    expect(messages).toContain("every request skips the rest of its ruleset");
    expect(messages).toContain('no rule executes the custom ruleset "Forgotten", so its rule never runs');
  });

  test("reports which managed rulesets run at what level, with versions, last changes and quotas", () => {
    const shop = report.zones.find(({ zoneName }) => zoneName === "shop.example.com");
    const managed = shop?.rulesets.find(({ phase }) => phase === FIREWALL)?.managed;
    expect(managed).toEqual([
      expect.objectContaining({
        name: "Cloudflare Managed Ruleset",
        version: "34",
        reach: "every",
        rules: { total: 6, on: 5, actions: { block: 4, managed_challenge: 1 } },
      }),
      expect.objectContaining({
        name: "Cloudflare OWASP Core Ruleset",
        paranoiaLevel: 2,
        scoreThreshold: 40,
        action: "block",
        rules: { total: 7, on: 5, actions: { score: 4, block: 1 } },
      }),
    ]);
    const blog = report.zones.find(({ zoneName }) => zoneName === "blog.example.com");
    expect(blog?.plan).toBe("business");
    const custom = blog?.rulesets.find(({ phase }) => phase === CUSTOM);
    expect(custom).toMatchObject({ version: "1", quota: { used: 5, included: 100 } });
    expect(custom?.lastUpdated).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test("requests one list per zone and account, and each ruleset once, however many zones run it", async () => {
    const { code } = await stage.runBuilt("--all-zones");
    expect(code).toBe(2);
    const requests = (await stage.service.requests()).map((request) => request.replace(/\/[0-9a-f]{32}/g, "/<id>"));
    const counts = new Map<string, number>();
    for (const request of requests) counts.set(request, (counts.get(request) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      "GET /zones": 1,
      "GET /zones/<id>/rulesets": 4,
      // Three entry points each of the shop and the API, and two of the blog.
      "GET /zones/<id>/rulesets/<id>": 8,
      "GET /accounts/<id>/rulesets": 1,
      "GET /accounts/<id>/rules/lists": 1,
      // The account's entry point and its two custom rulesets; two managed rulesets, which three zones execute.
      "GET /accounts/<id>/rulesets/<id>": 5,
    });
  });

  test("hides what looks like a secret, in every format", async () => {
    for (const format of ["--json", "--html"]) {
      const { stdout } = await stage.run("--zone", "blog.example.com", format);
      expect(stdout).toContain("x-monitor-key");
      expect(stdout).not.toContain("hunter2");
    }
    expect((await stage.run("--zone", "blog.example.com")).stdout).not.toContain("hunter2");
  });

  test("prints a table", async () => {
    const table = await stage.run("--all-zones");
    expect(table.stdout).toMatch(/^4 zones, .* UTC: 6 errors, 7 warnings, 3 infos\.\n/);
    expect(table.stdout).toMatch(/│ shop\.example\.com │ ✓ active +│ ✓ active +│ ✓ active +│/);
    expect(table.stdout).toContain("│ PL2, score threshold 40 (medium), action block │");
  });

  test("a filter of the page stands above the table that it filters", async () => {
    const { stdout } = await stage.run("--all-zones", "--html");
    const titles = stdout.matchAll(/<(?:h2|summary)>([^<]+)<\/\w+>\s*<div class="table">\s*<p class="filter">/g);
    expect(Array.from(titles, ([, title]) => title)).toEqual(["Findings", "Rulesets"]);
    expect(stdout.match(/type="search"/g)).toHaveLength(2);
  });

  test("matches the output in the documentation", async () => {
    const undated = (text: string): string => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "<time>");
    const page = readFileSync(join(root, "docs", "report.md"), "utf8");
    const blocks = [...page.matchAll(/\n\n```\n(?:\$ .*\n)?([\s\S]*?)\n```\n/g)].map(([, text = ""]) => undated(text));
    const { stdout } = await stage.runBuilt("--all-zones");
    expect(`${blocks.join("\n\n")}\n`).toBe(undated(stdout));
  });

  test("has all its options in the documentation", async () => {
    const page = readFileSync(join(root, "docs", "report.md"), "utf8");
    const options = (await cli(["report", "--help"])).stdout.match(/^ +(?:-\w, )?--[a-z-]+/gm) ?? [];
    const own = options
      .map((line) => line.replace(/^.*--/, "--"))
      .filter((name) => !/base-url|requests-per|help/.test(name));
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test("includes the other zones when one fails, and reports it in the exit code", async () => {
    const blog = await stage.service.zoneNamed("blog.example.com");
    await stage.service.fault({ method: "GET", path: `/zones/${blog}/rulesets`, status: 403 });
    const { code, stdout } = await stage.run("--all-zones", "--json");
    await stage.service.noFaults();
    expect(code).toBe(3);
    const found = JSON.parse(stdout) as Report;
    expect(found.zones.find(({ zoneName }) => zoneName === "blog.example.com")?.failure).toContain("403");
    expect(statesOf(found, "shop.example.com")).toEqual(["active", "active", "active"]);
    const unknown = await stage.runBuilt("--zone", "nowhere.example.com", "--zone", "shop.example.com");
    expect([unknown.code, unknown.stdout]).toEqual([3, expect.stringContaining("no zone nowhere.example.com")]);
  });

  test("leaves only the phase of an unreadable ruleset undecided", async () => {
    const shop = await stage.service.zoneNamed("shop.example.com");
    const limits = (await stage.service.list(`zones/${shop}`)).find(({ phase }) => phase === LIMITS)?.id ?? "";
    await stage.service.fault({ method: "GET", path: `/zones/${shop}/rulesets/${limits}`, status: 403 });
    const { code, stdout } = await stage.run("--zone", shop, "--json");
    await stage.service.noFaults();
    expect(code).toBe(3);
    const found = JSON.parse(stdout) as Report;
    expect(statesOf(found, "shop.example.com")).toEqual(["active", "unknown", "active"]);
    const reason = expect.stringContaining("403") as string;
    expect(found.zones[0]?.unread).toEqual([
      { phase: LIMITS, what: 'Rate limits ("default")', reason, isForbidden: true },
    ]);
  });

  test("reports what a token without access to the account leaves undecided, and fails unless that is allowed", async () => {
    const account = await stage.service.account();
    await stage.service.fault({ method: "GET", path: `/accounts/${account}/rulesets`, status: 403, times: 2 });
    const zones = ["--zone", "shop.example.com", "--zone", "old.example.com"];
    const { code, stdout } = await stage.run(...zones, "--json");
    const allowed = await stage.run(...zones, "--allow-forbidden");
    await stage.service.noFaults();
    expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining("no findings in what could be read")]);
    const found = JSON.parse(stdout) as Report;
    // The custom rulesets that the zones list may belong to the account, so it is unknown whether a rule executes them.
    expect([code, found.findings]).toEqual([3, []]);
    expect(found.accounts[0]).toMatchObject({ unread: [{ what: "its rulesets", isForbidden: true }] });
    expect(statesOf(found, "shop.example.com")).toEqual(["active", "active", "active"]);
    expect(statesOf(found, "old.example.com")).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("fails when the account cannot be read for another reason", async () => {
    const account = await stage.service.account();
    await stage.service.fault({ method: "GET", path: `/accounts/${account}/rulesets`, status: 500 });
    const { code, stdout } = await stage.run("--zone", "shop.example.com");
    await stage.service.noFaults();
    expect([code, stdout]).toEqual([3, expect.stringMatching(/- account Example Ltd: its rulesets: .*500/)]);
  });

  test.each([
    [403, 3, 0],
    [500, 3, 3],
  ])("fails when the lists of the account cannot be read: %d", async (status, code, allowed) => {
    const account = await stage.service.account();
    await stage.service.fault({ method: "GET", path: `/accounts/${account}/rules/lists`, status, times: 2 });
    const found = await stage.run("--zone", "shop.example.com");
    const again = await stage.run("--zone", "shop.example.com", "--allow-forbidden");
    await stage.service.noFaults();
    expect([found.code, again.code]).toEqual([code, allowed]);
    expect(found.stdout).toMatch(/- account Example Ltd: its lists: /);
  });

  test("fails when a ruleset that a list shows is said not to exist, whatever may be forbidden", async () => {
    await stage.service.fault({ method: "GET", path: "^/zones/[^/]+/rulesets/[^/]+$", status: 404, times: 99 });
    const found = await stage.run("--zone", "shop.example.com", "--allow-forbidden", "--fail-on", "never");
    await stage.service.noFaults();
    expect([found.code, found.stdout]).toEqual([3, expect.stringMatching(/- shop\.example\.com: .*404/)]);
  });

  test("describes an unreadable managed ruleset by its overrides", async () => {
    await stage.service.fault({ method: "GET", path: "/rulesets/4814384a9e5d4991b9815dcfc25d2f1f", status: 404 });
    const found = await stage.json("--zone", "blog.example.com");
    await stage.service.noFaults();
    expect(found.unread).toEqual([
      {
        of: "managed rules",
        what: "Cloudflare OWASP Core Ruleset",
        reason: expect.stringMatching(/^only its overrides show what its rules do: .*404/) as string,
        isForbidden: true,
      },
    ]);
    const runs = found.zones[0]?.rulesets.flatMap(({ managed }) => managed) ?? [];
    expect(runs[1]).toMatchObject({ paranoiaLevel: 1, scoreThreshold: 60, action: "log" });
    expect(runs[1]?.rules).toBeUndefined();
  });

  test.each([
    ["--fail-on", "error", 0],
    ["--fail-on", "warning", 2],
    ["--fail-on", "never", 0],
  ] as const)("%s %s exits with %d", async (option, level, code) => {
    expect((await stage.run("--zone", "blog.example.com", option, level)).code).toBe(code);
  });

  test("exits with 0 when there is nothing to report", async () => {
    const { code, stdout } = await stage.run("--zone", "shop.example.com", "--fail-on", "info");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 zone, .*: no findings\.\n/)]);
  });

  test("a phase without rules in any zone is no finding: its sign is neutral, and the summary says it", async () => {
    const characteristics = ["cf.colo.id", "ip.src"];
    const ratelimit = { characteristics, period: 60, requests_per_period: 5, mitigation_timeout: 60 };
    const rule = { action: "block", description: "Logins", expression: "ssl", ratelimit };
    const bare = await Stage.open({
      zones: [{ name: "bare.example.com" }],
      rulesets: [{ zone: "bare.example.com", phase: LIMITS, rules: [rule] }],
    });
    const { code, stdout } = await bare.run("--all-zones");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 zone, .* UTC: no findings; no rule stops a request in 2 phases of 1 zone\.\n/);
    expect(stdout).toMatch(/│ bare\.example\.com │ · no rules +│ ✓ active +│ · no rules +│/);
    expect((await bare.run("--all-zones", "--html")).stdout).not.toMatch(/unprotected"|class="badge (stop|warn)/);
  });

  test("a zone without rules where every request is skipped is unprotected, which is a finding", async () => {
    const skip = { action: "skip", description: "All", expression: "true", action_parameters: { ruleset: "current" } };
    const bare = await Stage.open({
      zones: [{ name: "bare.example.com" }],
      rulesets: [{ zone: "bare.example.com", phase: CUSTOM, rules: [skip] }],
    });
    expect((await bare.run("--all-zones")).code).toBe(2);
    expect(statesOf(await bare.json("--all-zones"), "bare.example.com")).toEqual(["unprotected", "empty", "empty"]);
  });

  test("reports missing and conflicting options", async () => {
    expect(await stage.runBuilt()).toMatchObject({ code: 1, stderr: expect.stringContaining("--all-zones") as string });
    expect(await stage.service.requests()).toEqual([]);
    const both = await stage.run("--all-zones", "--json", "--html");
    expect(both).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--json and --html are mutually exclusive") as string,
    });
    const help = await cli(["report", "--help"]);
    expect(help.stdout).toContain("Exit codes:\n  0  no findings at or above --fail-on");
  });
});

describe("the HTML report", () => {
  const nasty = '<script>alert("x")</script>';
  let stage: Stage;
  let html: string;
  beforeAll(async () => {
    const skip = { action: "skip", description: nasty, action_parameters: { ruleset: "current" } };
    const rules = [
      { ...skip, expression: "ip.src eq 192.0.2.1" },
      { action: "block", expression: "ip.src eq 192.0.2.2" },
    ];
    stage = await Stage.open({
      zones: [{ name: "one.example.com" }, { name: "two.example.com" }],
      rulesets: [{ zone: "one.example.com", phase: CUSTOM, rules }],
    });
    const output = newFile("report.html");
    expect(await stage.run("--all-zones", "--html", "--output", output)).toMatchObject({ code: 2, stdout: "" });
    html = readFileSync(output, "utf8");
  });

  test("loads nothing, and its content security policy forbids it", () => {
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/src=|href="(?!#)|@import|url\(|https?:/);
    expect(html).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'">/,
    );
    // The policy would block inline styles and event handlers.
    expect(html).not.toMatch(/ style=| on[a-z]+="/);
  });

  test("escapes every text", () => {
    expect(html).not.toContain(nasty);
    expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
  });

  test("shows the overview in symbols and words, not only in colors", () => {
    expect(html).toContain('<ul class="legend" aria-label="Legend">');
    expect(html).toMatch(/<th scope="row" title="two\.example\.com">two\.example\.com<\/th>/);
    expect(html).toContain(
      '<td title="two.example.com, Custom rules: unprotected" data-label="Custom rules"><a href="#finding-1"><span class="sign unprotected" aria-hidden="true">✕</span><span class="words">unprotected</span></a></td>',
    );
    expect(html).toContain("<dd>1 active, 1 unprotected</dd>");
    expect(html).toMatch(/prefers-color-scheme: ?dark/);
  });
});

test("the HTML report folds equal findings, links cells to them, and says what to do", async () => {
  const names = ["a", "b", "c", "good"].map((name) => `${name}.example.com`);
  const stage = await Stage.open({
    zones: names.map((name) => ({ name })),
    rulesets: [{ zone: "good.example.com", phase: CUSTOM, rules: [{ action: "block", expression: "ssl" }] }],
  });
  const { stdout: html } = await stage.run("--all-zones", "--html");
  const cells = [...html.matchAll(/<td title="(\w+)\.example\.com, Custom rules: [^>]*>(?:<a href="#([\w-]+)">)?/g)];
  expect(cells.map(([, zone, anchor]) => [zone, anchor]).toSorted()).toEqual([
    ["a", "finding-1"],
    ["b", "finding-1"],
    ["c", "finding-1"],
    ["good", undefined],
  ]);
  const [row = ""] = /<tr id="finding-1".*<\/tr>/.exec(html) ?? [];
  expect(row).toContain(`<details><summary>3 zones</summary>${names.slice(0, 3).join("<br>")}</details>`);
  expect(row).toMatch(/no-protection: .*<small>Deploy rules in this phase/);
  expect(html.match(/no-protection: /g)).toHaveLength(1);
});

describe("phases, plans and account rules", () => {
  const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
  const SENSITIVE = "e22d83c647c64a3eae91b71b499d988e";
  const DDOS = "4d21379b4f9f4bb088e0729962c8b3cf";
  const execute = (id: string, expression: string, overrides?: object) => ({
    action: "execute",
    expression,
    action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  });
  let stage: Stage;
  let report: Report;
  beforeAll(async () => {
    const ent = 'cf.zone.plan eq "ENT"';
    const skip = { action: "skip", description: "All of B", action_parameters: { ruleset: "current" } };
    const blocks = ["1", "2", "3", "4", "5"].map((number) => ({
      ...{ action: "block", description: `Rule ${number}`, expression: `http.request.uri.path eq "/${number}"` },
    }));
    stage = await Stage.open({
      accounts: [{ name: "Example Ltd" }],
      zones: [
        { name: "a.example.com" },
        { name: "b.example.com" },
        { name: "c.example.com", plan: "pro" },
        { name: "d.example.com", plan: "free" },
      ],
      rulesets: [
        {
          account: "Example Ltd",
          phase: FIREWALL,
          rules: [
            { ...skip, expression: `(cf.zone.name eq "b.example.com") and ${ent}` },
            execute(MANAGED, `(cf.zone.name in {"a.example.com" "b.example.com"}) and ${ent}`),
          ],
        },
        { zone: "a.example.com", phase: "http_response_firewall_managed", rules: [execute(SENSITIVE, "true")] },
        { zone: "a.example.com", phase: "ddos_l7", rules: [execute(DDOS, "true", { sensitivity_level: "low" })] },
        {
          zone: "c.example.com",
          phase: FIREWALL,
          rules: [{ ...execute(MANAGED, "true", { enabled: false }), enabled: false }],
        },
        { zone: "d.example.com", phase: LIMITS, rules: [] },
        { zone: "d.example.com", phase: CUSTOM, rules: blocks },
      ],
    });
    report = await stage.json("--account", await stage.service.account());
  });

  test("account rules protect the zones that they match, and account skip rules revoke that", () => {
    const managed = (name: string) =>
      report.zones.find(({ zoneName }) => zoneName === name)?.coverage.find(({ phase }) => phase === FIREWALL);
    expect(managed("a.example.com")).toMatchObject({ state: "active", stopping: 5, fromAccount: true });
    expect(managed("b.example.com")).toMatchObject({ state: "unprotected", stopping: 0 });
    expect(managed("c.example.com")).toMatchObject({ state: "unprotected" });
    expect(findingsOf(report, "Example Ltd")).toEqual([`skip-for-everybody error ${FIREWALL}`]);
    expect(report.findings.find(({ code }) => code === "skip-for-everybody")?.message).toBe(
      "every request of b.example.com skips the rest of its ruleset",
    );
    expect(report.accounts[0]?.rulesets[0]?.managed[0]).toMatchObject({ reach: "every" });
  });

  test("a phase that the plan does not include, or that Cloudflare's defaults cover, is no gap", () => {
    const response = report.phases.indexOf("http_response_firewall_managed");
    const ddos = report.phases.indexOf("ddos_l7");
    const of = (index: number) => report.zones.map(({ coverage }) => coverage[index]?.state);
    // The rules for sensitive data log by default.
    expect(of(response)).toEqual(["active", "unprotected", "notInPlan", "notInPlan"]);
    expect(of(ddos)).toEqual(["weakened", "default", "default", "default"]);
    expect(findingsOf(report, "a.example.com")).toContain("sensitivity-lowered warning ddos_l7");
  });

  test("a disabled managed ruleset, and a quota that is used up, are reported", () => {
    expect(findingsOf(report, "c.example.com")).toContain(`managed-ruleset-off error ${FIREWALL}`);
    const runs = report.zones.flatMap(({ zoneName, rulesets }) => (zoneName[0] === "c" ? rulesets : []));
    expect(runs.flatMap(({ managed }) => managed.map(levelWords))).toEqual(["all rules off"]);
    expect(findingsOf(report, "d.example.com")).toContain(`quota info ${CUSTOM}`);
    expect(report.findings.find(({ code }) => code === "quota")?.message).toBe(
      "5 of the 5 rules in the zone's plan are used",
    );
  });
});

describe("rules with an end", () => {
  test("are listed once it is over or near, and protect nothing once it is over", async () => {
    const until = (seconds: number) => `http.request.timestamp.sec lt ${String(seconds)}`;
    const soon = Math.floor(Date.now() / 1000) + 3 * 86_400;
    const rule = (ref: string, expression: string) => ({ ref, description: ref, action: "block", expression });
    const stage = await Stage.open({
      zones: [{ name: "a.example.com" }, { name: "b.example.com" }],
      rulesets: [
        { zone: "a.example.com", phase: CUSTOM, rules: [rule("over", `ssl and ${until(1_600_000_000)}`)] },
        {
          zone: "b.example.com",
          phase: CUSTOM,
          rules: [
            rule("soon", `ssl and ${until(soon)}`),
            rule("autumn", `ssl and http.host eq "a" and ${until(soon + 10 * 86_400)}`),
            rule("stays", "true"),
          ],
        },
      ],
    });
    const report = await stage.json("--all-zones");
    const [none, later] = await Promise.all(
      ["0", "30"].map((days) => stage.json("--all-zones", "--expiry-warning-days", days)),
    );
    const wrong = await stage.run("--all-zones", "--expiry-warning-days", "soon");
    const ends = (of: typeof report | undefined) =>
      of?.findings.flatMap(({ code, rule: { ref } = {} }) => (code === "expiring" ? [ref] : []));
    expect([ends(none), ends(later)]).toEqual([[], ["autumn", "soon"]]);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain("--expiry-warning-days must be a number of days from 0 to 3650, not soon");
    const found = report.findings.map(({ code, severity, rule: of, message }) => [code, severity, of?.ref, message]);
    expect(found).toContainEqual(["expired", "info", "over", "it expired at 2020-09-13 12:26:40 (UTC)"]);
    expect(found).toContainEqual(["expiring", "info", "soon", expect.stringMatching(/^it expires in 2 days, at /)]);
    expect(found.filter(([code]) => String(code).startsWith("expir"))).toHaveLength(2);
    expect([statesOf(report, "a.example.com")[0], statesOf(report, "b.example.com")[0]]).toEqual([
      "unprotected",
      "active",
    ]);
  });
});
