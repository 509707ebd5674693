import type { Rule as RulesetRule } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
const program = ({ PhaseEntrypoint }: Library, { zoneId, rules }: { zoneId: string; rules: RulesetRule[] }) => {
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules });
};
const block = (ref: string, expression: string): RulesetRule => ({ ref, action: "block", expression });

describe("a dry run by the service, on the real engine", () => {
  let stack: EngineStack;
  let zoneId: string;
  const start = async (seed = {}) => {
    stack = await EngineStack.start({ seed, config: { "rulesets:dryRun": { value: "true" } } });
    zoneId = await stack.service.zone("free");
  };
  afterEach(() => stack.close());

  test("stops the preview of a create or a change with the path of the rule, and shows messages of the service", async () => {
    await start();
    const refused = await stack.preview(program, { zoneId, rules: [block("hosts", 'http.host matches "^a"')] });
    expect(refused.ok).toBe(false);
    expect(refused.text).toContain('rules[0].expression: the service rejects the rule "hosts": not entitled');
    expect(await stack.service.entrypoint(zoneId, phase)).toBeUndefined();

    expect((await stack.up(program, { zoneId, rules: [block("a", "ssl")] })).ok).toBe(true);
    const before = await stack.service.entrypoint(zoneId, phase);
    const many = Array.from({ length: 6 }, (_, at) => block(`r${String(at)}`, `http.host eq "h${String(at)}.test"`));
    const tooMany = await stack.preview(program, { zoneId, rules: many });
    expect(tooMany.ok).toBe(false);
    expect(tooMany.text).toContain("[50001] exceeded the maximum number of rules");

    await stack.service.fault({ method: "PUT", path: `/rulesets/${before?.id ?? ""}$`, messages: ["look at this"] });
    const fine = await stack.preview(program, { zoneId, rules: many.slice(0, 5) });
    expect(fine.text).toContain(`${phase} of zone ${zoneId}: the service accepts the change (dry run).`);
    expect(fine.text).toContain("the service says: look at this");
    expect(writesIn(fine.requests)).toHaveLength(3);
    expect(await stack.service.entrypoint(zoneId, phase)).toEqual(before);
  });

  test("sends no effective write to a service that does not support it", async () => {
    await start({ dryRun: false });
    const { ok, text, requests } = await stack.preview(program, { zoneId, rules: [block("a", "ssl")] });
    expect([ok, text]).toEqual([true, expect.stringContaining("the service did not show that it supports dry_run")]);
    expect(writesIn(requests)).toEqual([`DELETE /zones/${zoneId}/rulesets/${"0".repeat(32)}`]);
    expect(await stack.service.entrypoint(zoneId, phase)).toBeUndefined();
  });
});
