import { startEmulator, type Emulator } from "../../emulator/index.js";
import { parsePreview } from "../../cli/summarize/preview.js";
import { summarize } from "../../cli/summarize/summarize.js";
import { describeKind } from "../support/describe.js";
import { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";

/* Lists and the rules that use them, through the provider plugin. */

let emulator: Emulator;
let service: Service;
let project: ProjectStack;
let accountId: string;
let zoneId: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed: { zones: [{ name: "a.example.com", plan: "enterprise" }] } });
  service = new Service(emulator);
  project = pluginProject(service);
  [accountId, zoneId] = [await service.account(), await service.zone()];
  declare({});
  await project.initStack();
});
afterEach(async () => {
  project.close();
  await emulator.close();
});

function declare(resources: Readonly<Record<string, object>>): void {
  project.write("Pulumi.yaml", JSON.stringify({ name: "lists", runtime: "yaml", resources }));
}

const list = (items: readonly object[] = [{ value: "192.0.2.7" }], options: object = {}) => ({
  type: "rulesets:RulesList",
  properties: { accountId, name: "office", kind: "ip", items },
  options,
});
const rules = (name: string, options: object = {}) => ({
  type: "rulesets:PhaseEntrypoint",
  properties: {
    ...{ zoneId, phase: "http_request_firewall_custom" },
    // YAML takes a dollar sign before `${` as its escape.
    rules: [{ ref: "office", action: "block", expression: { "fn::join": ["", ["ip.src in $", name]] } }],
  },
  options,
});
const LINKED: Readonly<Record<string, () => object>> = {
  "by an output": () => rules("${office.name}"),
  "by dependsOn": () => rules("office", { dependsOn: ["${office}"] }),
};
/** In the order in which a program may declare them. */
const inOrder = (user: object, isListFirst: boolean): Readonly<Record<string, object>> =>
  isListFirst ? { office: list(), custom: user } : { custom: user, office: list() };

const orders = Object.keys(LINKED).flatMap((how) => [true, false].map((first) => [how, first] as const));
test.each(orders)(
  "a list and the rule that uses it are created in one up, linked %s, list first: %s",
  async (how, first) => {
    declare(inOrder(LINKED[how]?.() ?? {}, first));
    const preview = await project.run("preview", "--diff");
    expect([preview.ok, preview.text]).toEqual([true, expect.not.stringContaining("could not check")]);
    await project.mustRun("up", "--yes", "--skip-preview");
    await service.forget();
    expect((await project.run("up", "--yes", "--skip-preview")).text).toContain("3 unchanged");
    expect(await service.requests()).toEqual([]);
    // The engine deletes the rule first.
    declare({});
    expect((await project.run("up", "--yes", "--skip-preview")).ok).toBe(true);
  },
);

test("rules that are checked before their list are refused with what makes them wait for it", async () => {
  // The engine creates what others depend on first.
  declare({ custom: rules("office"), office: list([{ value: "192.0.2.7" }], { dependsOn: ["${custom}"] }) });
  const up = await project.run("up", "--yes", "--skip-preview");
  expect([up.ok, up.text]).toEqual([false, expect.stringContaining("let the rules wait for it")]);
  const preview = await project.run("preview");
  expect([preview.ok, preview.text]).toEqual([
    false,
    expect.stringMatching(/there is no list \$office in the account, and the program has not declared one.*dependsOn/),
  ]);
});

test("a list that is removed while a rule uses it is named with the rule in the up", async () => {
  declare({ office: list(), custom: LINKED["by dependsOn"]?.() ?? {} });
  await project.mustRun("up", "--yes", "--skip-preview");
  declare({ custom: rules("office") });
  await service.forget();
  const up = await project.run("up", "--yes", "--skip-preview");
  expect(up.ok).toBe(false);
  expect(up.text).toContain("the list office cannot be deleted: 1 ruleset uses it:");
  expect(writesIn(await service.requests())).toEqual([]);
  // Neither the list nor its use is in the program.
  declare({});
  expect((await project.run("preview")).text).not.toContain("the list office");
});

test("a summary judges a changed list by rules that stay, which the preview does not show", async () => {
  const using = { custom: LINKED["by an output"]?.() ?? {} };
  declare({ office: list([{ value: "192.0.2.7" }, { value: "192.0.2.8" }]), ...using });
  await project.mustRun("up", "--yes", "--skip-preview");
  declare({ office: list(), ...using });
  const { text } = await project.run("preview", "--json");
  const preview = parsePreview(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1), "preview.json");
  expect(preview.steps.map(({ urn }) => urn).join()).not.toContain("PhaseEntrypoint");
  const summary = summarize(preview, describeKind);
  expect(summary.weakens).toBe("yes");
  expect(summary.resources.map(({ effect }) => effect?.witnesses[0])).toEqual(['"office": 1 fewer address is blocked']);
});

test("a secret comment is written, and is in no output and not in the state", async () => {
  const hidden = "handed-over-by-Zorro-9731";
  declare({ office: list([{ value: "192.0.2.7", comment: { "fn::secret": hidden } }, { value: "192.0.2.8" }]) });
  const up = await project.run("up", "--yes", "--skip-preview");
  expect([up.ok, up.text]).toEqual([true, expect.not.stringContaining(hidden)]);
  const [office] = await service.ask<{ id: string }[]>("GET", `/accounts/${accountId}/rules/lists`);
  const items = await service.ask("GET", `/accounts/${accountId}/rules/lists/${office?.id ?? ""}/items`);
  expect(JSON.stringify(items)).toContain(hidden);
  const state = await project.mustRun("stack", "export");
  expect([state, state]).toEqual([expect.stringContaining("192.0.2.8"), expect.not.stringContaining(hidden)]);
});

const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ value: `10.0.${String(index >> 8)}.${String(index & 255)}` }));

test("a preview of many items shows those that change, and never the whole list", async () => {
  declare({ office: list(many(300)) });
  await project.mustRun("up", "--yes", "--skip-preview");
  declare({ office: list(many(301)) });
  const { text } = await project.run("preview", "--diff");
  expect(text).toMatch(/~ items: \{\n\s*\+ 10\.0\.1\.44: ""\n\s*\}/);
  expect(text).toContain("plan: +1 ~0 -0, 300 unchanged; sends ");
  expect(text).not.toContain("10.0.0.9");
  // What a program ignores stays.
  declare({ office: list([], { ignoreChanges: ["items"] }) });
  expect((await project.run("up", "--yes", "--skip-preview")).text).toContain("2 unchanged");
});
