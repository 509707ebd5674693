import { join } from "node:path";
import type { CheckResult } from "../../tools/cli/doctor/check-result.js";
import { needsOf, type DeclaredObject } from "../../tools/cli/doctor/needs.js";
import type { Emulator } from "../../emulator/index.js";
import { findKind } from "../../provider/kinds/index.js";
import { TOKEN } from "../support/emulator.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import { cli, folder, newFile } from "./support.js";
import { countsOf } from "../support/preview-counts.js";
import { emulatorWith } from "../support/emulators.js";

const [SHOP, ACCOUNT] = ["1".repeat(32), "a".repeat(32)];
const object = (more: Partial<DeclaredObject>): DeclaredObject => ({
  ...{ type: "PhaseEntrypoint", name: "waf", zoneId: SHOP, phase: "http_request_firewall_custom", usesLists: false },
  operations: findKind(more.type ?? "PhaseEntrypoint")?.description.operations ?? [],
  ...more,
});
const needs = (run: "preview" | "up", ...objects: readonly DeclaredObject[]): string[] =>
  needsOf({ objects, run, accounts: new Map([[SHOP, ACCOUNT]]) }).map(
    ({ level, id, groups, right }) => `${level} ${id.slice(0, 1)}: ${groups.join("/")} ${right}`,
  );

describe("what a program needs", () => {
  test("is the right of each phase, to read for previews, and to write for up", () => {
    const objects = [
      object({}),
      object({ phase: "http_request_dynamic_redirect" }),
      object({ phase: "http_ratelimit" }),
    ];
    expect(needs("preview", ...objects)).toEqual([
      "zone 1: Dynamic URL Redirects Read",
      "zone 1: Zone Read",
      "zone 1: Zone WAF Read",
    ]);
    expect(needs("up", ...objects)).toEqual([
      "zone 1: Dynamic URL Redirects Write",
      "zone 1: Zone Read",
      "zone 1: Zone WAF Write",
    ]);
  });

  test("names the groups of accounts, of lists, of certificates and of migrations", () => {
    const inAccount = { zoneId: undefined, accountId: ACCOUNT };
    expect(needs("up", object({ ...inAccount, phase: "http_request_redirect" }))).toEqual([
      "account a: Mass URL Redirects/Account Rulesets Write",
    ]);
    expect(needs("up", object({ ...inAccount, phase: "http_custom_errors" }))).toEqual([
      "account a: Account Rulesets Write",
    ]);
    expect(needs("up", object({ ...inAccount, type: "RulesList" }), object({ usesLists: true }))[0]).toBe(
      "account a: Account Rule Lists Write",
    );
    expect(needs("up", object({ usesLists: true }))[0]).toBe("account a: Account Rule Lists Read");
    expect(needs("up", object({ type: "CustomHostnameCertificate", phase: undefined }))).toEqual([
      "zone 1: SSL and Certificates Read",
      "zone 1: Zone Read",
    ]);
    expect(needs("preview", object({ type: "ZoneWafMigration", phase: undefined }))).toEqual(
      ["Firewall Services", "Page Rules", "Zone", "Zone Settings", "Zone WAF"].map((name) => `zone 1: ${name} Read`),
    );
  });
});

describe("doctor --program", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await emulatorWith({
      seed: { accounts: [{ id: ACCOUNT, name: "Example" }], zones: [{ id: SHOP, name: "shop.example.com" }] },
    });
  });
  const rules = [{ action: "block", expression: "ip.src in $office" }];
  const program = folder({ "rules.json": { phase: "http_request_firewall_custom", zoneId: SHOP, name: "waf", rules } });
  test("derives the same from the file of a preview, which knows IDs, and of what it deletes", async () => {
    const step = (op: string, type: string, state: "newState" | "oldState", inputs: object) => {
      const urn = `urn:pulumi:dev::firewall::pulumi-nodejs:dynamic/rulesets:${type}::${type.toLowerCase()}`;
      return { op, urn, provider: "", [state]: { urn, type: `pulumi-nodejs:dynamic/rulesets:${type}`, inputs } };
    };
    const phase = "http_request_firewall_custom";
    const file = (name: string, ...steps: readonly object[]): string =>
      newFile(name, { steps, changeSummary: countsOf(steps), diagnostics: [] });
    const needed = async (...args: readonly string[]): Promise<readonly CheckResult[]> => {
      const env = { RULESETS_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: "" };
      const { stdout } = await cli(["doctor", "--json", ...args], env);
      const { lines } = JSON.parse(stdout) as { readonly lines: readonly CheckResult[] };
      return lines.filter(({ subject }) => / needs? in /.test(subject));
    };
    const created = file("created.json", step("create", "PhaseEntrypoint", "newState", { zoneId: SHOP, phase, rules }));
    const deleted = file("deleted.json", step("delete", "PhaseEntrypoint", "oldState", { zoneId: SHOP, phase, rules }));
    const derived = await needed("--preview", created);
    expect(derived.map(({ subject, found }) => `${subject}: ${found}`)).toEqual(
      expect.arrayContaining([
        `pulumi up needs in zone ${SHOP}: Zone Read, Zone WAF Write`,
        `preview and drift need in account ${ACCOUNT}: Account Rule Lists Read`,
      ]),
    );
    expect(derived).toEqual(await needed("--program", join(program, "rules.json")));
    expect(await needed("--preview", deleted)).toEqual(derived);
    const more = file("more.json", step("create", "RulesList", "newState", { accountId: ACCOUNT, name: "office" }));
    expect(JSON.stringify(await needed("--preview", created, "--preview", more))).toContain("Account Rule Lists Write");
    const unknown = file(
      "unknown.json",
      step("create", "PhaseEntrypoint", "newState", { zoneId: UNKNOWN, phase, rules }),
    );
    const { stdout } = await cli(["doctor", "--preview", unknown], {
      ...{ RULESETS_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: "" },
    });
    expect(stdout).toContain('PhaseEntrypoint "phaseentrypoint": its zone or account is not known');
  });
});
