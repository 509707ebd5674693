import type { Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { cli, folder } from "./support.js";

const NEWER = "http_request_quantum";

let emulator: Emulator;
let service: Service;
let zone: string;
/** A zone whose only ruleset blocks everything, in a phase that is newer than this version. */
beforeEach(async () => {
  emulator = await freshEmulator({ seed: { zones: [{ name: "shop.test" }] } });
  service = new Service(emulator);
  zone = await service.zoneNamed("shop.test");
  const phase = "http_request_firewall_custom";
  const rules = [{ ref: "all", action: "block", expression: "true" }];
  const ruleset = await service.create(`zones/${zone}`, { name: "x", kind: "zone", phase, rules });
  const answer = async (path: string, result: unknown) => {
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ method: "GET", path, times: 9, body });
  };
  await answer(`zones/${zone}/rulesets$`, [{ ...ruleset, rules: undefined, phase: NEWER }]);
  await answer(`rulesets/${ruleset.id}$`, { ...ruleset, phase: NEWER });
});
afterEach(() => emulator.close());

const rules = (...args: string[]) =>
  cli(["rules", ...args, "--zone", zone], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" });

test("no command takes a deployed phase that it does not know for one that decides, or for none", async () => {
  const what = `the phase ${NEWER} of the zone shop.test`;
  const why = "this version of pulumi-rulesets does not know it";
  const cure = "a version of pulumi-rulesets that knows it";
  const files = folder({
    "a.firewall.yaml": "tests: [{ request: https://shop.test/, expect: allow }]",
    "a.invariants.yaml": "invariants: [{ name: a, requests: true, must: be-stopped }]",
  });
  const tried = await rules("try", "--request", "https://shop.test/");
  const tested = await rules("test", `${files}/a.firewall.yaml`);
  const proved = await rules("prove", `${files}/a.invariants.yaml`);
  expect([tried.code, tried.stdout]).toEqual([
    0,
    expect.stringContaining(`Could not be read and left out: ${what}: ${why}`),
  ]);
  expect([tested.code, tested.stderr]).toEqual([1, expect.stringContaining(`${what} could not be read`)]);
  expect(tested.stderr).toContain(`${why}. To continue: use ${cure}, or --trace`);
  expect(proved.code).toBe(3);
  expect(proved.stdout).toContain(
    `unknown in shop.test\n    ${what} could not be read: ${why}. What would decide it: ${cure}`,
  );
});
