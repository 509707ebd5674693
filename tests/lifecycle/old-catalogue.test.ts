import type { Service } from "../support/emulator.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

const HALF_A_YEAR_LATER = "2027-04-12";
const TEXT =
  "the catalogue of the rules language is of 2026-10-10, more than half a year ago: newer fields, functions and values are " +
  "unknown; use a newer version of pulumi-rulesets";

describe("previews with an old catalogue", () => {
  let service: Service;
  beforeEach(async () => {
    ({ service } = await startService());
  });
  const preview = async (expression: string, day: string) => {
    const waf = new ManagedResource<unknown>("PhaseEntrypoint", service, "urn:waf");
    waf.settings = { clock: { now: () => Date.parse(day), sleep: () => Promise.resolve() } };
    const rules = [1, 2].map((number) => ({ ref: String(number), action: "block", expression }));
    const { warnings } = await waf.preview({
      zoneId: await service.zone(),
      phase: "http_request_firewall_custom",
      rules,
    });
    return warnings.filter((one) => one.includes("catalogue of the rules language"));
  };

  test("say once that what is unknown may be newer, and nothing if all is known or the catalogue is young", async () => {
    expect(await preview('ip.src.country eq "UK"', HALF_A_YEAR_LATER)).toEqual([TEXT]);
    expect(await preview('ip.src.country eq "UK"', "2027-04-01")).toEqual([]);
    expect(await preview('ip.src.country eq "DE"', HALF_A_YEAR_LATER)).toEqual([]);
  });
});
