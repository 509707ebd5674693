import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zones: readonly string[];
  /** Whether there is a resource that does not exist yet, on which each entry point depends in another form. */
  readonly isLate: boolean;
}
const program = ({ PhaseEntrypoint, Ruleset, pulumi }: Library, { zones, isLate }: Args) => {
  const where = "http_request_firewall_custom";
  const rule = (name: string) => ({
    action: "block" as const,
    description: name,
    expression: `http.host eq "${name}"`,
  });
  const late = () =>
    new Ruleset("late", { zoneId: zones[0] ?? "", kind: "custom", name: "late", phase: where, rules: [rule("inner")] });
  const id = isLate ? late().rulesetId : pulumi.output("none");
  const kept = [rule("a"), rule("b")];
  const response = { statusCode: 403, contentType: "text/plain", content: id };
  const answering = { action: "block" as const, expression: "ssl", actionParameters: { response } };
  const forms = [
    [...kept, answering],
    [rule("a"), { ...rule("b"), expression: id.apply((text) => `http.host eq "${text}"`) }],
    [id.apply((text) => ({ ...rule("late"), expression: `http.host eq "${text}"` })), ...kept],
    id.apply((text) => [rule("a"), rule("b"), rule(text)]),
    [
      rule("a"),
      { ...rule("b"), action: id.apply(() => "log"), enabled: id.apply(() => false), description: id.apply(() => "b") },
    ],
  ];
  for (const [at, form] of forms.entries())
    new PhaseEntrypoint(`form-${String(at)}`, { zoneId: zones[at] ?? "", phase: where, rules: isLate ? form : kept });
};

test("unknown values are shown as what they may change, and rules keep their IDs when they are known", async () => {
  const seed = {
    zones: [0, 1, 2, 3, 4].map((at) => ({ name: `z${String(at)}.example.com`, plan: "enterprise" as const })),
  };
  const stack = await EngineStack.start({ seed });
  const zones = await Promise.all(seed.zones.map(({ name }) => stack.service.zoneNamed(name)));
  const ids = () =>
    Promise.all(zones.map(async (zone) => (await stack.service.rules(zone, phase)).map(({ id }) => id)));
  await stack.up(program, { zones, isLate: false });
  const before = await ids();
  const preview = await stack.preview(program, { zones, isLate: true });
  expect(preview.ok).toBe(true);
  const shown = (at: number) => preview.text.split(`::form-${String(at)}]`)[1]?.split(/\n.*\(\w+\)\n|\nResources:/)[0];
  const counts = preview.text.match(/\+\d ~\d -\d, 2 unchanged/g) ?? [];
  const [none, one] = ["+0 ~0 -0, 2 unchanged", "+1 ~0 -0, 2 unchanged"];
  expect(counts.sort()).toEqual([none, none, one, one]);
  expect(shown(3)).toMatch(/~ expression +: .* => \[unknown\]/);
  expect(preview.text).not.toMatch(/- [a-z]+-[0-9a-f]{4}/);
  expect((await stack.up(program, { zones, isLate: true })).ok).toBe(true);
  for (const [at, after] of (await ids()).entries()) expect(after).toEqual(expect.arrayContaining(before[at] ?? []));
  expect((await stack.up(program, { zones, isLate: true })).requests).toEqual([]);
});
