import { Service } from "../support/emulator.js";
import { LANGUAGES, LanguageProject, prepareSdks } from "./support/language-project.js";
import { emulatorWith } from "../support/emulators.js";

/*
 * The program of examples/languages in every language, on the real engine: `npm test` runs YAML's, which needs no SDK, and
 * `npm run check-languages` all of them.
 */

const phase = "http_request_firewall_custom";
const token = "rulesets:index:PhaseEntrypoint";

let service: Service;
let zoneId: string;
beforeEach(async () => {
  service = new Service(await emulatorWith({ seed: { zones: [{ name: "shop.example.com", plan: "enterprise" }] } }));
  zoneId = await service.zoneNamed("shop.example.com");
});
const deployed = () => service.rules(zoneId, phase);
const idsByRef = async () => Object.fromEntries((await deployed()).map(({ id, ref }) => [ref, id]));

describe.each(LANGUAGES)("%s", (language) => {
  let sdks: string;
  beforeAll(async () => {
    sdks = await prepareSdks(language);
  });
  let project: LanguageProject;
  beforeEach(async () => {
    project = await LanguageProject.start({ language, sdks, service, config: { zoneId } });
  });

  test("the example is created, edited with its IDs kept, restored after changes by others, and destroyed", async () => {
    const first = await project.run("preview", "--diff");
    expect(first.text).toContain(`+ ${token}: (create)`);
    expect(first.text).toContain('not ip.src in {192.0.2.0/24}"');
    await project.up();
    const ids = await idsByRef();
    expect(Object.keys(ids)).toEqual(["office-only", "scanners", "watch-api"]);
    expect(await project.outputs()).toEqual({ ruleIds: ids });
    const silent = await project.up();
    expect(silent.requests).toEqual([]);
    expect(silent.text).toContain("2 unchanged");

    project.edit("/admin", "/wp-admin");
    const preview = await project.run("preview", "--diff");
    expect(preview.text).toMatch(/~ expression: .*"\/wp-admin/);
    expect(preview.text).not.toMatch(/Challenge scanners|Watch the API|~ ruleIds/);
    const edited = await project.up();
    expect(edited.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "PUT"]);
    expect(await idsByRef()).toEqual(ids);

    const entry = await service.entrypoint(zoneId, phase);
    const [, scanners] = entry?.rules ?? [];
    await service.editRule(`zones/${zoneId}`, entry?.id ?? "", scanners?.id ?? "", { ...scanners, enabled: false });
    const drift = await project.run("preview", "--refresh", "--diff");
    expect(drift.text).toMatch(/~ scanners: {\s*- enabled: false\s*}/);
    const restored = await project.run("up", "--yes", "--refresh");
    expect(restored).toMatchObject({ ok: true });
    expect((await deployed()).map(({ enabled }) => enabled)).toEqual([true, true, false]);
    expect(await idsByRef()).toEqual(ids);

    expect(await project.run("destroy", "--yes")).toMatchObject({ ok: true });
    expect(await deployed()).toEqual([]);
  });

  test("an entry point that exists is imported by the zone's name, and the program finds it unchanged", async () => {
    await project.up();
    const before = await deployed();
    await project.mustRun("state", "delete", "--yes", await project.urn(token, "waf"));
    const imported = await project.importResource(token, "waf", `zones/shop.example.com/phases/${phase}`);
    expect(imported.text).not.toMatch(/failed to validate|has a problem/);
    const up = await project.up();
    expect(up.text).toContain("2 unchanged");
    expect(up.requests).toEqual([]);
    expect(await deployed()).toEqual(before);
  });
});

test("in YAML, the code that Pulumi writes for an imported entry point is the program, and runs unchanged", async () => {
  const project = await LanguageProject.start({ language: "yaml", sdks: "", service, config: { zoneId } });
  const foreign = [
    { ref: "office-only", action: "block", expression: 'http.request.uri.path eq "/admin"', enabled: true },
    { action: "log", description: "Watch the API", expression: 'starts_with(http.request.uri.path, "/api")' },
  ];
  await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: foreign });
  const before = await deployed();
  project.write("Pulumi.yaml", "name: rulesets-yaml\nruntime: yaml\n");
  const { text } = await project.importResource(
    token,
    "waf",
    `zones/shop.example.com/phases/${phase}`,
    "--out",
    "waf.yaml",
  );
  expect(text).not.toMatch(/failed to validate|has a problem/);
  const code = project.read("waf.yaml");
  expect(code.trim()).toBe(
    [
      "resources:",
      "  waf:",
      "    type: rulesets:PhaseEntrypoint",
      "    properties:",
      "      phase: http_request_firewall_custom",
      "      rules:",
      "        - action: block",
      '          expression: http.request.uri.path eq "/admin"',
      "          ref: office-only",
      "        - action: log",
      "          description: Watch the API",
      '          expression: starts_with(http.request.uri.path, "/api")',
      `      zoneId: ${zoneId}`,
    ].join("\n"),
  );
  project.write("Pulumi.yaml", `name: rulesets-yaml\nruntime: yaml\n${code}`);
  const up = await project.up();
  expect(up.text).toContain("2 unchanged");
  expect(up.requests).toEqual([]);
  expect(await deployed()).toEqual(before);
});
