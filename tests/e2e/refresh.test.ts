import { EngineStack, type Library, type Outcome } from "./support/stack.js";

const CUSTOM = "http_request_firewall_custom";

const program = (
  { PhaseEntrypoint }: Library,
  { shared, single, phases }: { shared: string; single: string; phases: readonly string[] },
) => {
  for (const phase of phases) new PhaseEntrypoint(phase, { zoneId: shared, phase, rules: [] });
  new PhaseEntrypoint("single", { zoneId: single, phase: "http_ratelimit", rules: [] });
};

test("a refresh reads the list of a zone instead of its rulesets, whether the program runs or not", async () => {
  const names = ["shared.test", "single.test"];
  const stack = await EngineStack.start({ seed: { zones: names.map((name) => ({ name, plan: "enterprise" })) } });
  const [shared = "", single = ""] = await Promise.all(names.map((name) => stack.service.zoneNamed(name)));
  const args = { shared, single, phases: ["http_ratelimit", CUSTOM, "http_request_origin", "http_request_sanitize"] };
  expect((await stack.up(program, args)).ok).toBe(true);
  const requestsOf = ({ ok, changes, requests }: Outcome): number => {
    expect([ok, changes]).toEqual([true, { same: 6 }]);
    expect(requests).toContain(`GET /zones/${shared}/rulesets`);
    return requests.length;
  };
  // One for each zone.
  expect(requestsOf(await stack.refresh())).toBe(2);
  expect(requestsOf(await stack.refresh({ parallel: 1, runProgram: true }))).toBe(2);
  expect(requestsOf(await stack.up(program, args, { refresh: true }))).toBe(2);

  const id = (await stack.service.entrypoint(shared, CUSTOM))?.id ?? "";
  await stack.service.addRule(`zones/${shared}`, id, { action: "log", expression: "true" });
  const drifted = await stack.refresh();
  expect(drifted.requests).toContain(`GET /zones/${shared}/rulesets/phases/${CUSTOM}/entrypoint`);
  expect(drifted.requests).toHaveLength(3);
});

interface Drifting {
  readonly zoneId: string;
}
const drifting = ({ PhaseEntrypoint, RulesetRule, pulumi }: Library, { zoneId }: Drifting) => {
  const rule = (description: string, expression: string) => ({ action: "log", description, expression }) as const;
  const phase = "http_request_firewall_custom";
  new PhaseEntrypoint("whole", { zoneId, phase, rules: [rule("a", "ssl"), rule("b", "not ssl")] });
  const origin = { action: "route", expression: "ssl", actionParameters: { hostHeader: "a.example" } } as const;
  new PhaseEntrypoint("shared", { zoneId, phase: "http_request_origin", ownership: "shared", rules: [origin] });
  const headers = { "x-key": { operation: "set", value: pulumi.secret("hunter2-hunter2") } } as const;
  const transform = "http_request_late_transform";
  const actionParameters = { headers };
  new RulesetRule("one", {
    zoneId,
    phase: transform,
    ref: "k",
    action: "rewrite",
    expression: "ssl",
    actionParameters,
  });
};

test("a refresh shows what changed at the service, and no name that is only for this package", async () => {
  const stack = await EngineStack.start();
  const zoneId = await stack.service.zone();
  const edit = async (phase: string, change: object) => {
    const entry = await stack.service.entrypoint(zoneId, phase);
    const {
      id = "",
      version: _version,
      last_updated: _date,
      ...rule
    } = { ...entry?.rules[0] } as Record<string, string>;
    await stack.service.editRule(`zones/${zoneId}`, entry?.id ?? "", id, { ...rule, ...change });
  };
  const { ok } = await stack.up(drifting, { zoneId });
  expect(ok).toBe(true);
  const ids = (await stack.service.rules(zoneId, CUSTOM)).map(({ id }) => id);
  await edit(CUSTOM, { action: "block", description: "other", expression: "true" });
  await edit("http_request_origin", { description: "other", expression: "not ssl" });
  // The secret is copied to a place where the program has none.
  await edit("http_request_late_transform", { description: "hunter2-hunter2" });
  const shown = await stack.refresh({ diff: true });
  expect(shown.text).toMatch(/description|expression|rules/);
  expect(shown.text.match(/\b__\w+/g)).toBeNull();
  const repaired = await stack.up(drifting, { zoneId }, { diff: true });
  expect([repaired.ok, repaired.text.match(/\b__\w+/g)]).toEqual([true, null]);
  // However much was changed, the rule is recognised.
  expect((await stack.service.rules(zoneId, CUSTOM)).map(({ id }) => id)).toEqual(ids);
});
