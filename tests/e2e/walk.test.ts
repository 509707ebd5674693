import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";

interface Args {
  readonly zoneId: string;
  readonly phase: string;
  readonly rules: readonly RulesetRule[];
  readonly inner?: string;
}

const program = ({ PhaseEntrypoint, Ruleset }: Library, { zoneId, phase: name, rules, inner }: Args) => {
  if (inner === undefined) {
    const entrypoint = new PhaseEntrypoint("custom", { zoneId, phase: name, rules: [...rules] });
    return { version: entrypoint.version, ruleIds: entrypoint.ruleIds, deployed: entrypoint.deployedRules };
  }
  const custom = new Ruleset("mine", {
    zoneId,
    kind: "custom",
    name: "Mine",
    phase: name,
    rules: [{ action: "block", description: "Inner", expression: inner }],
  });
  const execute = { action: "execute" as const, expression: "true", actionParameters: { id: custom.id } };
  new PhaseEntrypoint("custom", { zoneId, phase: name, rules: [...rules, execute] });
  return { rulesetId: custom.rulesetId };
};

describe("a stack on the real engine", () => {
  let stack: EngineStack;
  let zoneId: string;
  const rules = [block("Block admin", 'http.request.uri.path eq "/admin"'), block("Block one", "ip.src eq 192.0.2.1")];
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });

  test("creates an entry point with one list and one write, after a preview that only lists", async () => {
    const preview = await stack.preview(program, { zoneId, phase, rules });
    expect(preview.changes).toEqual({ create: 2 });
    expect(preview.requests).toEqual([`GET /zones/${zoneId}/rulesets`]);
    const up = await stack.up(program, { zoneId, phase, rules });
    expect(up.requests).toEqual([`GET /zones/${zoneId}/rulesets`, `POST /zones/${zoneId}/rulesets`]);
    const there = await stack.service.entrypoint(zoneId, phase);
    expect(there?.rules.map(({ description }) => description)).toEqual(["Block admin", "Block one"]);
    expect(up.outputs).toMatchObject({
      version: "1",
      deployed: there?.rules.map(({ id, ref }) => ({ id, ref, version: "1" })),
      ruleIds: Object.fromEntries(there?.rules.map(({ id, ref }) => [ref, id]) ?? []),
    });
  });

  test("records where the program declares a resource, not where this package does", () => {
    const [{ sourcePosition = "" } = {}] = stack.resources();
    expect(sourcePosition).toContain("support/runner.cjs");
  });

  test("sends nothing on a second up, and one list on a refresh", async () => {
    expect(await stack.up(program, { zoneId, phase, rules })).toMatchObject({ changes: { same: 2 }, requests: [] });
    expect(await stack.refresh()).toMatchObject({ changes: { same: 2 }, requests: [`GET /zones/${zoneId}/rulesets`] });
  });

  test("executes a custom ruleset, and editing that one does not change the entry point", async () => {
    const made = await stack.up(program, { zoneId, phase, rules, inner: "ip.src eq 192.0.2.2" });
    expect(made.changes).toEqual({ same: 1, create: 1, update: 1 });
    const up = await stack.up(program, { zoneId, phase, rules, inner: "ip.src eq 192.0.2.3" });
    expect(up.changes).toEqual({ same: 2, update: 1 });
    expect(methodsOf(up.requests)).toEqual(["GET", "PUT"]);
  });

  test("deletes everything it created, and leaves the entry point empty", async () => {
    expect((await stack.destroy()).ok).toBe(true);
    expect((await stack.service.entrypoint(zoneId, phase))?.rules).toEqual([]);
    expect((await stack.service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom")).toEqual([]);
  });
});
