import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zones: readonly string[];
  /** Whether the resources are those of the provider plugin. */
  readonly isPlugin?: boolean;
}
const program = ({ PhaseEntrypoint, pulumi }: Library, { zones, isPlugin = false }: Args) => {
  class OfPlugin extends pulumi.CustomResource {}
  const rules = [{ action: "block" as const, expression: "ssl" }];
  let before: object | undefined;
  for (const zoneId of zones) {
    const dependsOn = before === undefined ? [] : [before as never];
    const args = { zoneId, phase: "http_request_firewall_custom" as const, rules };
    before = isPlugin
      ? new OfPlugin("rulesets:index:PhaseEntrypoint", zoneId, args, { dependsOn })
      : new PhaseEntrypoint(zoneId, args, { dependsOn });
  }
};

describe("when the engine is killed", () => {
  let stack: EngineStack;
  let zones: string[];
  beforeEach(async () => {
    stack = await EngineStack.start();
    zones = [await stack.service.zone(), await stack.service.zone("business")];
  });

  const post = (zone: string | undefined) => `POST /zones/${zone ?? ""}/rulesets`;
  const ruleCounts = async () => {
    const found = await Promise.all(zones.map((zone) => stack.service.entrypoint(zone, phase)));
    return found.map((ruleset) => ruleset?.rules.length);
  };
  /** Kills the engine while the first write waits for its response. Returns every write that was sent. */
  const killDuringWrite = async (isPlugin = false): Promise<string[]> => {
    const running = stack.up(program, { zones, isPlugin });
    const { ok, requests } = await stack.killDuring(running);
    expect(ok).toBe(false);
    return [...requests, ...(await stack.service.peek())].filter((request) => request.startsWith("P"));
  };

  test.each([
    ["the dynamic provider", false],
    ["the provider plugin", true],
  ])("%s ends after the response to the current write", async (_provider, isPlugin) => {
    await stack.service.fault({ method: "POST", path: "*/rulesets", hold: true });
    expect(await killDuringWrite(isPlugin)).toEqual([post(zones[0])]);
    expect(await ruleCounts()).toEqual([1, undefined]);
    await stack.command("cancel", "--yes");
    const { ok, requests } = await stack.up(program, { zones, isPlugin });
    expect([ok, requests.filter((request) => request.startsWith("P"))]).toEqual([true, [post(zones[1])]]);
  });

  test("no request follows the current one, not even a retry", async () => {
    await stack.setConfig({ "rulesets:maxRetries": { value: "4" } });
    const again = { status: 429, headers: { "Retry-After": "60" } };
    await stack.service.fault({ method: "POST", path: "*/rulesets", hold: true, ...again });
    expect(await killDuringWrite()).toEqual([post(zones[0])]);
    expect(await ruleCounts()).toEqual([undefined, undefined]);
  });

  test("a provider that is waiting for a long time ends too", async () => {
    await stack.setConfig({ "rulesets:maxRetries": { value: "100" } });
    await stack.service.fault({ method: "GET", path: "*/rulesets", status: 503, headers: { "Retry-After": "300" } });
    const running = stack.up(program, { zones });
    await stack.killDuring(running);
  });
});
