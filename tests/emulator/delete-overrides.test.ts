import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteOverrides, type DeleteOverridesOptions } from "../../tools/cli/migration/delete-overrides.js";
import type { Emulator } from "../../emulator/index.js";
import { createClient, type Client } from "../../client/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const api = { urls: ["a.example.com/api*"], rules: { "100015": "disable" }, description: "api", priority: 3 };
const plain = { urls: ["a.example.com/x", "a.example.com/y"], rules: { "100016": "block" } };
const other = { urls: ["b.example.com/*"], groups: { ea8687e59929c1fd05ba97574ad43f77: "disable" } };

describe("deleting URI-based overrides", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let printed: string[];
  beforeEach(async () => {
    emulator = await freshEmulator({
      seed: {
        zones: [
          { name: "a.example.com", plan: "business", previousWaf: { overrides: [api, plain] } },
          { name: "b.example.com", plan: "pro", previousWaf: { overrides: [other] } },
          { name: "none.example.com", plan: "pro", previousWaf: {} },
          { name: "done.example.com", plan: "pro" },
        ],
      },
    });
    service = new Service(emulator);
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const credentials = { kind: "token", apiToken: TOKEN } as const;
    client = createClient({ baseUrl: emulator.url, credentials, maxRetries: 1, clock });
    printed = [];
    await service.forget();
  });

  const run = (zone: readonly string[], more: Partial<DeleteOverridesOptions> = {}): Promise<number> =>
    deleteOverrides(
      { zone, ...more },
      () => client,
      (line) => printed.push(line),
    );
  const text = () => printed.join("\n");
  const idOf = async (name: string) =>
    (await service.ask<{ id: string; name: string }[]>("GET", "/zones")).find((zone) => zone.name === name)?.id ?? "";
  const left = async (name: string) =>
    service.ask<{ id: string }[]>("GET", `/zones/${await idOf(name)}/firewall/waf/overrides`);
  const deletes = async () => (await service.requests()).filter((request) => request.startsWith("DELETE"));

  test("lists them in full, deletes none, and shows how to continue", async () => {
    expect(await run(["a.example.com"])).toBe(2);
    expect(await deletes()).toEqual([]);
    const [first, second] = await left("a.example.com");
    expect(text()).toBe(
      [
        `a.example.com (${await idOf("a.example.com")}): 2 URI-based overrides`,
        `  - ${first?.id ?? ""} (api) for a.example.com/api*`,
        `    ${JSON.stringify(first)}`,
        `  - ${second?.id ?? ""} for a.example.com/x, a.example.com/y`,
        `    ${JSON.stringify(second)}`,
        "Nothing was deleted. The lines above contain what is needed to create them again (POST /zones/<zone id>/firewall/waf/overrides); --backup <file> saves them.",
        "To continue: npx pulumi-rulesets migration delete-overrides --zone a.example.com --yes",
      ].join("\n"),
    );
  });

  test("deletes them one by one when confirmed, and the zone can then be migrated", async () => {
    const ids = (await left("a.example.com")).map(({ id }) => id);
    await service.forget();
    expect(await run(["a.example.com"], { yes: true })).toBe(0);
    const zone = `/zones/${await idOf("a.example.com")}`;
    expect((await service.requests()).slice(-3)).toEqual([
      `GET ${zone}/firewall/waf/overrides`,
      ...ids.map((id) => `DELETE ${zone}/firewall/waf/overrides/${id}`),
    ]);
    expect(text()).toMatch(
      /2 URI-based overrides\n[\s\S]*\n {2}deleted [0-9a-f]{32} \(1 of 2\)\n {2}deleted [0-9a-f]{32} \(2 of 2\)\n/,
    );
    expect(printed.at(-1)).toBe("To continue: npx pulumi-rulesets migration check --zone a.example.com");
    const check = await service.ask<{ compatible: boolean }>("GET", `${zone}/waf_migration/check?phase_two=1`);
    expect(check.compatible).toBe(true);
    printed = [];
    expect(await run(["a.example.com"], { yes: true })).toBe(0);
    expect([text(), await deletes()]).toEqual([
      `a.example.com (${await idOf("a.example.com")}): no URI-based overrides`,
      [],
    ]);
  });

  test("stops in a zone at the first failure, continues with the next zone, and resumes when run again", async () => {
    const [first, second] = (await left("a.example.com")).map(({ id }) => id);
    await service.fault({ method: "DELETE", path: `/overrides/${second ?? ""}`, status: 403, times: 1 });
    expect(await run(["a.example.com", "b.example.com"], { yes: true })).toBe(3);
    expect((await left("a.example.com")).map(({ id }) => id)).toEqual([second]);
    expect(await left("b.example.com")).toEqual([]);
    expect(text()).toMatch(
      new RegExp(`deleted ${first ?? ""} \\(1 of 2\\)\\n  not deleted ${second ?? ""}: DELETE .*403`),
    );
    expect(printed.at(-1)).toBe(
      "To continue: npx pulumi-rulesets migration delete-overrides --zone a.example.com --yes",
    );
    expect(await run(["a.example.com", "b.example.com"], { yes: true })).toBe(0);
    expect(await left("a.example.com")).toEqual([]);
  });

  test("ignores one that was deleted in the meantime", async () => {
    const [first] = await left("a.example.com");
    await service.fault({ method: "DELETE", path: `/overrides/${first?.id ?? ""}`, cut: "after", times: 1 });
    expect(await run(["a.example.com"], { yes: true })).toBe(0);
    expect(await left("a.example.com")).toEqual([]);
  });

  test("handles a zone without overrides, a migrated zone, and a zone that does not exist", async () => {
    expect(await run(["none.example.com", "done.example.com"], { yes: true })).toBe(0);
    expect(text()).toMatch(
      /^none.example.com \([0-9a-f]{32}\): no URI-based overrides\ndone.example.com \([0-9a-f]{32}\): no URI-based overrides: the previous WAF no longer exists, so the zone has very likely been migrated$/,
    );
    expect(await run(["nowhere.example.com", "b.example.com"], { yes: true })).toBe(3);
    expect(text()).toContain("there is no zone nowhere.example.com");
    expect(await left("b.example.com")).toEqual([]);
  });

  test("reports a failed read, and deletes nothing", async () => {
    await service.fault({ method: "GET", path: "/firewall/waf/overrides", status: 403, times: 9 });
    expect(await run(["a.example.com"], { yes: true })).toBe(3);
    expect(await deletes()).toEqual([]);
    expect(text()).toMatch(/^a\.example\.com \([0-9a-f]{32}\): .*403/);
  });

  test("writes a backup before the first deletion, and never overwrites one", async () => {
    const backup = join(temporaryFolder(), "overrides.json");
    const before = await left("a.example.com");
    await service.fault({ method: "DELETE", path: "/overrides/", status: 403, times: 1 });
    expect(await run(["a.example.com", "b.example.com"], { yes: true, backup })).toBe(3);
    const kept = JSON.parse(readFileSync(backup, "utf8")) as { zoneName: string; overrides: unknown[] }[];
    expect(kept.map(({ zoneName, overrides }) => [zoneName, overrides.length])).toEqual([
      ["a.example.com", 2],
      ["b.example.com", 1],
    ]);
    expect(kept[0]?.overrides).toEqual(before);
    await service.forget();
    await expect(run(["a.example.com"], { yes: true, backup })).rejects.toThrow(`${backup} already exists`);
    expect(await deletes()).toEqual([]);
    // The deleted overrides can be created again from the backup.
    const zone = `/zones/${await idOf("b.example.com")}`;
    await service.ask("POST", `${zone}/firewall/waf/overrides`, kept[1]?.overrides[0]);
    expect(await left("b.example.com")).toMatchObject([other]);
  });

  test("writes no backup when there is nothing to save", async () => {
    const backup = join(temporaryFolder(), "overrides.json");
    expect(await run(["none.example.com"], { backup })).toBe(0);
    expect(existsSync(backup)).toBe(false);
  });
});
