import { managedRulesets } from "../../core/managed/rulesets.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { secret } from "./at-the-border.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

const phase = "http_request_firewall_managed";
const MANAGED = managedRulesets.cloudflareManaged;
const OWASP = managedRulesets.owaspCore;
const [XSS, JOOMLA] = ["48dbfadfb7f03a6d161f12fe1d854969", "a4aeda66d4069bacc22c1d50c7b3e192"];
const GONE = "48dbfadfb7f03a6d161f12fe1d85496a";

const execute = (overrides?: object, id: string = MANAGED): object => ({
  ref: id.slice(0, 4),
  action: "execute",
  expression: "true",
  actionParameters: { id, ...(overrides === undefined ? {} : { overrides }) },
});

describe("managed rules in previews", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    ({ service } = await startService());
    zoneId = await service.zone("pro");
  });
  const resource = (type: string, urn: string) => new ManagedResource<unknown>(type, service, urn);
  const list = (...rules: readonly object[]): object => ({ zoneId, phase, rules });
  const reads = (requests: readonly string[]): number => requests.filter((one) => one.endsWith(MANAGED)).length;
  test("what is unchanged or names nothing costs no request", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    expect(reads((await waf.preview(list(execute()))).requests)).toBe(0);
    await waf.up(list(execute({ rules: [{ id: XSS, action: "log" }] })));
    const same = await waf.preview(list(execute({ rules: [{ id: XSS, action: "log" }] })));
    expect([same.action, same.warnings, reads(same.requests)]).toEqual(["none", [], 0]);
  });

  test("an override that names an unknown rule or tag is a warning with the nearest, once it is new", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const overrides = { rules: [{ id: GONE, action: "log" }], categories: [{ category: "wordpres", enabled: false }] };
    const { warnings, requests } = await waf.preview(list(execute(overrides)));
    expect(warnings).toEqual([
      expect.stringContaining(
        `rules[0].actionParameters.overrides.rules[0].id: Cloudflare Managed Ruleset has no rule ${GONE}, so this override has no effect; did you mean ${XSS} ("XSS - HTML injection")?`,
      ),
      expect.stringContaining(
        "rules[0].actionParameters.overrides.categories[0].category: no rule of Cloudflare Managed Ruleset has the tag wordpres, so this override has no effect; did you mean wordpress?",
      ),
    ]);
    expect(reads(requests)).toBe(1);
    await waf.up(list(execute(overrides)));
    expect((await waf.preview(list(execute(overrides)))).warnings).toEqual([]);
  });

  test("so is a rule of another ruleset, and an entry of a skip list, also in a RulesetRule", async () => {
    const skip = { action: "skip", expression: "ssl", actionParameters: { rules: { [MANAGED]: [GONE] } } };
    const rule = resource("RulesetRule", "urn:skip");
    expect((await rule.preview({ zoneId, phase, ...skip })).warnings).toEqual([
      expect.stringContaining(`has no rule ${GONE}, so this entry of the skip rule has no effect`),
    ]);
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const both = list(
      execute({ rules: [{ id: JOOMLA, action: "log" }] }, OWASP),
      execute({ rules: [{ id: XSS, action: "log" }] }),
    );
    // The other ruleset has the rule, which the service refuses as well.
    await expect(waf.preview(both).then(({ warnings }) => warnings)).resolves.toEqual([
      expect.stringContaining(`it is a rule of ${MANAGED} ("Cloudflare Managed Ruleset")`),
    ]);
  });

  test("says nothing of rules with secrets and of values that are not known yet", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const hidden = { ...execute({ rules: [{ id: GONE, action: "log" }] }), expression: secret("ssl") };
    expect((await waf.preview(list(hidden))).warnings).toEqual([]);
    const unknown = execute({ rules: [{ id: UNKNOWN, action: "log" }] });
    expect((await waf.preview(list(unknown))).warnings).toEqual([]);
    expect(
      (
        await resource("PhaseEntrypoint", "urn:new").preview({
          ...list(execute({ rules: [{ id: GONE, action: "log" }] })),
          zoneId: UNKNOWN,
        })
      ).warnings,
    ).toEqual([]);
  });

  test("reads a managed ruleset once for all resources of a run", async () => {
    const [waf, other] = [resource("PhaseEntrypoint", "urn:waf"), resource("RulesetRule", "urn:other")];
    other.session = waf.newSession();
    const accountId = await service.account();
    await service.forget();
    await waf.plan(list(execute({ rules: [{ id: GONE, action: "log" }] })), true);
    const single = { ...execute({ rules: [{ id: GONE, enabled: false }] }), expression: 'cf.zone.plan eq "ENT"' };
    await other.plan({ accountId, phase, ...single }, true);
    expect(reads(await service.requests())).toBe(1);
  });
});
