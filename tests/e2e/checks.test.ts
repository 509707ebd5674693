import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly what: string;
}
/** Programs that the type checker accepts: with casts, in JavaScript, or with values from elsewhere. */
const program = ({ PhaseEntrypoint, Ruleset, TotalTlsCa, pulumi }: Library, { zoneId, what }: Args) => {
  const phase = "http_request_firewall_custom";
  const loose = (args: object): never => args as never;
  const cases: Record<string, () => unknown> = {
    many: () =>
      new PhaseEntrypoint("bad", {
        zoneId,
        phase,
        rules: [
          loose({ action: "blok", expression: "ssl" }),
          loose({ action: "block", expression: "(ssl", logging: { enabled: true } }),
          { action: "log", expression: "ssl", ref: "a" },
          { action: "log", expression: "not ssl", ref: "a" },
          loose({ action: "redirect", expression: "ssl", actionParameters: { increment: 1 } }),
          loose({ action: "block", expression: "ssl", ratelimit: { period: pulumi.output(Promise.resolve(NaN)) } }),
        ],
      }),
    import: () => new PhaseEntrypoint("bad", { zoneId, phase, rules: [] }, { import: "x" }),
    get: () => Ruleset.get("mine", `zones/${zoneId}/rulesets/${"0".repeat(32)}`),
    unreadable: () => TotalTlsCa.get("mine", `zones/${"0".repeat(32)}/total-tls`),
    headers: () => {
      const names = ["toString", "constructor", "hasOwnProperty"];
      const headers = Object.fromEntries(names.map((name) => [name, { operation: "set", value: name }]));
      const rules = [{ action: "rewrite" as const, expression: "ssl", actionParameters: { headers } }];
      return new PhaseEntrypoint("mine", { zoneId, phase: "http_request_late_transform", rules });
    },
  };
  cases[what]?.();
};

describe("the arguments of a program", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  const preview = (what: string) => stack.preview(program, { zoneId, what });

  test("are reported at preview with all failures of a resource together, each with its path", async () => {
    const { ok, text, requests } = await preview("many");
    expect(ok).toBe(false);
    for (const part of [
      'rules[0].action: the action "blok" does not exist; did you mean "block"?',
      "rules[1].expression:1: this `(` is never closed",
      "rules[1].logging: is only allowed in rules with the action skip",
      'rules[3].ref: "a" is already the ref of rules[2]',
      "rules[4].actionParameters.increment: the action redirect does not take increment; it takes fromList, fromValue",
      "rules[5].ratelimit.period: is NaN, which cannot be sent; write a number",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("at Object.");
    expect(requests).toEqual([]);
  });

  test.each([
    [
      "import",
      'import does not work with dynamic resources. Leave it out and take over what exists with onExisting: "adopt"',
    ],
    ["get", "does not exist"],
    ["unreadable", `TotalTlsCa mine: zones/${"0".repeat(32)}/total-tls cannot be read. GET /zones/`],
  ])("stop the preview with the message alone: %s", async (what, part) => {
    const { ok, text } = await preview(what);
    expect([ok, text]).toEqual([false, expect.stringContaining(part)]);
    expect(text).not.toMatch(/Unhandled exception|TypeError|\n\s+at /);
  });

  test("may have headers named like properties of Object.prototype", async () => {
    expect(await stack.up(program, { zoneId, what: "headers" })).toMatchObject({ ok: true });
    const made = await stack.service.entrypoint(zoneId, "http_request_late_transform");
    expect(made?.rules[0]?.action_parameters).toEqual({
      headers: {
        toString: { operation: "set", value: "toString" },
        constructor: { operation: "set", value: "constructor" },
        hasOwnProperty: { operation: "set", value: "hasOwnProperty" },
      },
    });
    expect(await stack.up(program, { zoneId, what: "headers" })).toMatchObject({ ok: true, requests: [] });
  });
});
