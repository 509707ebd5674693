import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeFileSync } from "node:fs";
import type { Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { cli, folder, root } from "./support.js";

const CUSTOM = "http_request_firewall_custom";
const line = (index: number): string =>
  JSON.stringify({
    RayID: String(index),
    ClientIP: index % 3 === 0 ? "192.0.2.7" : "198.51.100.1",
    ClientRequestHost: "shop.example.com",
    ClientRequestScheme: "https",
    ClientRequestURI: ["/old", "/admin", "/login", "/"][index % 4],
    ClientRequestMethod: index % 5 === 0 ? "POST" : "GET",
  });

let emulator: Emulator;
let service: Service;
let zoneId: string;
let saved: string;
beforeAll(async () => {
  emulator = await freshEmulator({});
  service = new Service(emulator);
  zoneId = await service.zone();
  const account = `/accounts/${await service.account()}`;
  const list = async (name: string, kind: string, items: readonly object[]): Promise<void> => {
    const { id } = await service.ask<{ id: string }>("POST", `${account}/rules/lists`, { name, kind });
    await service.ask("POST", `${account}/rules/lists/${id}/items`, items);
  };
  await list("office", "ip", [{ ip: "192.0.2.0/24" }]);
  await list("moved", "redirect", [
    { redirect: { source_url: "shop.example.com/old", target_url: "https://shop.example.com/new" } },
  ]);
  const put = (scope: string, phase: string, rules: readonly object[]): Promise<unknown> =>
    service.ask("PUT", `${scope}/rulesets/phases/${phase}/entrypoint`, { rules });
  await put(account, "http_request_redirect", [
    {
      ref: "moved",
      action: "redirect",
      expression: "http.request.full_uri in $moved",
      action_parameters: { from_list: { name: "moved", key: "http.request.full_uri" } },
    },
  ]);
  await put(`/zones/${zoneId}`, CUSTOM, [
    { ref: "office", action: "skip", action_parameters: { ruleset: "current" }, expression: "ip.src in $office" },
    { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' },
  ]);
  await put(`/zones/${zoneId}`, "http_ratelimit", [
    {
      ref: "logins",
      action: "block",
      expression: 'http.request.uri.path eq "/login"',
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 10,
        requests_per_period: 5,
        mitigation_timeout: 10,
      },
    },
  ]);
  saved = folder({});
  writeFileSync(join(saved, "log.gz"), gzipSync(Array.from({ length: 400 }, (_, index) => line(index)).join("\n")));
});

/** A program that changes the zone's rules; `secret` is a part of one of them. */
function program(expression: string): string {
  const path = folder({
    "package.json": { name: "p", main: "index.js" },
    "Pulumi.yaml": "name: p\nruntime: { name: nodejs, options: { typescript: false } }",
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const { PhaseEntrypoint } = require("pulumi-rulesets");
      new PhaseEntrypoint("custom", { zoneId: "${zoneId}", phase: "${CUSTOM}", rules: [
        { ref: "office", action: "skip", actionParameters: { ruleset: "current" }, expression: "ip.src in $office" },
        { ref: "posts", action: "block", expression: ${expression} },
      ] });`,
  });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return path;
}
const replay = (...args: string[]) =>
  cli(["rules", "replay", ...args], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" });

test("a zone and a program as files say the same as both themselves, without the service", async () => {
  const after = program(`'http.request.method eq "POST"'`);
  const rules = join(saved, "rules");
  const { stdout, code, stderr } = await replay("--zone", zoneId, "--after", after, "--save-rules", rules);
  expect(stderr).toBe("");
  expect(stdout).toBe(`wrote ${join(rules, "before.json")} and ${join(rules, "after.json")}\n`);
  expect(code).toBe(0);
  const log = join(saved, "log.gz");
  const themselves = await replay(log, "--zone", zoneId, "--after", after);
  const files = ["--before", join(rules, "before.json"), "--after", join(rules, "after.json")];
  const offline = await cli(["rules", "replay", log, ...files], { RULESETS_BASE_URL: "http://127.0.0.1:9" });
  expect(offline).toEqual(themselves);
  for (const outcome of ['blocked by "admin" → allowed', 'blocked by "posts"', 'redirected by "moved"', "limited"])
    expect(offline.stdout).toContain(outcome);
});

test("secrets of a program are not written, and no request is read", async () => {
  const rules = join(saved, "hidden");
  const secret = program(`pulumi.secret('http.request.uri.path eq "/hidden-entrance"')`);
  const { stderr, code } = await replay("--zone", zoneId, "--after", secret, "--save-rules", rules);
  expect(stderr).toContain("--save-rules would write secrets of the program in clear text");
  expect([code, existsSync(rules)]).toEqual([1, false]);
  const both = await replay(join(saved, "log.gz"), "--zone", zoneId, "--after", secret, "--save-rules", rules);
  expect(both.stderr).toContain("--save-rules replays no requests");
});
