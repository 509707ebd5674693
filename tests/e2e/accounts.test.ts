import { managedRulesets } from "../../provider/managed/rulesets.js";
import type { Rule } from "../../provider/index.js";
import { EngineStack, type Library } from "./support/stack.js";

const PHASE = "http_request_firewall_managed";
const CORE = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
const ENTERPRISE = 'cf.zone.plan eq "ENT"';

interface Args {
  readonly accountId: string;
  readonly scoreThreshold: number;
  readonly custom?: boolean;
}
const program = ({ PhaseEntrypoint, Ruleset, managedRulesets, owasp }: Library, args: Args) => {
  const { accountId, scoreThreshold, custom } = args;
  const expression = 'cf.zone.plan eq "ENT"';
  const rules: Rule[] = [
    {
      description: "Managed",
      action: "execute",
      expression,
      actionParameters: {
        id: managedRulesets.cloudflareManaged,
        overrides: { action: "log", categories: [{ category: "wordpress", enabled: false }] },
      },
    },
    owasp({ paranoiaLevel: 2, scoreThreshold, action: "managed_challenge", expression, description: "Core" }),
  ];
  const entrypoint = new PhaseEntrypoint("managed", { accountId, phase: "http_request_firewall_managed", rules });
  if (custom === true) {
    const shared = new Ruleset("shared", {
      accountId,
      kind: "custom",
      name: "Shared",
      phase: "http_request_firewall_custom",
      rules: [{ description: "Admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' }],
    });
    new PhaseEntrypoint("custom", {
      accountId,
      phase: "http_request_firewall_custom",
      rules: [{ action: "execute", expression, actionParameters: { id: shared.id } }],
    });
  }
  return { version: entrypoint.version };
};

describe("the managed rules of an account", () => {
  let stack: EngineStack;
  let accountId: string;
  let scope: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    accountId = await stack.service.account();
    scope = `accounts/${accountId}`;
  });
  afterAll(() => stack.close());
  const entrypoint = async () => {
    const found = await stack.service.entrypoint(scope, PHASE);
    if (found === undefined) throw new Error("no entry point");
    return found;
  };

  test("are executed with their overrides, after a preview that shows them", async () => {
    const preview = await stack.preview(program, { accountId, scoreThreshold: 60 });
    expect(preview.text).toContain("scoreThreshold");
    // The second one: does the category that the program overrides exist?
    const looked = [`GET /${scope}/rulesets`, `GET /${scope}/rulesets/${managedRulesets.cloudflareManaged}`];
    expect(preview.requests).toEqual(looked);
    const up = await stack.up(program, { accountId, scoreThreshold: 60 });
    expect([up.ok, up.requests]).toEqual([true, [`GET /${scope}/rulesets`, `POST /${scope}/rulesets`]]);
    expect(await entrypoint()).toMatchObject({
      kind: "root",
      rules: [
        {
          description: "Managed",
          expression: ENTERPRISE,
          action_parameters: { overrides: { action: "log", categories: [{ category: "wordpress", enabled: false }] } },
        },
        {
          description: "Core",
          action_parameters: {
            id: CORE,
            overrides: {
              categories: [
                { category: "paranoia-level-3", enabled: false },
                { category: "paranoia-level-4", enabled: false },
              ],
              rules: [{ id: SCORING, score_threshold: 60, action: "managed_challenge" }],
            },
          },
        },
      ],
    });
    expect((await stack.up(program, { accountId, scoreThreshold: 60 })).requests).toEqual([]);
  });

  test("change in one field, and keep their IDs", async () => {
    const before = await entrypoint();
    const preview = await stack.preview(program, { accountId, scoreThreshold: 40 });
    expect(preview.text).toMatch(/~ scoreThreshold: 60 => 40/);
    const up = await stack.up(program, { accountId, scoreThreshold: 40 });
    expect([up.changes, up.outputs]).toEqual([{ same: 1, update: 1 }, { version: "2" }]);
    expect((await entrypoint()).rules.map(({ id }) => id)).toEqual(before.rules.map(({ id }) => id));
  });

  test("work next to an executed custom ruleset, and are deleted with the stack", async () => {
    const up = await stack.up(program, { accountId, scoreThreshold: 25, custom: true });
    expect([up.ok, up.changes]).toEqual([true, { same: 2, create: 2 }]);
    expect((await stack.up(program, { accountId, scoreThreshold: 25, custom: true })).requests).toEqual([]);
    const destroyed = await stack.destroy();
    expect(destroyed.ok).toBe(true);
    const left = (await stack.service.list(scope)).filter(({ kind }) => kind !== "managed");
    expect(left.map(({ kind }) => kind)).toEqual(["root", "root"]);
    for (const phase of [PHASE, "http_request_firewall_custom"])
      expect((await stack.service.entrypoint(scope, phase))?.rules).toEqual([]);
  });
});
