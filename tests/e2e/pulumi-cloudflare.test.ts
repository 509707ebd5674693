import { delimiter, join } from "node:path";
import type { Rule as RulesetRule } from "../../provider/index.js";
import { managedRulesets } from "../../core/managed/rulesets.js";
import { SCORING_RULE } from "../../core/simulator/managed-rulesets.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly phase?: string;
  readonly rules: readonly RulesetRule[];
  /** Whether it has moved to a Ruleset of this package. */
  readonly isMoved?: boolean;
}
/** A program that uses `@pulumi/cloudflare`, and the same one moved over. */
const program = ({ Ruleset, pulumi }: Library, { zoneId, rules, isMoved, phase }: Args) => {
  const custom = "http_request_firewall_custom";
  const args = { zoneId, kind: "zone", name: "default", phase: phase ?? custom, rules: [...rules] };
  class CloudflareRuleset extends pulumi.CustomResource {
    constructor(name: string) {
      super("cloudflare:index/ruleset:Ruleset", name, args, { version: "6.22.1" });
    }
  }
  if (isMoved === true) new Ruleset("waf", args, { aliases: [{ type: "cloudflare:index/ruleset:Ruleset" }] });
  else new CloudflareRuleset("waf");
};
const rules = [block("A", "ssl"), { ...block("B", "not ssl"), ref: "named" }];
const phase = "http_request_firewall_custom";

/** A stack that can use `@pulumi/cloudflare`, and a zone. */
async function startStack(): Promise<{ readonly stack: EngineStack; readonly zoneId: string }> {
  const stack = await EngineStack.start();
  const folder = join(__dirname, "support", "cloudflare-plugin");
  stack.setEnv({ PATH: [folder, process.env.PATH].join(delimiter), RULESETS_TEST_URL: stack.emulator.url });
  return { stack, zoneId: await stack.service.zone() };
}

test("a managed ruleset with overrides moves without a write", async () => {
  const { stack, zoneId } = await startStack();
  const phase = "http_request_firewall_managed";
  const overrides = {
    rules: [{ id: SCORING_RULE, action: "log", scoreThreshold: 25 }],
    categories: [{ category: "paranoia-level-4", enabled: false }],
  };
  const actionParameters = { id: managedRulesets.owaspCore, overrides };
  const rules = [{ action: "execute" as const, expression: "true", description: "OWASP", actionParameters }];
  await stack.up(program, { zoneId, phase, rules });
  const before = await stack.service.entrypoint(zoneId, phase);
  expect(before?.rules).toHaveLength(1);
  const moved = await stack.up(program, { zoneId, phase, rules, isMoved: true });
  expect([moved.ok, writesIn(moved.requests)]).toEqual([true, []]);
  expect(await stack.service.entrypoint(zoneId, phase)).toEqual(before);
});

describe("moving from @pulumi/cloudflare", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    ({ stack, zoneId } = await startStack());
    expect((await stack.up(program, { zoneId, rules })).changes).toEqual({ create: 2 });
  });
  const deployed = () => stack.service.rules(zoneId, phase);

  test("keeps the state: nothing is written, every ID stays, and a refresh and a change work", async () => {
    const before = await deployed();
    expect(before).toHaveLength(2);
    // After a refresh or without one.
    await stack.refresh();
    const up = await stack.up(program, { zoneId, rules, isMoved: true });
    expect(up.changes).toEqual({ same: 1, update: 1 });
    expect(writesIn(up.requests)).toEqual([]);
    expect(await deployed()).toEqual(before);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    const more = [block("Top", "true"), ...rules];
    expect((await stack.up(program, { zoneId, rules: more, isMoved: true })).changes).toEqual({ same: 1, update: 1 });
    expect((await deployed()).slice(1)).toEqual(before);
  });

  test("does not drop a rule added by hand meanwhile", async () => {
    const id = (await stack.service.entrypoint(zoneId, phase))?.id ?? "";
    await stack.service.addRule(`zones/${zoneId}`, id, { action: "block", expression: "true", description: "3am" });
    const up = await stack.up(program, { zoneId, rules: rules.slice(1), isMoved: true });
    expect(up.ok).toBe(false);
    expect(up.text).toContain('+ block "3am" when true');
    expect(await deployed()).toHaveLength(3);
  });
});
