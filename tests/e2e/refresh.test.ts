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
