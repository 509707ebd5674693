import { readFileSync } from "node:fs";
import { openSession } from "../../tools/cli/connect.js";
import { deleteVersions } from "../../tools/cli/versions/delete/command.js";
import { runDiff, runList, runShow } from "../../tools/cli/versions/read/command.js";
import { restoreVersion, type RestoreOptions } from "../../tools/cli/versions/restore/command.js";
import type { Emulator } from "../../emulator/index.js";
import type { Client } from "../../client/index.js";
import { clientFor } from "../support/client.js";
import { Service, TOKEN, type WireRuleset } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { writesIn } from "../support/requests.js";
import { failureOf } from "../support/failure.js";
import { cli, newFile } from "./support.js";

const phase = "http_request_firewall_custom";
const rule = (ref: string, expression: string, more: object = {}) => ({
  ...{ action: "block", ref, description: ref.toUpperCase(), expression },
  ...more,
});
const a = rule("a", "ssl");
const b = rule("b", 'http.request.uri.path eq "/b"');
const c = rule("c", "ip.src eq 192.0.2.1");

describe("versions of an entry point", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let zoneId: string;
  let ruleset: WireRuleset;
  let printed: string[];
  let place: { zone: string; phase: string };
  beforeEach(async () => {
    emulator = await freshEmulator();
    service = new Service(emulator);
    client = clientFor(emulator.url);
    zoneId = await service.zone();
    place = { zone: zoneId, phase };
    printed = [];
    ruleset = await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [a, b] });
    await write("second", [b, { ...a, expression: "not ssl" }, c]);
    await write("", []);
    await service.forget();
  });

  const write = (description: string, rules: object[]) =>
    service.replace(`zones/${zoneId}`, ruleset.id, { description, rules });
  const print = (line: string): void => {
    printed.push(line);
  };
  const text = () => printed.join("\n");
  const deployed = async () => (await service.ruleset(`zones/${zoneId}`, ruleset.id)).rules;
  const numbers = async () =>
    (await service.ask<{ version: string }[]>("GET", `/zones/${zoneId}/rulesets/${ruleset.id}/versions`)).map(
      ({ version }) => version,
    );
  const path = (rest = ""): string => `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint${rest}`;
  const writes = async () => writesIn(await service.requests());
  const session = (env: Record<string, string> = {}) =>
    openSession({ baseUrl: emulator.url }, { RULESETS_API_TOKEN: TOKEN, ...env }, { print, printNote: print });
  const restore = (version: string, more: Partial<RestoreOptions> = {}) =>
    restoreVersion(version, { ...place, ...more }, session, print);

  test("list: newest first, as a table and as JSON, with one request", async () => {
    await runList(place, () => client, { print });
    expect(text()).toMatch(/version[^\n]*last changed[^\n]*\n│ 3 [^\n]*│ current │\n│ 2 [^\n]*second[^\n]*\n│ 1 /);
    expect(await service.requests()).toEqual([`GET ${path("/versions")}`]);
    const file = newFile("list.json");
    await runList({ ...place, json: true, output: file }, () => client, { print });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject([
      { version: "3", current: true },
      { version: "2", description: "second", current: false },
      { version: "1" },
    ]);
  });

  test("show: a line for each rule, JSON, and TypeScript to paste", async () => {
    await runShow("1", place, () => client, print);
    expect(text()).toMatch(/: version 1 of \S+, 2 rules\n {2}1\. block "A" when ssl \[ref a, .*\n {2}2\. block "B"/);
    expect(await service.requests()).toEqual([`GET ${path("/versions/1")}`]);
    printed = [];
    await runShow("1", { ...place, typescript: true }, () => client, print);
    const list = new Function(`return [${text()}]`)() as object[];
    expect(list).toEqual([{ ...a }, { ...b }]);
    printed = [];
    await runShow("1", { ...place, json: true }, () => client, print);
    expect(JSON.parse(text())).toMatchObject({ version: "1", rules: [{ ref: "a" }, { ref: "b" }] });
  });

  test("show and diff: names of managed rulesets and rules follow their IDs", async () => {
    const [owasp, scoring] = ["4814384a9e5d4991b9815dcfc25d2f1f", "6179ae15870a4bb7b2d480d4843b323c"];
    const managed = { zone: zoneId, phase: "http_request_firewall_managed" };
    const rules = (threshold: number) => [
      {
        ...{ action: "execute", ref: "owasp", expression: "true" },
        action_parameters: { id: owasp, overrides: { rules: [{ id: scoring, score_threshold: threshold }] } },
      },
    ];
    const made = { name: "default", kind: "zone", phase: managed.phase, rules: rules(25) };
    const { id } = await service.create(`zones/${zoneId}`, made);
    await service.replace(`zones/${zoneId}`, id, { rules: rules(60) });
    await service.forget();
    await runShow("1", managed, () => client, print);
    expect(text()).toContain(`execute ${owasp} ("Cloudflare OWASP Core Ruleset") when true`);
    await runDiff(["1", "2"], managed, () => client, print);
    expect(text()).toContain(`, ${scoring} ("949110: Inbound Anomaly Score Exceeded")`);
    expect(await service.requests()).toHaveLength(3);
  });

  test("diff: rules of a managed ruleset that the same client has read have names too, without a request", async () => {
    const [id, rule] = ["efb7b8c949ac4650a09736fc376e9aee", "5de7edfa648c4d6891dc3e7f84534ffa"];
    const managed = { zone: zoneId, phase: "http_request_firewall_managed" };
    const rules = (action: string) => [
      {
        ...{ action: "execute", ref: "managed", expression: "true" },
        action_parameters: { id, overrides: { rules: [{ id: rule, action }] } },
      },
    ];
    const made = { name: "default", kind: "zone", phase: managed.phase, rules: rules("log") };
    const entrypoint = await service.create(`zones/${zoneId}`, made);
    await service.replace(`zones/${zoneId}`, entrypoint.id, { rules: rules("block") });
    await client.rulesets.get({ level: "zones", id: zoneId }, id);
    await service.forget();
    await runDiff(["1", "2"], managed, () => client, print);
    expect(text()).toContain(`; ${id} ("Cloudflare Managed Ruleset"), ${rule} ("Wordpress - Broken access control")`);
    expect(await service.requests()).toHaveLength(2);
  });

  test("show: a missing version is reported with the existing ones", async () => {
    await service.ask("DELETE", `/zones/${zoneId}/rulesets/${ruleset.id}/versions/2`);
    expect(await failureOf(runShow("2", place, () => client, print))).toContain(
      "has no version 2: it never existed, or it has been deleted. Versions that exist: 1, 3 (version 3 is the current one)",
    );
    expect(await failureOf(runShow("x", place, () => client, print))).toContain("x is not a version number");
  });

  test("diff: by rule, with the changed fields, the effect on requests, and as JSON", async () => {
    await runDiff(["1", "2"], place, () => client, print);
    expect(text()).toContain(`${phase} of zone ${zoneId}: from version 1 to version 2\n+1 ~1 (expression) -0, 1 moved`);
    expect(text()).toMatch(/\n {2}\+ block "C" when ip\.src eq 192\.0\.2\.1 \[ref c,/);
    expect(text()).toMatch(/\n {2}~ block "A" when not ssl .*\n {6}- expression: ssl\n {6}\+ expression: not ssl\n/);
    expect(text()).toMatch(/description of the ruleset\n {6}- description: \n {6}\+ description: second\n/);
    expect(text()).toMatch(/\nBoth: /);
    expect(await service.requests()).toEqual([`GET ${path("/versions/1")}`, `GET ${path("/versions/2")}`]);
    printed = [];
    await runDiff(["2", "1"], { ...place, json: true }, () => client, print);
    expect(JSON.parse(text())).toMatchObject({
      from: "2",
      to: "1",
      removed: [{ ref: "c" }],
      changed: [{ rule: { ref: "a" }, fields: [{ name: "expression", before: "not ssl", after: "ssl" }] }],
      effect: { verdict: "both" },
    });
    printed = [];
    await runDiff(["1", "1"], place, () => client, print);
    expect(text()).toBe(`${phase} of zone ${zoneId}: from version 1 to version 1\n+0 ~0 -0, 2 unchanged`);
  });

  test("delete: lists first, deletes with --yes, never the current one, and continues after a failure", async () => {
    expect(await deleteVersions(["1", "2", "9"], place, () => client, print)).toBe(2);
    expect(text()).toMatch(
      /^version 9 does not exist.*\n.*: 2 versions to delete\n {2}- version 1 of .*\n {2}- version 2 of .* "second"\nNothing was deleted\./,
    );
    expect(printed.at(-1)).toContain(
      `To continue: npx pulumi-rulesets versions delete 1 2 9 --zone ${zoneId} --phase ${phase} --yes`,
    );
    expect(await failureOf(deleteVersions(["1", "3"], { ...place, yes: true }, () => client, print))).toContain(
      "version 3 is the current version",
    );
    expect(await writes()).toEqual([]);
    await service.fault({ method: "DELETE", path: "/versions/1", status: 403, times: 1 });
    expect(await deleteVersions(["1", "2"], { ...place, yes: true }, () => client, print)).toBe(3);
    expect(await numbers()).toEqual(["1", "3"]);
    expect(text()).toMatch(/not deleted version 1: DELETE .*403[^]*deleted version 2/);
    expect(await deleteVersions(["1", "2"], { ...place, yes: true }, () => client, print)).toBe(0);
    expect(await numbers()).toEqual(["3"]);
  });

  test("restore: shown first, written with --yes as one request, with refs and existing IDs", async () => {
    await write("", [{ ...b, expression: "true" }]);
    const kept = (await deployed())[0];
    await service.forget();
    expect(await restore("1")).toBe(2);
    expect(text()).toContain("from version 4, the current one, to version 1\n+1 ~1 (expression) -0");
    expect(text()).toContain("These rules are restored with the same refs and new IDs: a");
    expect(text()).toContain(
      `To continue: npx pulumi-rulesets versions restore 1 --zone ${zoneId} --phase ${phase} --if-current 4 --yes`,
    );
    expect(await service.requests()).toEqual([`GET ${path("/versions/1")}`, `GET ${path()}`]);
    expect(await restore("1", { ifCurrent: "4", yes: true })).toBe(0);
    expect(await writes()).toEqual([`PUT /zones/${zoneId}/rulesets/${ruleset.id}`]);
    expect((await deployed()).map(({ ref }) => ref)).toEqual(["a", "b"]);
    expect((await deployed())[1]?.id).toBe(kept?.id);
    expect(text()).toContain("Restored: version 5 matches version 1.");
    expect(await restore("1", { yes: true })).toBe(0);
    expect([printed.at(-1), await writes()]).toEqual([expect.stringContaining("Nothing was written"), []]);
  });

  test("restore: an emptied entry point gets its rules and its description back", async () => {
    expect(await restore("2", { yes: true })).toBe(0);
    expect(await service.ruleset(`zones/${zoneId}`, ruleset.id)).toMatchObject({
      description: "second",
      version: "4",
      rules: [{ ref: "b" }, { ref: "a", expression: "not ssl" }, { ref: "c" }],
    });
  });

  test("restore: stops before the write if a list that the version uses no longer exists", async () => {
    const lists = `/accounts/${await service.account()}/rules/lists`;
    const { id } = await service.ask<{ id: string }>("POST", lists, { name: "office", kind: "ip" });
    await write("listed", [rule("l", "ip.src in $office")]);
    await write("", [a]);
    await service.fault({ method: "GET", path: "/rules/lists", status: 403 });
    expect(await restore("4")).toBe(2);
    expect(text()).toContain("could not check whether the account still has $office, which rules of version 4 use");
    await service.ask("DELETE", `${lists}/${id}`);
    await service.forget();
    expect(await restore("4", { yes: true })).toBe(3);
    expect(text()).toContain("rules of version 4 use $office, and the account has no such list any more");
    expect(await writes()).toEqual([]);
    await service.ask("POST", lists, { name: "office", kind: "ip" });
    expect(await restore("4", { yes: true })).toBe(0);
  });

  test("restore: refuses when the ruleset has changed since it was shown", async () => {
    await write("", [c]);
    await service.forget();
    expect(await restore("1", { ifCurrent: "3", yes: true })).toBe(3);
    expect(text()).toContain("is now at version 4: it has changed since version 3 was shown. Nothing was written.");
    expect(text()).toContain(`npx pulumi-rulesets versions diff 3 4 --zone ${zoneId}`);
    expect(await writes()).toEqual([]);
  });

  test("restore: reports a change by someone else that it overwrote between the read and the write", async () => {
    const otherChange = { method: "PUT", path: `/zones/${zoneId}/rulesets/${ruleset.id}`, body: { rules: [c] } };
    await service.fault({ method: "PUT", meanwhile: [otherChange], times: 1 });
    expect(await restore("1", { yes: true })).toBe(3);
    expect(text()).toContain("was changed by somebody else (version 4) since it was last read");
    expect(text()).toContain('+ block "C" when ip.src eq 192.0.2.1');
    expect(text()).toContain(`npx pulumi-rulesets versions restore 4 --zone ${zoneId} --ruleset ${ruleset.id}`);
    expect((await deployed()).map(({ ref }) => ref)).toEqual(["a", "b"]);
  });

  test("restore: follows RULESETS_ON_CONFLICT like a run", async () => {
    const otherChange = { method: "PUT", path: `/zones/${zoneId}/rulesets/${ruleset.id}`, body: { rules: [c] } };
    await service.fault({ method: "PUT", meanwhile: [otherChange], times: 1 });
    const overwriting = session({ RULESETS_ON_CONFLICT: "overwrite" });
    expect(await restoreVersion("1", { ...place, yes: true }, () => overwriting, print)).toBe(0);
    expect(text()).toContain("overwriting, as requested");
  });

  test("restore: checks after a lost response, and reports a refusal", async () => {
    await service.fault({ method: "PUT", path: "/rulesets/", cut: "after", times: 1 });
    expect(await restore("1", { yes: true })).toBe(0);
    expect(await numbers()).toHaveLength(4);
    await service.fault({ method: "PUT", path: "/rulesets/", status: 403, times: 1 });
    expect(await restore("2", { yes: true })).toBe(3);
    expect(text()).toMatch(/Not restored: PUT .*403/);
  });

  test.each<[string, object, string]>([
    ["no zone", { phase }, "specify either a zone"],
    ["zone and account", { zone: "x", account: "y", phase }, "specify either a zone"],
    ["no ruleset", { zone: "0".repeat(32) }, "specify either a ruleset"],
    ["a short ID", { zone: "0".repeat(32), ruleset: "abc" }, "--ruleset must be an ID"],
    ["an invalid phase name", { zone: "0".repeat(32), phase: "../x" }, "is not the name of a phase"],
    ["an invalid account ID", { account: "mine", phase }, "--account must be an ID"],
  ])("%s is refused without a request", async (_, options, words) => {
    expect(await failureOf(runList(options, () => client, { print }))).toContain(words);
    expect(await service.requests()).toEqual([]);
  });

  test("a zone can be given by its name and a ruleset by its ID; a phase without an entry point is reported", async () => {
    const [zone] = (await service.ask<{ name: string; id: string }[]>("GET", "/zones")).filter(
      ({ id }) => id === zoneId,
    );
    await runList({ zone: zone?.name ?? "", ruleset: ruleset.id }, () => client, { print });
    expect(text()).toContain("current");
    expect(await failureOf(runList({ zone: zoneId, phase: "http_ratelimit" }, () => client, { print }))).toBe(
      `there is no entry point for http_ratelimit of zone ${zoneId}`,
    );
  });

  test("the built command exits with the documented codes", async () => {
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
    const at = ["--zone", zoneId, "--phase", phase];
    const codes = [
      ["list", ...at],
      ["show", "1", ...at],
      ["diff", "1", "2", ...at],
      ["delete", "1", ...at],
      ["delete", "3", ...at],
      ["restore", "1", ...at],
      ["restore", "1", ...at, "--if-current", "3", "--yes"],
      ["restore", "2", ...at, "--if-current", "3", "--yes"],
    ];
    const found: number[] = [];
    for (const args of codes) found.push((await cli(["versions", ...args], env)).code);
    expect(found).toEqual([0, 0, 0, 2, 1, 2, 0, 3]);
  });
});
