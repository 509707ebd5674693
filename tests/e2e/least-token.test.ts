import { cli } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { pluginProject } from "./support/plugin-project.js";
import { emulatorWith } from "../support/emulators.js";

/* The tokens that doctor derives are enough on the real engine, and without any of their permissions they are not. */

const [SHOP, ACCOUNT] = ["1".repeat(32), "a".repeat(32)];
const PROGRAM = `
const { PhaseEntrypoint, RulesList } = require("pulumi-rulesets");
const zoneId = "${SHOP}";
const office = new RulesList("office", { accountId: "${ACCOUNT}", name: "office", kind: "ip", items: [{ value: "192.0.2.1" }] });
new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ip.src in $office" }] }, { dependsOn: [office] });
new PhaseEntrypoint("headers", { zoneId, phase: "http_response_headers_transform", rules: [{ action: "rewrite", expression: "true", actionParameters: { headers: { "x-a": { operation: "remove" } } } }] });
`;

interface Line {
  readonly subject: string;
  readonly found: string;
}

/** A policy for each line of what a run needs: "pulumi up needs in zone 1…: Zone Read, Zone WAF Write". */
function policiesOf(lines: readonly Line[], title: string) {
  return lines.flatMap(({ subject, found }) => {
    const [, level, id = ""] = new RegExp(`^${title} in (zone|account) (\\w+)$`).exec(subject) ?? [];
    if (level === undefined) return [];
    const resource = level === "zone" ? `com.cloudflare.api.account.zone.${id}` : `com.cloudflare.api.account.${id}`;
    return [{ permission_groups: found.split(", ").map((name) => ({ name })), resources: { [resource]: "*" } }];
  });
}

test("previews and refreshes work with the one, `up` with the other, and 403 names what is missing", async () => {
  const seed = { accounts: [{ id: ACCOUNT, name: "Example" }], zones: [{ id: SHOP, name: "shop.example.com" }] };
  const emulator = await emulatorWith({ seed });
  const service = new Service(emulator);
  const project = pluginProject(service);
  project.write(
    "Pulumi.yaml",
    "name: firewall\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n",
  );
  project.write("index.js", PROGRAM);
  await project.init(emulator.url);
  const env = { RULESETS_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url };
  const derived = await cli(["doctor", "--program", project.folder, "--json"], env);
  const { lines } = JSON.parse(derived.stdout) as { readonly lines: readonly Line[] };
  const [reading, writing] = [policiesOf(lines, "preview and drift need"), policiesOf(lines, "pulumi up needs")];
  expect(writing.flatMap(({ permission_groups: groups }) => groups.map(({ name }) => name)).toSorted()).toEqual([
    ...["Account Rule Lists Write", "Zone Read", "Zone Transform Rules Write", "Zone WAF Write"],
  ]);
  const weak = writing.map((one) => ({
    ...one,
    permission_groups: one.permission_groups.filter(({ name }) => name !== "Zone Transform Rules Write"),
  }));
  await service.reset({
    ...seed,
    tokens: [
      { value: "reader-token", policies: reading },
      { value: "writer-token", policies: writing },
      { value: "weaker-token", policies: weak },
    ],
  });
  const as = (token: string, ...args: string[]) => project.runWith({ RULESETS_API_TOKEN: token }, ...args);
  const previewed = await as("reader-token", "preview");
  expect([previewed.ok, previewed.text]).toEqual([true, expect.not.stringContaining("could not")]);
  const refused = await as("weaker-token", "up", "--skip-preview");
  expect(refused.ok).toBe(false);
  expect(refused.text).toContain('"Zone Transform Rules Write"');
  expect(refused.text).toContain("See https://developers.cloudflare.com/fundamentals/api/reference/permissions/");
  const done = await as("writer-token", "up", "--skip-preview");
  expect([done.ok, done.text]).toEqual([true, expect.not.stringContaining("could not")]);
  const refreshed = await as("reader-token", "refresh", "--skip-preview");
  expect([refreshed.ok, refreshed.text]).toEqual([true, expect.not.stringContaining("could not")]);
});
