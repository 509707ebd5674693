import { Service } from "../support/emulator.js";
import { ManagedRuleset } from "./harness.js";
import { emulatorWith } from "../support/emulators.js";

const MANAGED_RULESET = "efb7b8c949ac4650a09736fc376e9aee";
const execute = { action: "execute", expression: "true", actionParameters: { id: MANAGED_RULESET } };
const skip = { action: "skip", expression: "ssl", description: "Office", actionParameters: { ruleset: "current" } };

/** The service accepts such a rule without effect, so only the preview reports it. */
describe("a skip rule after everything it could skip is reported, in every kind of ruleset", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    service = new Service(await emulatorWith());
    zoneId = await service.zone();
  });

  test.each([
    ["PhaseEntrypoint", {}],
    ["Ruleset", { kind: "zone", name: "default" }],
  ] as const)("%s", async (kind, more) => {
    const resource = new ManagedRuleset(kind, service);
    const inputs = (...rules: object[]) => ({ zoneId, phase: "http_request_firewall_managed", ...more, rules });
    const late = await resource.up(inputs(execute, skip));
    expect(late.warnings).toEqual([
      expect.stringMatching(
        /^rule "Office", rules\[1\]: this skip rule skips nothing.*above rules\[0\], which executes efb7b8c949ac4650a09736fc376e9aee \("Cloudflare Managed Ruleset"\)/,
      ),
    ]);
    const moved = await resource.up(inputs(skip, execute));
    expect([moved.action, moved.warnings]).toEqual(["update", []]);
  });
});
