import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly step: number;
}
/** Each step depends on a resource that does not exist yet, at a different depth. */
const program = ({ PhaseEntrypoint, Ruleset, pulumi }: Library, { zoneId, step }: Args) => {
  const rule = (name: string) => ({
    action: "block" as const,
    description: name,
    expression: `http.host eq "${name}"`,
  });
  const made = (name: string) =>
    new Ruleset(name, { zoneId, kind: "custom", name, phase: "http_request_firewall_custom", rules: [rule("inner")] });
  const kept = [rule("a"), rule("b")];
  const fresh = step === 0 ? undefined : made(`made-${String(step)}`);
  const id = fresh === undefined ? pulumi.output("none") : fresh.rulesetId;
  const answering = (content: typeof id) => {
    const response = { statusCode: 403, contentType: "text/plain", content };
    return { action: "block" as const, expression: "ssl", actionParameters: { response } };
  };
  const steps = [
    () => kept,
    () => [...kept, answering(id)],
    () => [rule("a"), { ...rule("b"), expression: id.apply((text) => `http.host eq "${text}"`) }],
    () => [
      id.apply((text) => ({ action: "block" as const, description: "late", expression: `http.host eq "${text}"` })),
      ...kept,
    ],
    () => id.apply((text) => [rule("a"), rule("b"), rule(text)]),
    () => [
      rule("a"),
      { ...rule("b"), action: id.apply(() => "log"), enabled: id.apply(() => false), description: id.apply(() => "b") },
    ],
  ];
  const rules = steps[step] ?? (() => []);
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules: rules() });
};

describe("unknown values", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: "e.example.com" }] } });
    zoneId = await stack.service.zone();
    await stack.up(program, { zoneId, step: 0 });
  });
  afterAll(() => stack.close());

  test.each([
    [1, "inside a new rule", /\+1 ~0 -0, 2 unchanged/],
    [2, "as the expression of a rule", /\+0 ~0 -0, 2 unchanged/],
    [3, "as a whole rule", /\+1 ~0 -0, 2 unchanged/],
    [4, "as all the rules", /~ expression +: .* => \[unknown\]/],
    [5, "in several fields of a rule", /\+0 ~0 -0, 2 unchanged/],
  ])("%i: %s", async (step, _, shown) => {
    await stack.up(program, { zoneId, step: 0 });
    const before = await stack.service.entrypoint(zoneId, phase);
    const preview = await stack.preview(program, { zoneId, step });
    expect(preview.ok).toBe(true);
    expect(preview.text).toMatch(shown);
    expect(preview.text).not.toMatch(/- [a-z]+-[0-9a-f]{4}/);
    const up = await stack.up(program, { zoneId, step });
    expect(up.ok).toBe(true);
    const after = await stack.service.entrypoint(zoneId, phase);
    expect(after?.rules.map(({ id }) => id)).toEqual(expect.arrayContaining(before?.rules.map(({ id }) => id) ?? []));
    expect((await stack.up(program, { zoneId, step })).requests).toEqual([]);
  });
});
