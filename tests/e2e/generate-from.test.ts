import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { cli } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { sampleSeed } from "../support/every-action.js";
import { writesIn } from "../support/requests.js";
import { terraformState, type Given } from "../support/states.js";
import { compilerErrors } from "../support/typescript.js";
import { contentsOf } from "./support/contents.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

/*
 * A program that was generated from another tool's state takes over what that tool manages: no write is sent, every ID is
 * kept, and the next preview shows no changes.
 */

const ZONE = "shop.example.com";
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

describe("a program generated from another tool's state", () => {
  let emulator: Emulator;
  let service: Service;
  let project: ProjectStack;
  let scopes: string[];

  const start = async (): Promise<string> => {
    emulator = await emulatorWith({ seed: { ...sampleSeed, zones: [{ name: ZONE }] } });
    service = new Service(emulator);
    const zone = await service.zone();
    scopes = [`accounts/${await service.account()}`, `zones/${zone}`];
    return zone;
  };

  const contents = () => contentsOf(service, scopes);

  /** Expects an up without writes, with reads within limits: a resource that moves by an alias is known from the state. */
  const expectTakeover = async (
    before: readonly string[],
    [least, most]: readonly [number, number],
    lists: readonly string[] = [],
  ): Promise<void> => {
    project.checksTypes = false;
    await service.forget();
    const up = await project.mustRun("up", "--skip-preview");
    expect(up).not.toContain("deleted");
    for (const list of lists) expect(up).toContain(`takes over the existing list ${list}`);
    const requests = await service.requests();
    expect(requests.length).toBeGreaterThanOrEqual(least);
    expect(requests.length).toBeLessThanOrEqual(most);
    expect(writesIn(requests)).toEqual([]);
    expect(await contents()).toEqual(before);
    await service.forget();
    await project.mustRun("preview", "--expect-no-changes");
    expect(await service.requests()).toEqual([]);
  };

  test("of Terraform, with lists whose items are in them, or resources of their own, and the rule that uses one", async () => {
    const zone = await start();
    const [accountId, lists] = [await service.account(), `/accounts/${await service.account()}/rules/lists`];
    const list = async (name: string, kind: string, items: readonly object[], isWhole: boolean): Promise<Given[]> => {
      const made = await service.ask<{ id: string }>("POST", lists, { name, kind, description: "Ours" });
      await service.ask("POST", `${lists}/${made.id}/items`, items);
      const stored = await service.ask<object[]>("GET", `${lists}/${made.id}/items?per_page=500`);
      const account = { account_id: accountId };
      const values = { ...made, ...account, num_items: items.length, ...(isWhole ? { items } : {}) };
      const owned = { ...account, list_id: made.id };
      return [
        { type: "cloudflare_list", name, values },
        ...(isWhole
          ? []
          : stored.map((item, at): Given => ({
              type: "cloudflare_list_item",
              name,
              index: at,
              values: { ...owned, ...item },
            }))),
      ];
    };
    const addresses = Array.from({ length: 130 }, (_, at) => ({ ip: `192.0.2.${String(at)}`, comment: "bot" }));
    const redirect = { source_url: "old.example.com/", target_url: "https://example.com/", status_code: 302 };
    const given = [
      ...(await list("office", "ip", [{ ip: "198.51.100.0/24", comment: "Berlin" }, { ip: "2001:db8::1" }], true)),
      ...(await list("attackers", "ip", addresses, false)),
      ...(await list("partners", "asn", [{ asn: 64496 }], true)),
      ...(await list("moves", "redirect", [{ redirect }], false)),
    ];
    const rules = [{ ref: "a", action: "block", expression: "ip.src in $attackers and not ip.src in $office" }];
    const phase = "http_request_firewall_custom";
    const made = await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase, rules });
    given.push({ type: "cloudflare_ruleset", name: "custom", values: { ...made, zone_id: zone } });
    const before = await contents();
    project = new ProjectStack();
    const state = join(project.folder, "terraform.tfstate");
    write(project.folder, { "terraform.tfstate": JSON.stringify(terraformState(...given)) });
    const generated = await cli(["generate", "--from", state, "--out", project.folder]);
    expect([generated.code, generated.stderr]).toEqual([0, expect.not.stringContaining("left out")]);
    expect(readFileSync(join(project.folder, "attackers.csv"), "utf8")).toContain("192.0.2.129,bot");
    await project.init(emulator.url);
    expect(compilerErrors(project.folder)).toEqual([]);
    await expectTakeover(before, [1, Infinity], ["office", "attackers", "partners", "moves"]);
  });

  test("of Pulumi with resources of @pulumi/cloudflare, in their own project and stack", async () => {
    const zone = await start();
    const plugins = join(__dirname, "support", "cloudflare-plugin");
    project = new ProjectStack({
      PATH: [plugins, process.env.PATH].join(delimiter),
      RULESETS_TEST_URL: emulator.url,
    });
    const ruleset = (name: string, phase: string, rules: string): string =>
      `new CloudflareRuleset(${JSON.stringify(name)}, { zoneId: "${zone}", kind: "zone", name: "default", phase: "${phase}", rules: ${rules} });`;
    write(project.folder, {
      "Pulumi.yaml": "name: infra\nruntime: nodejs\n",
      "package.json": JSON.stringify({ name: "infra", private: true, main: "index.ts" }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          target: "es2022",
          module: "node16",
          moduleResolution: "node16",
          skipLibCheck: true,
        },
        files: ["index.ts"],
      }),
      "index.ts": [
        'import * as pulumi from "@pulumi/pulumi";',
        "class CloudflareRuleset extends pulumi.CustomResource {",
        '  constructor(name: string, args: object) { super("cloudflare:index/ruleset:Ruleset", name, args, { version: "6.22.1" }); }',
        "}",
        ruleset(
          "waf",
          "http_request_firewall_custom",
          `[
          { action: "block", expression: 'http.host eq "日本"', description: "It's \\"so\\"" },
          { ref: "named", action: "log", expression: "ssl", enabled: false },
        ]`,
        ),
        ruleset(
          "limits",
          "http_ratelimit",
          `[{ action: "block", expression: "ssl",
          ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 60 } }]`,
        ),
        "",
      ].join("\n"),
    });
    await project.init(emulator.url);
    project.checksTypes = false;
    await project.mustRun("up", "--skip-preview");
    const before = await contents();
    expect(before).toHaveLength(2);

    write(project.folder, { "state.json": await project.mustRun("stack", "export") });
    const state = join(project.folder, "state.json");
    rmSync(join(project.folder, "index.ts"));
    const generated = await cli(["generate", "--from", state, "--out", project.folder]);
    expect([generated.code, generated.stderr]).toEqual([
      0,
      expect.stringMatching(/2 resources in[^]*left unchanged[^]*has an alias/),
    ]);
    expect(readFileSync(join(project.folder, "index.ts"), "utf8")).toContain("aliases: [{ type:");
    await expectTakeover(before, [0, 0]);
  });
});
