import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

/* The first step of a takeover on the real engine: what the program says is compared with what is there, and nothing is written. */

const phase = "http_request_firewall_custom";

interface Args {
  readonly zoneId: string;
  readonly manage: boolean;
}
const dynamic = ({ PhaseEntrypoint, RulesetRule }: Library, { zoneId, manage }: Args) => {
  const admin = { action: "block", ref: "admin", expression: 'http.request.uri.path eq "/admin"' } as const;
  const { differences } = new PhaseEntrypoint("waf", {
    ...{ zoneId, phase: "http_request_firewall_custom", manage, onExisting: "adopt" },
    rules: [admin],
  });
  const limits = { zoneId, phase: "http_request_late_transform" } as const;
  const header = {
    action: "rewrite" as const,
    expression: "true",
    actionParameters: { headers: { a: { operation: "remove" } } },
  };
  new RulesetRule("header", { ...limits, ...header, ref: "header", manage: false });
  return { differences };
};
const plugin = ({ pulumi }: Library, { zoneId, manage }: Args) => {
  class Resource extends pulumi.CustomResource {
    declare readonly differences: unknown;
  }
  const rules = [{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }];
  const place = { zoneId, phase: "http_request_firewall_custom", onExisting: "adopt" };
  const { differences } = new Resource("rulesets:index:PhaseEntrypoint", "waf", {
    ...{ ...place, rules, manage, differences: undefined },
  });
  const header = {
    action: "rewrite",
    expression: "true",
    actionParameters: { headers: { a: { operation: "remove" } } },
  };
  const limits = { zoneId, phase: "http_request_late_transform", ref: "header", manage: false };
  new Resource("rulesets:index:RulesetRule", "header", { ...limits, ...header });
  return { differences };
};

describe.each([
  ["the dynamic provider", dynamic],
  ["the plugin", plugin],
] as const)("resources of %s that only observe", (_, program) => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: "shop.example.com" }] } });
    zoneId = await stack.service.zoneNamed("shop.example.com");
  });
  afterAll(() => stack.close());

  test("say how the service differs in previews, updates and refreshes, write nothing, and can be taken over", async () => {
    const rules = [{ ref: "admin", action: "log", expression: 'http.request.uri.path eq "/admin"' }];
    const { id } = await stack.service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
    const observed = { zoneId, manage: false };
    const preview = await stack.preview(program, observed);
    expect(preview.text).toContain("is only observed (manage: false), so nothing is written; the service differs:");
    expect(preview.text).toContain('rule "admin" has action "log"');
    expect(preview.text).toContain("http_request_late_transform of zone");
    const up = await stack.up(program, observed);
    expect(up).toMatchObject({ ok: true, outputs: { differences: ['rule "admin" has action "log"'] } });
    expect(writesIn(up.requests)).toEqual([]);
    expect(await stack.up(program, observed)).toMatchObject({ changes: { same: 3 } });
    expect((await stack.refresh()).changes).toEqual({ same: 3 });

    await stack.service.replace(`zones/${zoneId}`, id, { rules: [{ ...rules[0], action: "block" }] });
    expect((await stack.refresh()).changes).toEqual({ same: 2, update: 1 });
    expect((await stack.up(program, observed)).outputs).toEqual({ differences: [] });

    const managed = { zoneId, manage: true };
    const taken = await stack.up(program, managed);
    expect(taken.ok).toBe(true);
    expect(writesIn(taken.requests)).toEqual([]);
    expect(writesIn((await stack.up(program, observed)).requests)).toEqual([]);
    expect(writesIn((await stack.destroy()).requests)).toEqual([]);
    expect(await stack.service.rules(zoneId, phase)).toHaveLength(1);
  });
});
