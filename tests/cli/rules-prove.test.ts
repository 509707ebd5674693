import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { runProve, type ProveCommand } from "../../tools/cli/rules/prove/command.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import type { Emulator } from "../../emulator/index.js";
import { clientFor } from "../support/client.js";
import { Service, TOKEN } from "../support/emulator.js";
import { cli, folder, newFile, root } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const FIREWALL = "http_request_firewall_custom";
const ADMIN = 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}';
const INVARIANTS = `invariants:
  - name: admin only from the office
    requests: ${ADMIN}
    must: be-stopped
`;
const blocking = { action: "block", description: "Close admin", expression: ADMIN };

interface Proved {
  readonly code: number;
  readonly text: string;
}

async function prove(paths: string[], options: Partial<ProveCommand> = {}, emulator?: Emulator): Promise<Proved> {
  const lines: string[] = [];
  const code = await runProve(
    paths,
    { parallel: "4", ...options },
    {
      connect: () => clientFor(emulator?.url ?? "http://127.0.0.1:9"),
      progress: NO_PROGRESS,
      print: (line) => lines.push(line),
      now: new Date("2026-11-25"),
    },
  );
  return { code, text: lines.join("\n") };
}

const rulesFile = (...rules: object[]): string => newFile("rules.json", { kind: "zone", phase: FIREWALL, rules });

describe("rules prove, for files", () => {
  test("proves an invariant", async () => {
    const { code, text } = await prove([folder({ "a.invariants.yaml": INVARIANTS })], {
      program: [rulesFile(blocking)],
    });
    expect(text).toContain("  proved in ");
    expect(text).toContain("1 invariant in 1 zone: 1 proved.");
    expect(text).toContain("--zone judges everything that is deployed");
    expect(code).toBe(0);
  });

  test("proves nothing about rules whose phase does not exist", async () => {
    const rules = newFile("rules.json", { phase: "http_request_firewall_costum", rules: [blocking] });
    const proved = prove([newFile("a.invariants.yaml", INVARIANTS)], { program: [rules] });
    await expect(proved).rejects.toThrow(/rules\.json:2:\d+: .*phase: .* did you mean "http_request_firewall_custom"/);
  });

  test("shows the smallest request that violates one, and what each rule does with it", async () => {
    const skip = {
      action: "skip",
      description: "Partner",
      expression: "ip.src eq 203.0.113.7",
      action_parameters: { ruleset: "current" },
    };
    const { code, text } = await prove([newFile("a.invariants.yaml", INVARIANTS)], {
      program: [rulesFile(skip, blocking)],
    });
    expect(text).toContain(`admin only from the office
  requests with ${ADMIN} must be blocked, challenged or limited
  violated in `);
    expect(text).toContain(`
    GET https://www.example.com/admin from 203.0.113.7: allowed
    http_request_firewall_custom, zone
      matched      "Partner" (skip): \`ip.src eq 203.0.113.7\` is true
      skipped      "Close admin" (block): skipped by "Partner"
`);
    expect(code).toBe(2);
  });

  test("what is not decided fails, unless that is allowed", async () => {
    const rule = { ...blocking, expression: `${ADMIN} and not ip.src in $unknown` };
    const given = [newFile("a.invariants.yaml", INVARIANTS)];
    const program = [rulesFile(rule)];
    const { code, text } = await prove(given, { program });
    expect(text).toContain("  unknown in ");
    expect(text).toMatch(
      /\$unknown are not known.*What would decide it: the items of the list, which `rules prove --zone` reads/,
    );
    expect(code).toBe(2);
    expect((await prove(given, { program, allowUnknown: true })).code).toBe(0);
  });

  test("names mistakes in expressions of the rules, with their lines and what to write instead", async () => {
    const wrong = { ...blocking, expression: 'http.request.uri.pth eq "/admin"' };
    const { code, text } = await prove([newFile("a.invariants.yaml", INVARIANTS)], { program: [rulesFile(wrong)] });
    expect(text).toMatch(/rules\.json:8: "Close admin": .*Did you mean `http\.request\.uri\.path`\?/);
    expect(code).toBe(2);
  });

  test("a file of rulesets has the items of the lists that its rules use", async () => {
    const given = [newFile("a.invariants.yaml", INVARIANTS)];
    const rules = [{ ...blocking, expression: ADMIN.replace("{192.0.2.0/24}", "$office") }];
    const rulesets = [{ phase: FIREWALL, rules }];
    const withItems = (...office: unknown[]): string[] => [newFile("listed.json", { rulesets, lists: { office } })];
    expect((await prove(given, { program: withItems("192.0.2.0/24") })).code).toBe(0);
    const { code, text } = await prove(given, { program: withItems("192.0.2.0/24", "198.51.100.7") });
    expect(code).toBe(2);
    expect(text).toContain("GET https://www.example.com/admin from 198.51.100.7: allowed");
    await expect(prove(given, { program: withItems("192.0.2.0/24", "an office") })).rejects.toThrow(
      /listed\.json:\d+:\d+: lists\.office\[1\]: must be an IP address or range, a hostname or an AS number/,
    );
    await expect(prove(given, { program: withItems("192.0.2.0/24", 64500) })).rejects.toThrow("items of one kind");
  });

  test("an invariant that applies to nothing proves nothing", async () => {
    const file = newFile("a.invariants.yaml", `${INVARIANTS}    zones: { plan: enterprise }\n`);
    const { code, text } = await prove([file], { program: [rulesFile(blocking)], plan: "free" });
    expect(text).toContain("1 invariant in 0 zones: nothing was judged.");
    expect(code).toBe(2);
  });

  test("a program without rulesets proves nothing", async () => {
    // An inline program of the Automation API looks like this: a function that nobody calls.
    const main = "exports.program = () => undefined;";
    const program = folder({ "Pulumi.yaml": "name: inline\nruntime: nodejs\n", "index.js": main });
    const allowed = newFile("a.invariants.yaml", "invariants: [{ name: open, requests: ssl, must: be-allowed }]");
    const { code, stderr } = await cli(["rules", "prove", allowed, "--program", program]);
    expect(stderr).toContain(`the program in ${program} declares no ruleset, so nothing is proved about it`);
    expect(code).toBe(1);
  });

  test("zones that a program creates are told apart, with their names", async () => {
    const main = `const pulumi = require("@pulumi/pulumi");
const { PhaseEntrypoint } = require("pulumi-rulesets");
for (const [name, rules] of Object.entries({ shop: [${JSON.stringify(blocking)}], blog: [] })) {
  const zone = new pulumi.CustomResource("cloudflare:index/zone:Zone", name, { name: name + ".example.org" });
  new PhaseEntrypoint(name, { zoneId: zone.id, phase: "${FIREWALL}", rules });
}
`;
    const program = folder({ "Pulumi.yaml": "name: two\nruntime: nodejs\n", "index.js": main });
    symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
    const file = newFile("a.invariants.yaml", `${INVARIANTS}    zones: { name: "*.example.org" }\n`);
    const { code, stdout } = await cli(["rules", "prove", file, "--program", program]);
    expect(stdout).toContain("  violated in blog.example.org\n    GET https://blog.example.org/admin");
    expect(stdout).toContain("  proved in shop.example.org");
    expect(code).toBe(2);
  });

  test("rules of a zone that only a lookup knows are of no other zone", async () => {
    const main = `const pulumi = require("@pulumi/pulumi");
const { PhaseEntrypoint } = require("pulumi-rulesets");
const blog = pulumi.runtime.invokeOutput("cloudflare:index/getZone:getZone", { filter: { name: "blog.example.org" } });
new PhaseEntrypoint("shop", { zoneId: "${"1".repeat(32)}", phase: "${FIREWALL}", rules: [] });
const rules = [${JSON.stringify(blocking)}];
new PhaseEntrypoint("blog", { zoneId: blog.apply(({ zoneId }) => zoneId), phase: "${FIREWALL}", rules });
`;
    const mocks = `exports.call = () => ({ zoneId: "${"2".repeat(32)}" });`;
    const files = { "Pulumi.yaml": "name: two\nruntime: nodejs\n", "index.js": main, "mocks.js": mocks };
    const program = folder(files);
    symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
    const run = (...args: string[]) =>
      cli(["rules", "prove", newFile("a.invariants.yaml", INVARIANTS), "--program", program, ...args]);
    const { code, stdout } = await run();
    expect(stdout).toContain(`  violated in zone ${"1".repeat(32)}`);
    expect(stdout).toContain(
      "  unknown in zone of blog (known after `pulumi up`)\n    the ID of the zone is not known",
    );
    expect(code).toBe(2);
    const tests = `zone: { id: "${"1".repeat(32)}" }
tests: [{ request: { url: "https://shop.example.org/admin" }, expect: block }]`;
    const test = await cli(["rules", "test", newFile("a.firewall.yaml", tests), "--rules", program]);
    const refused = expect.stringContaining("which rules are of one zone is not known") as string;
    expect([test.code, test.stderr]).toEqual([1, refused]);
    const one = newFile("one.json", { rulesets: [{ zoneId: "1".repeat(32), phase: FIREWALL, rules: [blocking] }] });
    const diff = await cli(["rules", "diff", one, program, "--no-looser"]);
    expect([diff.code, diff.stderr]).toEqual([1, refused]);
    const mocked = await run("--mocks", join(program, "mocks.js"));
    expect(mocked.stdout).toContain(`  proved in zone ${"2".repeat(32)}`);
  });

  test("an invariant about no request at all proves nothing", async () => {
    const file = newFile("a.invariants.yaml", INVARIANTS.replace(ADMIN, 'http.request.method eq "get"'));
    const { code, text } = await prove([file], { program: [rulesFile(blocking)] });
    expect(text).toContain(`${file}:2: admin only from the office: no request can match it, so it says nothing`);
    expect(code).toBe(2);
  });

  test("names the lines of exceptions that have expired", async () => {
    const except = "    except: [{ zone: old.example.com, until: 2026-11-24, reason: closed soon }]\n";
    const file = newFile("a.invariants.yaml", INVARIANTS + except);
    const { text } = await prove([file], { program: [rulesFile(blocking)] });
    expect(text).toContain(
      `${file}:5: admin only from the office: the exception for old.example.com has expired: its last day was 2026-11-24`,
    );
  });

  test("writes JSON", async () => {
    const file = newFile("a.invariants.yaml", INVARIANTS);
    const program = [rulesFile()];
    const json: unknown = JSON.parse((await prove([file], { program, json: true })).text);
    expect(json).toMatchObject({
      verdicts: [
        {
          invariant: "admin only from the office",
          verdict: "violated",
          request: { url: "https://www.example.com/admin" },
          trace: [],
        },
      ],
    });
  });

  test("files of the same name of an invariant are refused with both places", async () => {
    const path = folder({ "a.invariants.yaml": INVARIANTS, "b.invariants.yaml": INVARIANTS });
    await expect(prove([path])).rejects.toThrow("b.invariants.yaml:2:11: invariants[0].name: ");
  });
});

describe("rules prove, for zones", () => {
  let emulator: Emulator;
  let service: Service;
  const invariants = newFile("a.invariants.yaml", INVARIANTS);

  beforeAll(async () => {
    emulator = await emulatorWith();
    service = new Service(emulator);
    for (const plan of ["pro", "business"]) {
      const ruleset = { name: "default", kind: "zone", phase: FIREWALL, rules: [blocking] };
      await service.create(`zones/${await service.zone(plan)}`, ruleset);
    }
  });

  test("judges what is deployed, with one list for each scope and one read for each ruleset", async () => {
    await service.forget();
    const { code, text } = await prove([invariants], { allZones: true, json: true }, emulator);
    const { verdicts } = JSON.parse(text) as { verdicts: { zone: { name: string }; verdict: string }[] };
    expect(Object.fromEntries(verdicts.map(({ zone, verdict }) => [zone.name, verdict]))).toEqual({
      "free.example.com": "violated",
      "pro.example.com": "proved",
      "business.example.com": "proved",
      "enterprise.example.com": "violated",
    });
    expect(code).toBe(2);
    const requests = (await service.requests()).map((request) => request.replace(/\/[0-9a-f]{32}/g, "/<id>"));
    expect(requests.map((request) => request.replace(/\?.*/, "")).sort()).toEqual([
      "GET /accounts/<id>/rulesets",
      "GET /zones",
      ...Array.from({ length: 4 }, () => "GET /zones/<id>/rulesets"),
      ...Array.from({ length: 2 }, () => "GET /zones/<id>/rulesets/<id>"),
    ]);
  });

  test("asks for the names of a program's zones, so that exceptions by name apply", async () => {
    const except = `${INVARIANTS}    except: [{ zone: pro.example.com, until: 2099-01-01, reason: soon }]\n`;
    const file = newFile("a.invariants.yaml", except);
    const rules = { kind: "zone", phase: FIREWALL, zoneId: await service.zone("pro"), rules: [] };
    const program = [newFile("rules.json", rules)];
    const unnamed = await prove([file], { program }, emulator);
    expect(unnamed.text).toContain("pro.example.com may mean it");
    expect(unnamed.code).toBe(2);
    const named = await prove([file], { program, zoneNames: true }, emulator);
    expect(named.text).toContain("  excepted in pro.example.com until 2099-01-01: soon");
    expect(named.code).toBe(0);
  });

  test("nothing is proved where the account could not be read", async () => {
    await service.fault({ path: "/accounts/", status: 403, times: 1 });
    const { code, text } = await prove([invariants], { zone: ["pro.example.com"] }, emulator);
    expect(text).toMatch(/ {2}unknown in pro.example.com\n {4}the rulesets of the account \w+ could not be read/);
    expect(text).toMatch(/Could not be read:\n- the rulesets of the account \w+: GET .*403/);
    expect(code).toBe(3);
  });

  test("what the account decides is no answer, whatever is allowed", async () => {
    const except = `${INVARIANTS}    except: [{ zone: "*.example.com", until: 2099-01-01, reason: soon }]\n`;
    const zone = ["pro.example.com", "business.example.com"];
    const runs: readonly Partial<ProveCommand>[] = [{ allowUnknown: true }, {}];
    for (const options of runs) {
      await service.fault({ path: "/accounts/", status: 403, times: 1 });
      const { code, text } = await prove([newFile("a.invariants.yaml", except)], { zone, ...options }, emulator);
      expect(text).toMatch(/the rulesets of the account \w+/);
      expect(code).toBe(3);
    }
  });

  test("lists that cannot be read leave undecided what they decide, and nothing else", async () => {
    const accountId = await service.account();
    const lists = `/accounts/${accountId}/rules/lists`;
    const { id } = await service.ask<{ id: string }>("POST", lists, { name: "office", kind: "ip" });
    await service.ask("POST", `${lists}/${id}/items`, [{ ip: "192.0.2.0/24" }]);
    await service.advanceClock(60);
    const both = `${INVARIANTS}
  - name: admin only from the list
    requests: starts_with(http.request.uri.path, "/admin") and not ip.src in $office
    must: be-stopped
`;
    const given = [newFile("a.invariants.yaml", both)];
    const zone = ["pro.example.com"];
    expect((await prove(given, { zone }, emulator)).text).toContain("2 invariants in 1 zone: 2 proved.");
    await service.fault({ path: "/rules/lists", status: 403, times: 1 });
    const { code, text } = await prove(given, { zone }, emulator);
    expect(text).toContain("1 unknown, 1 proved.");
    expect(text).toContain(
      "Notes:\n- What depends on lists is not known, because the items of $office could not be read: ",
    );
    expect(text).toMatch(
      /Could not be read:\n- the lists of the account \w+: the items of \$office could not be read: /,
    );
    expect(code).toBe(3);
    await service.fault({ path: "/rules/lists", status: 403, times: 1 });
    expect((await prove(given, { zone, allowUnknown: true }, emulator)).code).toBe(3);
    // What the lists do not decide needs none of them.
    const headers = { "x-office": { operation: "set", value: "1" } };
    const rewrite = { action: "rewrite", expression: "ip.src in $office", action_parameters: { headers } };
    const late = { kind: "zone", name: "headers", phase: "http_request_late_transform", rules: [rewrite] };
    await service.create(`zones/${await service.zone("pro")}`, late);
    await service.fault({ path: "/rules/lists", status: 403, times: 1 });
    const other = await prove([invariants], { zone }, emulator);
    expect(other.text).toContain("the items of $office could not be read");
    expect(other.code).toBe(0);
  });

  test("a zone without a name is refused, as where a variable is not set", async () => {
    await expect(prove([invariants], { zone: [""] }, emulator)).rejects.toThrow("--zone must be the name or the ID");
  });

  test("a zone that cannot be read has an exit code of its own", async () => {
    const { code, text } = await prove([invariants], { zone: ["pro.example.com", "missing.example.com"] }, emulator);
    expect(text).toContain("Could not be read:\n- the zone missing.example.com: there is no zone missing.example.com");
    expect(code).toBe(3);
  });

  test("runs as a command", async () => {
    const { code, stdout, stderr } = await cli(["rules", "prove", invariants, "--zone", "pro.example.com"], {
      CLOUDFLARE_API_TOKEN: TOKEN,
      RULESETS_BASE_URL: emulator.url,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("1 invariant in 1 zone: 1 proved.");
  });
});
