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
});
