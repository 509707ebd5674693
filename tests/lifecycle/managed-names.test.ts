import { managedRulesets } from "../../core/managed/rulesets.js";
import type { Service } from "../support/emulator.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";
import { ManagedResource } from "./managed.js";
import { secret } from "./secrets-apart.js";

const phase = "http_request_firewall_managed";
const [WORDPRESS, XSS] = ["5de7edfa648c4d6891dc3e7f84534ffa", "48dbfadfb7f03a6d161f12fe1d854969"];
const id = managedRulesets.cloudflareManaged;
const NAMES = [{ [WORDPRESS]: "Wordpress - Broken access control" }, { [XSS]: "XSS - HTML injection" }];
/** The requests without that for the managed ruleset, which a run makes that does not know what its rules are. */
const ownRequests = (requests: readonly string[]) => requests.filter((one) => !one.endsWith(id));
const line = `managed rules: ${WORDPRESS} ("Wordpress - Broken access control")`;

const execute = (overridden: unknown, action = "log") => ({
  ref: "managed",
  action: "execute",
  expression: "true",
  actionParameters: { id, overrides: { rules: [{ id: overridden, action }] } },
});

describe("names of managed rules that the program has read", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
  });
  const inputs = (rules: object[], names: unknown = NAMES) => ({ zoneId, phase, rules, __names: names });

  test("are in the preview of a new or changed rule, cost no request, and are not in the state", async () => {
    const bare = await resource.preview(inputs([execute(WORDPRESS)], []));
    expect(bare.notes).toEqual([]);
    const named = await resource.preview(inputs([execute(WORDPRESS)]));
    expect(named.notes).toEqual([line]);
    expect(named.requests).toEqual(ownRequests(bare.requests));
    expect(named.inputs).toEqual(bare.inputs);
    await resource.up(inputs([execute(WORDPRESS)]));
    expect(JSON.stringify(resource.kept)).not.toContain("Broken access control");

    const same = await resource.preview(inputs([execute(WORDPRESS)]));
    expect([same.action, same.notes, same.requests]).toEqual(["none", [], []]);
    const changed = await resource.preview(inputs([execute(XSS)]));
    expect(changed.notes).toContain(`${line}, ${XSS} ("XSS - HTML injection")`);
    const unnamed = await resource.preview(inputs([execute(XSS)], []));
    expect(ownRequests(unnamed.requests)).toEqual(changed.requests);
  });

  test("are in messages about rules that someone else changed", async () => {
    await resource.up(inputs([execute(WORDPRESS)]));
    const there = await service.entrypoint(zoneId, phase);
    await service.editRule(`zones/${zoneId}`, there?.id ?? "", there?.rules[0]?.id ?? "", {
      ...{ ref: "managed", action: "skip", expression: "ssl" },
      action_parameters: { rules: { [id]: [XSS] } },
    });
    const failed = resource.preview(inputs([execute(WORDPRESS, "block")]));
    await expect(failed).rejects.toThrow(
      `skip ${XSS} ("XSS - HTML injection") of ${id} ("Cloudflare Managed Ruleset") when ssl`,
    );
    await expect(resource.preview(inputs([execute(WORDPRESS, "block")]))).rejects.toThrow(
      `["${XSS}"], // Cloudflare Managed Ruleset, XSS - HTML injection`,
    );
  });

  test("are not shown for a rule that is secret, because they would reveal its ID", async () => {
    const hidden = { ...execute(WORDPRESS), expression: secret('http.host eq "hidden.test"') };
    expect((await resource.preview(inputs([hidden]))).notes).toEqual([]);
  });

  test("are not used while the rules of the program are unknown", async () => {
    expect(
      (await resource.preview(inputs([execute(WORDPRESS)], ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"]))).notes,
    ).toEqual([]);
  });

  test("are in the preview of a RulesetRule, when it is new and when it changes", async () => {
    const rule = new ManagedResource("RulesetRule", service);
    const args = (overridden: string) => ({ zoneId, phase, ...execute(overridden), __names: NAMES });
    const bare = await rule.preview({ ...args(WORDPRESS), __names: undefined });
    const named = await rule.preview(args(WORDPRESS));
    expect([named.notes, named.requests]).toEqual([[line, ...bare.notes], ownRequests(bare.requests)]);
    await rule.up(args(WORDPRESS));
    const changed = await rule.preview(args(XSS));
    expect(changed.notes).toContain(`${line}, ${XSS} ("XSS - HTML injection")`);
    expect((await rule.preview(args(WORDPRESS))).notes).toEqual([]);
  });
});
