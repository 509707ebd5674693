import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { visit } from "../support/visit.js";
import { cli } from "./support.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* Requests through the emulator's edge, and what `rules explain` says of them by their Ray ID. */

const ZONE = "0".repeat(31) + "1";
const FIREWALL = "http_request_firewall_custom";

describe("rules explain with a Ray ID", () => {
  let emulator: Emulator;
  let service: Service;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const seed = {
      zones: [
        { name: "other.test", plan: "enterprise" as const },
        { name: "shop.test", id: ZONE, plan: "enterprise" as const },
      ],
    };
    emulator = await emulatorWith({ seed, edge: {} });
    service = new Service(emulator);
    const rules = [
      {
        ref: "admin",
        description: "Block admin",
        action: "block",
        expression: 'starts_with(http.request.uri.path, "/admin")',
      },
    ];
    await service.create(`zones/${ZONE}`, { name: "x", kind: "zone", phase: FIREWALL, rules });
  });
  beforeEach(() => service.noFaults());

  /** Sends a request to the edge, and returns its Ray ID. */
  const rayOf = async (path: string): Promise<string> => {
    const { headers } = await visit(emulator.edgeUrl ?? "", `http://shop.test${path}`, {
      headers: { "x-edge-ip": "192.0.2.7", "x-edge-country": "DE" },
    });
    return String(headers["cf-ray"]);
  };
  const explain = (ray: string, more: readonly string[] = [], token = TOKEN) =>
    cli(["rules", "explain", ray, ...more], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: token }, folder);

  test("says which rule blocked the request, and when it matches, in words", async () => {
    const ray = await rayOf("/admin/users?a=1");
    const { code, stdout } = await explain(`${ray}-FRA`, ["--zone", "shop.test"]);
    expect(stdout).toMatch(new RegExp(`^Request ${ray} to shop\\.test, 20\\d\\d-`));
    expect(stdout).toContain("GET shop.test/admin/users?a=1 from 192.0.2.7 (DE), answered with 403");
    expect(stdout).toContain('block by "Block admin"\n');
    expect(stdout).toMatch(
      /rule \w{32} of the ruleset \w{32}, firewallCustom, http_request_firewall_custom, ref "admin"/,
    );
    expect(stdout).toContain('expression, as deployed now: starts_with(http.request.uri.path, "/admin")');
    expect(stdout).toMatch(/it matches when .*path.*"\/admin"/);
    expect(code).toBe(0);
  });

  test("finds the zone, if none is given", async () => {
    const { code, stdout } = await explain(await rayOf("/admin"));
    expect([code, stdout]).toEqual([0, expect.stringContaining("to shop.test")]);
  });

  test("ends with 2 where no rule acted on the request", async () => {
    const { code, stdout } = await explain(await rayOf("/"), ["--zone", "shop.test"]);
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/^No rule has acted on the request \w{16} in the last 24h/),
    ]);
  });

  test("names what could not be read, with 3", async () => {
    const ray = await rayOf("/admin");
    await service.fault({ path: "/graphql", times: 9, status: 403 });
    const events = await explain(ray, ["--zone", "shop.test"]);
    expect([events.code, events.stdout]).toEqual([
      3,
      expect.stringMatching(/Could not be read:\n- the security events of shop\.test: .*403/),
    ]);
    await service.noFaults();
    await service.fault({ path: `zones/${ZONE}/rulesets`, times: 9, status: 403 });
    const rules = await explain(ray, ["--zone", "shop.test"]);
    expect([rules.code, rules.stdout]).toEqual([
      3,
      expect.stringMatching(/block by "Block admin"[^]*Could not be read:\n- the rules of shop\.test: .*403/),
    ]);
    const none = await explain(ray, ["--zone", "nowhere.test"]);
    expect([none.code, none.stdout]).toEqual([3, expect.stringContaining("the zone nowhere.test: there is no zone")]);
  });

  test("asks only for the fields that the plan of the zone has", async () => {
    const ray = await rayOf("/admin");
    const availableFields = ["datetime", "rayName", "action", "source", "ruleId", "rulesetId"];
    const settings = { enabled: true, maxDuration: 0, notOlderThan: 0, maxPageSize: 0, availableFields };
    const data = { viewer: { zones: [{ settings: { firewallEventsAdaptive: settings } }] } };
    await service.fault({ path: "/graphql", body: { data, errors: null } });
    const { code, stdout } = await explain(ray, ["--zone", "shop.test", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { events: [{ description: "", rule: { ref: "admin" } }] }]);
  });

  test("writes JSON", async () => {
    const { stdout } = await explain(await rayOf("/admin"), ["--zone", "shop.test", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      zone: "shop.test",
      events: [{ action: "block", description: "Block admin", rule: { ref: "admin", phase: FIREWALL } }],
    });
  });
});
