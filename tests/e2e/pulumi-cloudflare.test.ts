import { delimiter, join } from "node:path";
import type { Rule as RulesetRule } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  /** Whether it has moved to a Ruleset of this package. */
  readonly isMoved?: boolean;
}
/** A program that uses `@pulumi/cloudflare`, and the same one moved over. */
const program = ({ Ruleset, pulumi }: Library, { zoneId, rules, isMoved }: Args) => {
  const phase = "http_request_firewall_custom";
  const args = { zoneId, kind: "zone", name: "default", phase, rules: [...rules] };
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

describe("moving from @pulumi/cloudflare", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    const folder = join(__dirname, "support", "cloudflare-plugin");
    stack.setEnv({ PATH: [folder, process.env.PATH].join(delimiter), RULESETS_TEST_URL: stack.emulator.url });
    zoneId = await stack.service.zone();
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
});
