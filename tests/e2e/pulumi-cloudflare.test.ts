import { delimiter, join } from "node:path";
import type { Rule as RulesetRule } from "../../provider/index.js";
import { managedRulesets } from "../../provider/managed/rulesets.js";
import { SCORING_RULE } from "../../simulator/managed-rulesets.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly phase?: string;
  readonly rules: readonly RulesetRule[];
  readonly move?: "Ruleset" | "both";
}
/** A program that uses `@pulumi/cloudflare`, and the same one moved over. */
const program = ({ Ruleset, pulumi }: Library, { zoneId, rules, move, phase }: Args) => {
  const custom = "http_request_firewall_custom";
  const args = { zoneId, kind: "zone", name: "default", phase: phase ?? custom, rules: [...rules] };
  class CloudflareRuleset extends pulumi.CustomResource {
    constructor(name: string) {
      super("cloudflare:index/ruleset:Ruleset", name, args, { version: "6.22.1" });
    }
  }
  if (move === undefined || move === "both") new CloudflareRuleset("waf");
  if (move === "Ruleset") new Ruleset("waf", args, { aliases: [{ type: "cloudflare:index/ruleset:Ruleset" }] });
  if (move === "both") new Ruleset("ours", { ...args, onExisting: "adopt" });
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
  try {
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
    const moved = await stack.up(program, { zoneId, phase, rules, move: "Ruleset" });
    expect([moved.ok, writesIn(moved.requests)]).toEqual([true, []]);
    expect(await stack.service.entrypoint(zoneId, phase)).toEqual(before);
    const changed = [{ ...rules[0], action: "execute" as const, actionParameters, expression: "ssl" }];
    expect((await stack.up(program, { zoneId, phase, rules: changed, move: "Ruleset" })).ok).toBe(true);
    expect((await stack.service.entrypoint(zoneId, phase))?.rules[0]).toMatchObject({ expression: "ssl" });
  } finally {
    await stack.close();
  }
});

describe("moving from @pulumi/cloudflare", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    ({ stack, zoneId } = await startStack());
    expect((await stack.up(program, { zoneId, rules })).changes).toEqual({ create: 2 });
  });
  afterEach(() => stack.close());
  const deployed = () => stack.service.rules(zoneId, phase);

  test("keeps the state: nothing is written, every ID stays, and refresh, change and destroy work", async () => {
    const before = await deployed();
    expect(before).toHaveLength(2);
    const preview = await stack.preview(program, { zoneId, rules, move: "Ruleset" });
    expect(preview.ok).toBe(true);
    expect(preview.changes).toEqual({ same: 1, update: 1 });
    expect(preview.text).not.toMatch(/\+\d+ ~\d+|recognised/);
    const up = await stack.up(program, { zoneId, rules, move: "Ruleset" });
    expect(up.changes).toEqual({ same: 1, update: 1 });
    expect(writesIn(up.requests)).toEqual([]);
    expect(await deployed()).toEqual(before);
    expect((await stack.up(program, { zoneId, rules, move: "Ruleset" })).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    const more = [block("Top", "true"), ...rules];
    expect((await stack.up(program, { zoneId, rules: more, move: "Ruleset" })).changes).toEqual({ same: 1, update: 1 });
    expect((await deployed()).slice(1)).toEqual(before);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });

  test("works after a refresh before the move, and together with one", async () => {
    await stack.refresh();
    const up = await stack.up(program, { zoneId, rules, move: "Ruleset" });
    expect(up.changes).toEqual({ same: 1, update: 1 });
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect(await deployed()).toHaveLength(2);
  });

  test("does not drop a rule added by hand meanwhile", async () => {
    const id = (await stack.service.entrypoint(zoneId, phase))?.id ?? "";
    await stack.service.addRule(`zones/${zoneId}`, id, { action: "block", expression: "true", description: "3am" });
    const up = await stack.up(program, { zoneId, rules: rules.slice(1), move: "Ruleset" });
    expect(up.ok).toBe(false);
    expect(up.text).toContain('+ block "3am" when true');
    expect(await deployed()).toHaveLength(3);
  });

  test("warns in an adoption next to a @pulumi/cloudflare resource that the other would delete it", async () => {
    const preview = await stack.preview(program, { zoneId, rules, move: "both" });
    expect(preview.ok).toBe(true);
    expect(preview.text).toMatch(
      /takes over [^]*such as a Ruleset of @pulumi\/cloudflare, still manages this ruleset and is removed in the same run, it deletes/,
    );
  });
});
