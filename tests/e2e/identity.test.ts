import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
const program = (
  { PhaseEntrypoint }: Library,
  args: { zoneId: string; phase: string; rules: readonly RulesetRule[] },
) => {
  new PhaseEntrypoint("custom", { zoneId: args.zoneId, phase: args.phase, rules: [...args.rules] });
};
const many: RulesetRule[] = Array.from({ length: 200 }, (_, index) => ({
  action: "block",
  description: `Block host ${String(index)}`,
  expression: `http.host eq "h${String(index)}.example.com"`,
}));
const top: RulesetRule = { action: "managed_challenge", description: "New on top", expression: "ssl" };

describe("two hundred rules", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
    await stack.up(program, { zoneId, phase, rules: many });
  });
  const ids = async (): Promise<string[]> =>
    (await stack.service.entrypoint(zoneId, phase))?.rules.map(({ id }) => id) ?? [];
  const run = (rules: readonly RulesetRule[]) => ({ zoneId, phase, rules });

  test("one more at the top: the preview shows one rule, the update sends one GET and one PUT and keeps 200 IDs", async () => {
    const before = await ids();
    const preview = await stack.preview(program, run([top, ...many]));
    const shown = preview.text.slice(preview.text.indexOf("~ rules"), preview.text.indexOf("Resources:"));
    expect(shown.match(/expression/g)).toHaveLength(1);
    expect(shown).not.toContain("Block host");
    expect(preview.text).toMatch(/\+ new-on-top-[0-9a-f]{4}: \{/);
    expect(preview.text).toContain("plan: +1 ~0 -0, 200 unchanged; sends ");
    expect(preview.text).toContain('blocked by "Block host 0" → challenged by "New on top"');
    // The zone is read for its plan, because so many rules need more than the smallest plan.
    expect(preview.requests.sort()).toEqual([
      `GET /zones/${zoneId}`,
      `GET /zones/${zoneId}/rulesets/phases/${phase}/entrypoint`,
    ]);
    const up = await stack.up(program, run([top, ...many]));
    expect(methodsOf(up.requests)).toEqual(["GET", "PUT"]);
    expect((await ids()).slice(1)).toEqual(before);
  });

  test("the state stays small: it contains the rules a few times, and no code", () => {
    const [resource] = stack.resources();
    expect(JSON.stringify(resource?.inputs?.__provider).length).toBeLessThan(110);
    const rules = JSON.stringify(resource?.inputs?.rules).length;
    expect(stack.stateText().length).toBeLessThan(rules * 6);
  });
});
