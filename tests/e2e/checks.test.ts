import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly accountId: string;
  readonly what: string;
}
const program = ({ PhaseEntrypoint, Ruleset, pulumi }: Library, { zoneId, accountId, what }: Args) => {
  const phase = "http_request_firewall_custom";
  const good = [{ action: "block" as const, expression: "ssl", description: "Good" }];
  const loose = (args: object): never => args as never;
  const cases: Record<string, () => unknown> = {
    many: () =>
      new PhaseEntrypoint("bad", {
        zoneId,
        phase,
        rules: [
          loose({ action: "blok", expression: "ssl" }),
          loose({ action: "block", expression: "(ssl", logging: { enabled: true } }),
          loose({ action: "execute", expression: "", actionParameters: {} }),
          { action: "log", expression: "ssl", ref: "a" },
          { action: "log", expression: "not ssl", ref: "a" },
          loose({ action: "block", expression: "ssl", colour: "red" }),
          loose({ action: "redirect", expression: "ssl", actionParameters: { increment: 1 } }),
        ],
      }),
    scope: () => new PhaseEntrypoint("bad", { accountId, phase: "http_request_origin", rules: [] }),
    nothing: () => new PhaseEntrypoint("bad", loose({ zoneId, phase: "http_ratelimitt" })),
    argument: () =>
      new Ruleset("bad", loose({ zoneId, kind: "zone", name: "x", phase, onexisting: "adopt", onDelete: "burn" })),
    import: () => new PhaseEntrypoint("bad", { zoneId, phase, rules: good }, { import: "x" }),
    provider: () => {
      class Other extends pulumi.ProviderResource {
        constructor() {
          super("cloudflare", "other");
        }
      }
      return new PhaseEntrypoint("bad", { zoneId, phase, rules: good }, { provider: new Other() });
    },
    index: () => new PhaseEntrypoint("bad", { zoneId, phase, rules: good }, { ignoreChanges: ["rules[0].enabled"] }),
    ignored: () =>
      new PhaseEntrypoint(
        "bad",
        { zoneId, phase, rules: good },
        { ignoreChanges: ['rules["x"].enabled', "descripton"] },
      ),
    map: () => new PhaseEntrypoint("bad", loose({ zoneId, phase, rules: { a: good[0] } })),
    newer: () =>
      new PhaseEntrypoint("good", {
        zoneId,
        phase: "http_request_teleport" as string,
        rules: [
          { action: pulumi.output("teleport_visitor"), expression: "ssl", actionParameters: { wire: { to: "mars" } } },
        ],
      }),
    owners: () => [
      new PhaseEntrypoint("one", { zoneId, phase, rules: [] }),
      new Ruleset("two", { zoneId, kind: "zone", name: "x", phase }),
    ],
  };
  cases[what]?.();
};

describe("invalid programs are reported at preview", () => {
  let stack: EngineStack;
  let ids: { zoneId: string; accountId: string };
  beforeAll(async () => {
    stack = await EngineStack.start();
    ids = { zoneId: await stack.service.zone(), accountId: await stack.service.account() };
  });
  afterAll(() => stack.close());
  const preview = (what: string) => stack.preview(program, { ...ids, what });

  test("all failures of a resource together, each with its path", async () => {
    const { ok, text, requests } = await preview("many");
    expect(ok).toBe(false);
    for (const part of [
      'rules[0].action: the action "blok" does not exist; did you mean "block"?',
      "rules[1].expression:1: this `(` is never closed",
      "rules[1].logging: is only allowed in rules with the action skip",
      "rules[2].expression: must not be empty",
      "rules[2].actionParameters: the action execute needs id",
      'rule "a", rules[4].ref: "a" is already the ref of rules[3]',
      'rules[5].colour: there is no field "colour"',
      "rules[6].action: phase http_request_firewall_custom does not allow the action redirect",
      "rules[6].actionParameters.increment: the action redirect does not take increment; it takes fromList, fromValue",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("at Object.");
    expect(requests).toEqual([]);
  });

  test.each([
    ["scope", ["phase: http_request_origin (origin rules) exists for zones only: specify zoneId"]],
    [
      "nothing",
      [
        'phase: the phase "http_ratelimitt" does not exist; did you mean "http_ratelimit"?',
        "rules: must be a list of rules; write [] for no rules",
      ],
    ],
    [
      "argument",
      [
        "onexisting: Ruleset has no argument onexisting; did you mean onExisting?",
        "onDelete: must be one of empty, delete, keep",
      ],
    ],
    [
      "import",
      [
        'the option import does not work with dynamic resources. Leave it out and take over what exists with onExisting: "adopt"',
      ],
    ],
    ["provider", ["opts.provider is a provider of the package cloudflare. Use a provider of this package instead"]],
    ["index", ['ignoreChanges "rules[0].enabled" uses an index, but rules are identified by ref']],
    ["ignored", ["PhaseEntrypoint has no argument descripton; did you mean description?"]],
    ["map", ["rules: must be a list of rules, not an object, which has no order: write Object.values(…)"]],
    ["owners", ["has two owners in this program"]],
  ])("%s", async (what, parts) => {
    const { ok, text } = await preview(what);
    expect(ok).toBe(false);
    for (const part of parts) expect(text).toContain(part);
    // The message of the error is enough; a stack trace would only hide it.
    expect(text).not.toMatch(/Unhandled exception|\n\s+at /);
  });

  test("an unknown phase and an unknown action are accepted with a warning", async () => {
    const { ok, text } = await preview("newer");
    expect(ok).toBe(true);
    expect(text).toContain('warning: phase: the phase "http_request_teleport" is not known to this version');
    expect(text).toMatch(/warning: rules\[0\]\.action: the action "teleport_visitor" is not known to this version/);
  });
});
