import { secretPlaceholder } from "../../provider/engine/secrets.js";
import { KINDS } from "../../provider/kinds/index.js";
import { shapeToWire } from "../../core/model/wire.js";
import { getShape } from "../../core/model/shapes.js";
import type { JsonObject } from "../../core/model/json.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import { everyAction } from "../support/every-action.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset, startService } from "./harness.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";
import { RulesProgram } from "./rules-program.js";

const custom = "http_request_firewall_custom";
const wire = (rule: object): JsonObject => shapeToWire(rule as JsonObject, getShape("RulesetRule"));

describe("rules in the service's spelling", () => {
  let service: Service;
  let ids: { zoneId: string; accountId: string };
  let entrypoint: ManagedRuleset;
  beforeEach(async () => {
    ({ service, ...ids } = await startService({
      accounts: [{ name: "a" }],
      zones: [{ name: "z.example", plan: "enterprise" }],
    }));
    entrypoint = new ManagedRuleset("PhaseEntrypoint", service);
  });

  test.each(everyAction.filter(({ level }) => level === "zones").map((sample) => [sample.phase, sample] as const))(
    "%s: a program may be rewritten from one spelling to the other without a change",
    async (phase, { rules }) => {
      const inputs = { zoneId: ids.zoneId, phase, rules };
      await entrypoint.up(inputs);
      const state = entrypoint.kept?.state;
      const spelled = { ...inputs, rules: rules.map(wire) };
      expect(await entrypoint.up(spelled)).toMatchObject({ action: "none", requests: [] });
      expect(entrypoint.kept?.state).toEqual(state);
    },
  );

  test("rules as the service returns them are passed back without losing their identity", async () => {
    const { zoneId } = ids;
    const path = `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`;
    const limit = {
      action: "block",
      expression: "ssl",
      action_parameters: { response: { status_code: 429, content: "x", content_type: "text/plain" } },
    };
    await service.ask("PUT", path, { rules: [limit, { action: "log", expression: "true", ref: "own" }] });
    const { rules } = await service.ask<{ rules: JsonObject[] }>("GET", path);
    expect(rules[0]).toMatchObject({ version: "1", id: rules[0]?.ref });
    const inputs = { zoneId, phase: custom, rules };
    expect(await entrypoint.up(inputs)).toMatchObject({ action: "create" });
    expect((await service.entrypoint(zoneId, custom))?.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    expect(await entrypoint.up(inputs)).toMatchObject({ action: "none", requests: [] });
    const edited = rules.map((rule, index) => (index === 0 ? { ...rule, expression: "not ssl" } : rule));
    expect(await entrypoint.up({ ...inputs, rules: edited })).toMatchObject({ action: "update" });
    expect((await service.entrypoint(zoneId, custom))?.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
  });

  test("an ID is honoured, or refused with what to write instead", async () => {
    const { zoneId } = ids;
    const other = { action: "block", expression: 'http.host eq "a"' };
    await entrypoint.up({ zoneId, phase: custom, rules: [{ ...other, ref: "a" }] });
    const [there] = (await service.entrypoint(zoneId, custom))?.rules ?? [];
    const id = String(there?.id);
    const given = (rule: object) => ({ zoneId, phase: custom, rules: [{ ...other, ...rule }] });
    // The ID alone identifies the rule, in an update too, whatever else is edited.
    await entrypoint.up(given({ id, expression: "ssl", action: "log" }));
    expect((await service.entrypoint(zoneId, custom))?.rules).toMatchObject([{ id, ref: "a", action: "log" }]);
    expect(await failureOf(entrypoint.preview(given({ id, ref: "b" })))).toContain(
      'rules[0].id: is the ID of the rule with the ref "a". To keep it, write ref: "a"; to create a new rule, leave id out',
    );
    const nobody = "0".repeat(32);
    expect(await failureOf(entrypoint.preview(given({ id: nobody, ref: "a" })))).toContain(
      "rules[0].id: is the ID of no rule in this ruleset",
    );
    const elsewhere = new ManagedRuleset("PhaseEntrypoint", service, "urn:elsewhere");
    const phase = "http_ratelimit";
    const limit = { characteristics: ["cf.colo.id"], period: 10, requests_per_period: 1, mitigation_timeout: 10 };
    const rules = [{ ...other, id: nobody, ratelimit: limit }];
    expect(await failureOf(elsewhere.preview({ zoneId, phase, rules }))).toContain("rules[0].id: is the ID of no rule");
  });

  test("a rule that mixes spellings is converted; what people name themselves keeps its name", async () => {
    const setHeaders = { cf_ray: { operation: "set", value: "a" }, xBot: { operation: "remove" } };
    const rules = [
      {
        action: "rewrite",
        expression: "ssl",
        actionParameters: { headers: setHeaders },
        last_updated: "2026-01-01T00:00:00Z",
      },
      {
        action: "block",
        expression: "ssl",
        actionParameters: { response: { status_code: 429, contentType: "text/plain", content: "x" } },
        ratelimit: { characteristics: ["cf.colo.id"], period: 10, requests_per_period: 1, mitigationTimeout: 10 },
        wire: { newer_field: { someKey: 1 } },
        giraffe: 1,
      },
    ];
    const inputs = (phase: string, index: number) =>
      entrypoint
        .preview({ zoneId: ids.zoneId, phase, rules: rules.slice(index, index + 1) })
        .then(({ inputs }) => inputs);
    expect(Object.values((await inputs("http_request_late_transform", 0)).rules as object)).toMatchObject([
      { actionParameters: { headers: setHeaders } },
    ]);
    expect(Object.values((await inputs("http_ratelimit", 1)).rules as object)).toMatchObject([
      {
        actionParameters: { response: { statusCode: 429, contentType: "text/plain", content: "x" } },
        ratelimit: { requestsPerPeriod: 1, mitigationTimeout: 10 },
        wire: { newer_field: { someKey: 1 }, giraffe: 1 },
      },
    ]);
  });

  test("a field that is given with both names is refused, and mistakes have the names of this package", async () => {
    const failure = (rule: object) =>
      failureOf(
        entrypoint.preview({
          zoneId: ids.zoneId,
          phase: custom,
          rules: [{ action: "block", expression: "ssl", ...rule }],
        }),
      );
    expect(await failure({ action_parameters: {}, actionParameters: {} })).toBe(
      "rules[0].actionParameters: is given twice, also with the service's name action_parameters. " +
        "To continue: leave out one of the two",
    );
    const twice = { status_code: 400, statusCode: 400, content: "x", content_type: "text/plain" };
    expect(await failure({ action_parameters: { response: twice } })).toContain(
      "rules[0].actionParameters.response.statusCode: is given twice, also with the service's name status_code",
    );
    const skipped = await failure({
      action: "skip",
      action_parameters: { ruleset: "current" },
      logging: { enabled: "yes" },
    });
    expect(skipped).toBe("rules[0].logging.enabled: must be true or false, not a string");
    expect(await failure({ action: "rewrite", action_parameters: { uri: { path: { valeu: "/" } } } })).toContain(
      "rules[0].actionParameters.uri.path.valeu: there is no field",
    );
    expect(await failure({ version: 3 })).toBe("rules[0].version: must be a string, not a number");
  });

  test("secrets and unknown values inside keep their places", async () => {
    const rules = [
      {
        ref: "r",
        action: "block",
        expression: "ssl",
        action_parameters: {
          response: { status_code: 403, content: secretPlaceholder("0"), content_type: "text/plain" },
        },
      },
    ];
    const { zoneId } = ids;
    await entrypoint.up({ zoneId, phase: custom, rules, __secrets: { "0": "hunter2-secret" } });
    expect(entrypoint.kept?.inputs.__secretPaths).toEqual({ r: [["actionParameters", "response", "content"]] });
    const paths = KINDS.PhaseEntrypoint().secretPaths(entrypoint.kept?.state as unknown as JsonObject);
    expect(paths).toContainEqual(["rules", "r", "actionParameters", "response", "content"]);
    const unknown = [{ ...rules[0], action_parameters: { response: UNKNOWN } }];
    const { inputs } = await entrypoint.preview({ zoneId, phase: custom, rules: unknown });
    expect(inputs.rules).toMatchObject({ r: { actionParameters: { response: UNKNOWN } } });
  });

  test("a RulesetRule takes the fields of a rule that was read", async () => {
    const { zoneId } = ids;
    const path = `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`;
    await service.ask("PUT", path, {
      rules: [{ action: "skip", expression: "ssl", action_parameters: { ruleset: "current" } }],
    });
    const { rules } = await service.ask<{ rules: JsonObject[] }>("GET", path);
    const { id, ...read } = rules[0] as { id: string } & JsonObject;
    const program = new RulesProgram(service);
    const given = { zoneId, phase: custom, ...read, ruleId: id };
    await program.up({ a: given });
    expect((await service.entrypoint(zoneId, custom))?.rules).toMatchObject([{ id, version: "1" }]);
    expect(await program.up({ a: given })).toMatchObject({ requests: "" });
    const empty = { zoneId, phase: custom, action: "log", expression: "true", ref: "", version: "" };
    await program.up({ a: given, b: empty });
    expect((await service.entrypoint(zoneId, custom))?.rules).toHaveLength(2);
  });

  test("an argument that is ignored is ignored in both spellings, also if the rule has none", async () => {
    const program = new RulesProgram(service);
    const rule = { zoneId: ids.zoneId, phase: custom, ref: "r", action: "block", expression: "ssl" };
    await program.up({ r: rule });
    const response = { status_code: 429, content: "x", content_type: "text/plain" };
    const spelled = { r: { ...rule, action_parameters: { response } } };
    const options = { ignored: { r: ["actionParameters"] } };
    expect(await program.up(spelled, options)).toMatchObject({ actions: { r: "none" }, requests: "" });
  });

  test("newer fields of the service are passed on", async () => {
    const rules = [
      { action: "block", expression: "ssl", action_parameters: { zebra_stripes: 5 }, giraffe: { neck: [] } },
    ];
    const { inputs } = await entrypoint.preview({ zoneId: ids.zoneId, phase: custom, rules });
    expect(Object.values(inputs.rules as object)).toEqual([
      {
        action: "block",
        expression: "ssl",
        actionParameters: { wire: { zebra_stripes: 5 } },
        wire: { giraffe: { neck: [] } },
      },
    ]);
  });
});

test("a migration takes its retrieved rules unchanged", async () => {
  const old = await startOldZone({ firewallRules: [{ expression: "ssl", description: "partner", products: ["waf"] }] });
  const finish = { zoneId: old.zoneId, mode: "pending", acknowledgeIrreversible: NAME };
  const { inputs } = await old.migration.preview(finish);
  const { rules } = inputs.retrievedConfig as { rules: JsonObject[] };
  expect(rules[0]).toMatchObject({ id: "", version: "", ref: "" });
  const again = await old.migration.preview({ ...finish, rules });
  expect(again.inputs.plannedRules).toEqual(inputs.plannedRules);
  const appended = await old.migration.preview({ ...finish, adjustments: { append: rules.slice(0, 1) } });
  expect(appended.inputs.plannedRules).toHaveLength(rules.length + 1);
  await old.migration.up({ ...finish, rules });
  expect((await old.service.entrypoint(old.zoneId, PHASE))?.rules).toHaveLength(rules.length);
  await old.migration.settled({ ...finish, rules });
});
