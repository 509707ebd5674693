import { EngineStack, type Library } from "./support/stack.js";

/*
 * The connection between an inline program of the Automation API and the engine breaks while resources are registered. The SDK
 * takes that for an end of the program, so the engine deletes what was not registered. A limit on removals holds.
 */

const phase = "http_request_firewall_custom";
const program = ({ PhaseEntrypoint }: Library, { zoneId }: { readonly zoneId: string }) => {
  new PhaseEntrypoint("waf", {
    zoneId,
    phase: "http_request_firewall_custom",
    rules: [{ ref: "admin", action: "block", expression: "ssl" }],
  });
};

/** The calls of the program after that which registers the stack. */
const CALLS = [3, 4, 5];

test("a limit keeps the rules when the connection to the engine breaks; without one, they are deleted", async () => {
  const stack = await EngineStack.start();
  const zoneId = await stack.service.zone();
  const rulesAfter = async (cutAfterCall: number): Promise<number | undefined> => {
    await stack.up(program, { zoneId }, { cutAfterCall });
    return (await stack.service.entrypoint(zoneId, phase))?.rules.length;
  };
  // Where the program is cut off before it declares anything, the settings are those of the last run.
  await stack.setConfig({ "rulesets:maxRemovedPercent": { value: "50" } });
  expect((await stack.up(program, { zoneId })).ok).toBe(true);
  for (const call of CALLS) expect(await rulesAfter(call)).toBe(1);
  await stack.removeConfig("rulesets:maxRemovedPercent");
  expect((await stack.up(program, { zoneId })).ok).toBe(true);
  let left: number | undefined = 1;
  for (const call of CALLS) if (left !== 0) left = await rulesAfter(call);
  // Where this fails, the SDK is mended: docs/compatibility.md need not warn of it any more.
  expect(left).toBe(0);
});
