import { entrypointKind, scopeArguments, type Scope } from "../../core/model/ids.js";
import type { JsonObject } from "../../core/model/json.js";
import { managedRulesets } from "../../core/managed/rulesets.js";
import { getShape } from "../../core/model/shapes.js";
import { shapeFromWire } from "../../core/model/wire.js";
import { checkRules } from "../../provider/validation/index.js";
import { Caller } from "../support/caller.js";
import type { Service } from "../support/emulator.js";
import { failureIfAny } from "../support/failure.js";
import { refusals, type Refusal } from "../../tools/cli/verify/suite.js";
import { refusalOf } from "../support/refusals.js";
import { ManagedRuleset, startService } from "./harness.js";

/* Each entry of schema/refusals.json: what it says is refused by the service and by the preview, and its valid rules by neither. */

const PLANS = ["free", "pro", "business", "enterprise"] as const;
const RULE = getShape("RulesetRule");
const byCode = refusals.map((refusal) => [refusal.code, refusal] as const);

describe("the preview and the service refuse", () => {
  let service: Service;
  let caller: Caller;
  let zoneId: string;
  beforeAll(async () => {
    ({ service } = await startService({
      zones: PLANS.map((plan) => ({ name: `${plan}.example.com`, plan })),
      lists: [
        { name: "office", kind: "ip" },
        { name: "moved", kind: "redirect" },
      ],
    }));
    caller = new Caller(service.emulator);
    zoneId = await service.zoneNamed("enterprise.example.com");
  });

  const scopeOf = async ({ level, plan = "enterprise" }: Refusal): Promise<Scope> =>
    level === "accounts"
      ? { level, id: await service.account() }
      : { level: "zones", id: await service.zoneNamed(`${plan}.example.com`) };
  const refusedByService = async (refusal: Refusal, rules: readonly JsonObject[]) => {
    const scope = await scopeOf(refusal);
    return refusalOf(caller, { ...scope, kind: entrypointKind(scope) }, { phase: refusal.phase, rules });
  };
  const refusedByPreview = async (refusal: Refusal, rules: readonly JsonObject[]) => {
    const args = { ...scopeArguments(await scopeOf(refusal)), phase: refusal.phase };
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    return failureIfAny(resource.preview({ ...args, rules: rules.map((rule) => shapeFromWire(rule, RULE)) }));
  };

  test.each(byCode)("%s", async (_, refusal) => {
    const { phase, level, valid, invalid, service: message, finding } = refusal;
    expect([await refusedByService(refusal, valid), await refusedByPreview(refusal, valid)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await refusedByService(refusal, invalid)).toMatch(new RegExp(message));
    expect(await refusedByPreview(refusal, invalid)).toBeDefined();
    const found = checkRules(
      invalid.map((rule) => shapeFromWire(rule, RULE)),
      { phase, kind: level === "accounts" ? "root" : "zone" },
    );
    const codes = found.filter(({ severity }) => severity === "error").map(({ code }) => code);
    // What only a request finds out is no part of them.
    if (codes.length > 0) expect(codes).toEqual([finding]);
  });

  test("a managed ruleset that rules of several resources execute", async () => {
    const phase = "http_request_firewall_managed";
    const execute = {
      action: "execute",
      expression: "true",
      actionParameters: { id: managedRulesets.cloudflareManaged },
    };
    const [one, other] = ["one", "other"].map((name) => new ManagedRuleset("RulesetRule", service, `urn:${name}`));
    if (one === undefined || other === undefined) throw new Error("no resource");
    await one.plan({ zoneId, phase, ref: "one", ...execute }, true);
    other.run = one.run;
    await expect(other.plan({ zoneId, phase, ref: "other", ...execute }, true)).rejects.toThrow(
      "is already executed by a rule of urn:one, and a zone can execute it only once; join the two rules",
    );
    const shared = new ManagedRuleset("PhaseEntrypoint", service, "urn:shared");
    shared.run = one.run;
    await expect(shared.plan({ zoneId, phase, ownership: "shared", rules: [execute] }, true)).rejects.toThrow(
      "is already executed by a rule of urn:one",
    );
  });
});
