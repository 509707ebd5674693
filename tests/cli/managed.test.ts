import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../emulator/index";
import { parseLock } from "../../tools/cli/managed/lock-file";
import { managedRulesets } from "../../core/managed/rulesets";
import { Service } from "../support/emulator";
import { freshEmulator } from "../support/emulators";
import { runInProcess } from "./in-process.js";
import { cli, type Finished } from "./support";
import { temporaryFolder } from "../support/temporary-folder.js";

const FIREWALL = "http_request_firewall_managed";
const MANAGED = managedRulesets.cloudflareManaged;
const [WORDPRESS, XSS, SQLI, JOOMLA] = [
  "5de7edfa648c4d6891dc3e7f84534ffa",
  "48dbfadfb7f03a6d161f12fe1d854969",
  "76103546c9e9738a21047932accefc6e",
  "a4aeda66d4069bacc22c1d50c7b3e192",
];
const NEW = "0123456789abcdef0123456789abcdef";

const execute = (overrides?: object): object => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: MANAGED, ...(overrides === undefined ? {} : { overrides }) },
});
const seed: Seed = {
  ids: "managed",
  accounts: [{ name: "Example Ltd" }],
  zones: [{ name: "shop.example.com" }, { name: "blog.example.com", plan: "pro" }, { name: "bare.example.com" }],
  rulesets: [
    { zone: "shop.example.com", phase: FIREWALL, rules: [execute() as Record<string, unknown>] },
    {
      zone: "blog.example.com",
      phase: FIREWALL,
      rules: [
        {
          ...{ action: "skip", expression: 'http.request.uri.path eq "/cms"', description: "The CMS" },
          action_parameters: { rules: { [MANAGED]: [SQLI] } },
        },
        execute({ rules: [{ id: XSS, action: "log" }], categories: [{ category: "drupal", enabled: false }] }),
      ] as Record<string, unknown>[],
    },
  ],
};

describe("pulumi-rulesets managed", () => {
  let emulator: Emulator;
  let service: Service;
  let folder: string;
  let file: string;
  beforeEach(async () => {
    emulator = await freshEmulator({ seed });
    service = new Service(emulator);
    folder = temporaryFolder();
    file = join(folder, "managed.lock.json");
  });

  const run = async (...args: string[]): Promise<Finished> => {
    await service.forget();
    return runInProcess(emulator.url, args);
  };
  const lock = (...args: string[]): Promise<Finished> => run("managed", "lock", "--output", file, ...args);
  const diff = (...args: string[]): Promise<Finished> => run("managed", "diff", "--lock", file, ...args);
  const ALL = "--all-zones";

  test("locks the executed rulesets with a line for each rule, in an order of its own", async () => {
    const { code, stdout } = await lock(ALL);
    expect([code, stdout]).toEqual([0, `${file}: 1 managed ruleset with 6 rules.\n`]);
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toHaveLength(3 + 1 + 6 + 1 + 2 + 1);
    expect(text).toContain(
      `      {"id":"${WORDPRESS}","name":"Wordpress - Broken access control","version":"1","action":"block","enabled":true,"categories":["broken-access-control","wordpress"]}`,
    );
    const { rulesets } = parseLock(text, file);
    const ids = rulesets.flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(ids).toEqual(ids.toSorted());
    expect((await diff(ALL)).stdout).toBe(`${file} is up to date.\n`);
    await lock("--zone", "shop.example.com");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  const release = (): Promise<void> =>
    service.releaseManaged(MANAGED, {
      rules: [
        { id: NEW, action: "block", description: "Log4j - JNDI", categories: ["rce"] },
        { id: JOOMLA, action: "block", enabled: true },
        { id: XSS, action: "managed_challenge" },
      ],
      removed: [SQLI, "f8fcc70b71ee0207b03ac99bd8992181"],
    });

  test("says what a release does under the overrides of each zone", async () => {
    await lock(ALL);
    await release();
    const { code, stdout } = await diff(ALL);
    expect(code).toBe(2);
    expect(stdout).toBe(`Stop requests now:
- Cloudflare Managed Ruleset: ${JOOMLA} ("Joomla - anomaly"): off → block in blog.example.com and shop.example.com
- Cloudflare Managed Ruleset: ${NEW} ("Log4j - JNDI"): new → block in blog.example.com and shop.example.com

No longer stop requests:
- Cloudflare Managed Ruleset: ${SQLI} ("SQLi - comparison"): block → gone in blog.example.com and shop.example.com
- Cloudflare Managed Ruleset: f8fcc70b71ee0207b03ac99bd8992181 ("Drupal - remote code execution"): block → gone in shop.example.com

Do something else:
- Cloudflare Managed Ruleset: ${XSS} ("XSS - HTML injection"): block → managed_challenge in shop.example.com

Overrides and skip lists that name nothing:
- blog.example.com: Cloudflare Managed Ruleset has no rule ${SQLI} ("SQLi - comparison"), so this entry of the skip rule has no effect
- blog.example.com: no rule of Cloudflare Managed Ruleset has the tag drupal, so this override has no effect

${file} is out of date (Cloudflare Managed Ruleset 34 → 35): 5 rules do something else here and 2 overrides or skip entries name nothing. To accept the changes: npx pulumi-rulesets managed lock
`);
    expect((await diff(ALL, "--fail-on", "never")).code).toBe(0);
    expect((await diff(ALL, "--markdown")).stdout).toContain("**No longer stop requests**\n\n- Cloudflare");
    const value = JSON.parse((await diff(ALL, "--json")).stdout) as { rules: { after?: { id: string } }[] };
    expect(value).toMatchObject({ version: 1, upToDate: false, matters: true, unread: [] });
    expect(value.rules.find(({ after }) => after?.id === NEW)).toMatchObject({
      kind: "new",
      effects: [
        {
          places: ["shop.example.com", "blog.example.com"],
          before: null,
          after: "block",
          startsToStop: true,
        },
      ],
    });
    await lock(ALL);
    const accepted = await diff(ALL);
    expect(accepted.code).toBe(2);
    expect(accepted.stdout).toMatch(
      /is up to date, but 2 overrides or skip entries name nothing\. To continue: change or remove them\.\n$/,
    );
    expect(JSON.parse((await diff(ALL, "--json")).stdout)).toMatchObject({ upToDate: true, matters: true });
    expect((await diff("--zone", "shop.example.com")).stdout).toBe(`${file} is up to date.\n`);
  });

  test("shows a rule that was tested as a beta and merged, and what still names it", async () => {
    const beta = { id: NEW, action: "log", description: "XSS - HTML injection - Beta", categories: ["xss"] };
    await service.releaseManaged(MANAGED, { rules: [beta] });
    await service.ask(
      "PUT",
      `/zones/${await service.zoneNamed("blog.example.com")}/rulesets/phases/${FIREWALL}/entrypoint`,
      {
        rules: [execute({ rules: [{ id: NEW, action: "block" }] })],
      },
    );
    await lock(ALL);
    await service.releaseManaged(MANAGED, { rules: [{ id: XSS, enabled: true }], removed: [NEW] });
    const { code, stdout } = await diff(ALL);
    expect(code).toBe(2);
    expect(stdout).toContain(`Merged into other rules, by their names:
- Cloudflare Managed Ruleset: ${NEW} ("XSS - HTML injection - Beta") into ${XSS} ("XSS - HTML injection")`);
    expect(stdout).toContain(
      `- blog.example.com: Cloudflare Managed Ruleset has no rule ${NEW} ("XSS - HTML injection - Beta"), so this override has no effect; ` +
        `by its name, the rule was merged into ${XSS} ("XSS - HTML injection")`,
    );
    expect(stdout).toContain(`- Cloudflare Managed Ruleset: ${XSS} ("XSS - HTML injection"): version 1 → 2`);
    expect(stdout).not.toContain("Do something else");
  });

  test("a rule that is new and off here changes no effect, and fails only with --fail-on any", async () => {
    await lock(ALL);
    await service.releaseManaged(MANAGED, {
      rules: [{ id: NEW, action: "block", enabled: false, description: "New" }],
    });
    const { code, stdout } = await diff(ALL);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`- Cloudflare Managed Ruleset: ${NEW} ("New"): new, off`),
    ]);
    expect((await diff(ALL, "--fail-on", "any")).code).toBe(2);
  });

  test("names rulesets that the lock lacks, and those that are no longer executed", async () => {
    writeFileSync(
      file,
      JSON.stringify({
        version: 1,
        rulesets: [{ id: managedRulesets.free, name: "Free", phase: FIREWALL, version: "1", rules: [] }],
      }),
    );
    const { code, stdout } = await diff(ALL);
    expect(code).toBe(2);
    expect(stdout).toContain(`Not in ${file}:\n- ${MANAGED} ("Cloudflare Managed Ruleset") is executed`);
    expect(stdout).toContain(`In ${file}, and no longer executed:\n- ${managedRulesets.free} ("Free")`);
  });

  test("a report names overrides and skip lists that name nothing", async () => {
    expect((await run("report", ALL)).stdout).not.toContain("dead-override");
    await release();
    const { code, stdout } = await run("report", ALL);
    expect(code).toBe(2);
    expect(stdout).toContain(
      `dead-override: Cloudflare Managed Ruleset has no rule ${SQLI}, so this entry of the skip rule has no effect`,
    );
    expect(stdout).toContain(
      "dead-override: no rule of Cloudflare Managed Ruleset has the tag drupal, so this override has no effect",
    );
  });

  test("sends no more requests than a report", async () => {
    await lock(ALL);
    const requests = (await service.requests()).toSorted();
    await run("report", ALL);
    const report = await service.requests();
    expect(requests).toEqual(report.filter((one) => !one.endsWith("/rules/lists")).toSorted());
    expect(requests.filter((one) => one.endsWith(MANAGED))).toHaveLength(1);
    await diff(ALL);
    expect(await service.requests()).toHaveLength(requests.length);
  });

  test("what cannot be read is named, writes nothing and fails", async () => {
    await lock(ALL);
    const before = readFileSync(file, "utf8");
    await service.releaseManaged(MANAGED, { rules: [{ id: JOOMLA, action: "block", enabled: true }] });
    const broken = { path: MANAGED, status: 500, body: { success: false, errors: [{ message: "out of order" }] } };
    await service.fault({ ...broken, times: 1 });
    const failed = await lock(ALL);
    expect([failed.code, failed.stdout]).toEqual([
      3,
      expect.stringMatching(/^Could not be read:\n- managed ruleset efb7b8.*out of order/),
    ]);
    expect(failed.stdout).toContain(`${file} is not written.`);
    expect(readFileSync(file, "utf8")).toBe(before);
    await service.fault({ ...broken, times: 1 });
    const compared = await diff(ALL, "--fail-on", "never");
    expect([compared.code, compared.stdout]).toEqual([3, expect.stringContaining("1 part could not be read.")]);
    await service.noFaults();
    const missing = await diff(ALL, "--zone", "shop.example.co");
    expect([missing.code, missing.stdout]).toEqual([2, expect.anything()]);
    const unknown = await diff("--zone", "shop.example.co");
    expect([unknown.code, unknown.stdout]).toEqual([3, expect.stringContaining("there is no zone shop.example.co")]);
  });

  test("refuses a file that is no lock, with what to do", async () => {
    const wrong = async (text: string): Promise<string> => {
      writeFileSync(file, text);
      const { code, stderr } = await diff(ALL);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await wrong("{}")).toBe(
      `${file}:1:1: version: is required: the version of this format
${file}:1:1: rulesets: is required. To continue: write it again with \`npx pulumi-rulesets managed lock\`.`,
    );
    expect(await wrong('{"version":1,\n<<<<<<< HEAD\n')).toContain("contains the markers of a merge conflict");
    expect(await wrong('{"rulesets":[]}')).toContain("version: is required");
    expect(await wrong('{"version":2,"rulesets":[]}')).toContain(":1:12: version: must be 1");
    expect(await wrong('{"version":1,"rulesets":[{"id":"a","rules":[]}]}')).toContain("rulesets[0].name: is required");
    rmSync(file);
    expect((await diff(ALL)).stderr).toBe(`${file} does not exist`);
    writeFileSync(file, "{}");
  });

  test("reads the overrides of a program, with one request for each managed ruleset", async () => {
    const zone = await service.zoneNamed("bare.example.com");
    const rules = join(folder, "rules.json");
    const write = (zoneId: string): void => {
      const rule = {
        action: "execute",
        expression: "true",
        actionParameters: { id: MANAGED, overrides: { action: "log" } },
      };
      writeFileSync(rules, JSON.stringify({ phase: FIREWALL, zoneId, name: "WAF", rules: [rule] }));
    };
    write(zone);
    expect((await lock("--program", rules)).code).toBe(0);
    expect(await service.requests()).toEqual([`GET /zones/${zone}/rulesets/${MANAGED}`]);
    await release();
    const { stdout } = await diff("--program", rules);
    expect(stdout).toContain(`- Cloudflare Managed Ruleset: ${JOOMLA} ("Joomla - anomaly"): off → log in WAF`);
    expect(stdout).not.toContain("Stop requests now");
    write("zone-id");
    const nowhere = await diff("--program", rules);
    expect(nowhere.code).toBe(3);
    expect(nowhere.stdout).toContain("specify one with --zone or --account");
    expect((await diff("--program", rules, "--zone", "bare.example.com")).code).toBe(2);
  });

  test("the built command locks beside the program", async () => {
    const rules = join(folder, "rules.json");
    writeFileSync(
      rules,
      JSON.stringify({
        phase: FIREWALL,
        zoneId: await service.zoneNamed("shop.example.com"),
        rules: [{ ...execute(), action_parameters: { id: MANAGED } }],
      }),
    );
    const args = ["managed", "lock", "--base-url", emulator.url, "--program", rules, "--output", file];
    const { code, stdout } = await cli(args, { CLOUDFLARE_API_TOKEN: "test-token-0123456789" });
    expect([code, stdout]).toEqual([0, `${file}: 1 managed ruleset with 6 rules.\n`]);
  });
});
