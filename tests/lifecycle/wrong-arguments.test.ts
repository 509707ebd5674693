import { checkRuleCount } from "../../provider/validation/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset } from "./harness.js";

const phase = "http_request_firewall_custom";
const rules = [{ action: "block", expression: "ssl" }];

describe("the arguments of an entry point", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    service = new Service(await freshEmulator());
    zoneId = await service.zone();
  });
  const failure = (inputs: object) => failureOf(new ManagedRuleset("PhaseEntrypoint", service).preview(inputs));

  test("null as rules is refused for a new resource too, so that an empty list is written on purpose", async () => {
    expect(await failure({ zoneId, phase, rules: null })).toContain(
      "rules: must be a list of rules; write [] for no rules",
    );
  });

  test("an empty name is refused", async () => {
    expect(await failure({ zoneId, phase, rules, name: "" })).toContain("name: must not be empty");
  });

  test("more rules than any plan includes are refused, unless the ruleset has as many already", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ ...rules[0], ref: `r${String(index)}` }));
    expect(await failure({ zoneId, phase, rules: many })).toContain(
      "rules: there are 5000 rules, but no plan includes more than 1000 in a ruleset",
    );
    expect(checkRuleCount(5001, 5000)).toEqual([]);
  });

  test("without a zone or an account, rules are not checked as those of an account", async () => {
    const text = await failure({ zone_id: zoneId, phase, rules });
    expect(text).toContain("zoneId or accountId is required");
    expect(text).not.toContain("rules[0]");
  });
});
