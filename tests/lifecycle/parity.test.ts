import { scopeArguments, type Scope } from "../../core/model/ids.js";
import { isObject, type JsonObject } from "../../core/model/json.js";
import { getShape } from "../../core/model/shapes.js";
import { shapeFromWire, shapeToWire } from "../../core/model/wire.js";
import documented from "../emulator/documented-rules.json";
import { Caller } from "../support/caller.js";
import type { Service } from "../support/emulator.js";
import { everyAction } from "../support/every-action.js";
import { failureIfAny } from "../support/failure.js";
import { runs, SEED } from "../support/fuzzing.js";
import { Random } from "../support/generate.js";
import { refusalOf } from "../support/refusals.js";
import { ManagedRuleset, startService } from "./harness.js";
import { Parity } from "./parity-cases.js";
import { edited, valuesIn } from "./parity-edits.js";

/*
 * What the service refuses, the preview refuses, and the other way around. The emulator and the checks of previews do not share code,
 * so each is a witness of the other: where they differ, one of them is wrong, or the difference stands in this table with its reason.
 */

const PLANS = ["free", "pro", "business", "enterprise"] as const;
const RULE = getShape("RulesetRule");
const CUSTOM = "http_request_firewall_custom";

/** A phase of a zone or of an account, with valid rules. */
interface Sample {
  readonly level: "zones" | "accounts";
  readonly phase: string;
  readonly rule: JsonObject;
}
const samples: Sample[] = [
  ...everyAction.flatMap(({ level, phase, rules }) =>
    rules.map((rule) => ({ level, phase, rule: { ...rule } as JsonObject })),
  ),
  ...documented.flatMap(({ level, phase, rules }) =>
    rules.map((rule) => ({
      level: level === "zone" ? ("zones" as const) : ("accounts" as const),
      phase,
      rule: shapeFromWire(rule as JsonObject, RULE),
    })),
  ),
];
/** What every plan has, where the samples above need more. */
const ON_FREE: readonly Sample[] = [
  {
    level: "zones",
    phase: "http_ratelimit",
    rule: {
      action: "block",
      expression: 'http.request.uri.path eq "/login"',
      ratelimit: { characteristics: ["cf.colo.id", "ip.src"], period: 10, requestsPerPeriod: 5, mitigationTimeout: 10 },
    },
  },
  {
    level: "zones",
    phase: "http_request_origin",
    rule: { action: "route", expression: "true", actionParameters: { origin: { port: 8443 } } },
  },
];

/** Where rules are tried. */
interface Place extends Scope {
  /** For the counts: the plan of a zone, or what else it is. */
  readonly name: string;
  readonly kind: "zone" | "root" | "custom";
}

describe("refusals", () => {
  let service: Service;
  let caller: Caller;
  let random: Random;
  let ruleValues: ReturnType<typeof valuesIn>;
  const places: Place[] = [];
  const parity = new Parity();
  beforeAll(async () => {
    ({ service } = await startService({
      zones: PLANS.map((plan) => ({ name: `${plan}.example.com`, plan })),
      lists: (["office", "addresses", "moved", "redirects"] as const).map((name, index) => ({
        name,
        kind: index < 2 ? "ip" : "redirect",
      })),
    }));
    caller = new Caller(service.emulator);
    const accountId = await service.account();
    for (const plan of PLANS) {
      const id = await service.zoneNamed(`${plan}.example.com`);
      places.push({ name: plan, level: "zones", id, kind: "zone" });
      places.push({ name: `${plan}, custom`, level: "zones", id, kind: "custom" });
    }
    places.push({ name: "account", level: "accounts", id: accountId, kind: "root" });
    places.push({ name: "account, custom", level: "accounts", id: accountId, kind: "custom" });
    samples.push(...ON_FREE);
    for (const phase of [CUSTOM, "http_ratelimit"]) {
      const { id } = await service.create(`accounts/${accountId}`, {
        name: "theirs",
        kind: "custom",
        phase,
        rules: [],
      });
      const rule = { action: "execute", expression: 'cf.zone.plan eq "ENT"', actionParameters: { id } };
      samples.push({ level: "accounts", phase, rule });
    }
    ruleValues = valuesIn(
      samples.map(({ rule }) => rule),
      "rule",
    );
  });
  beforeEach(() => {
    random = new Random(SEED);
  });
  afterAll(() => {
    parity.print();
  });

  const refusedByService = (place: Place, phase: string, rules: readonly JsonObject[]) =>
    refusalOf(caller, place, { phase, rules: rules.map((rule) => shapeToWire(rule, RULE)) });
  /** The arguments of a resource with rules. */
  const argsOf = (place: Place, phase: string, rules: readonly unknown[]) => ({
    ...scopeArguments(place),
    ...(place.kind === "custom" ? { kind: place.kind, name: "default" } : {}),
    phase,
    rules,
  });
  const resourceAt = ({ kind }: Place): ManagedRuleset =>
    new ManagedRuleset(kind === "custom" ? "Ruleset" : "PhaseEntrypoint", service);
  /** Whether a run fails too: what it sends is without parts that mean nothing. */
  const fails = async (place: Place, phase: string, rules: readonly unknown[]): Promise<boolean> => {
    const resource = resourceAt(place);
    if ((await failureIfAny(resource.up(argsOf(place, phase, rules)))) !== undefined) return true;
    await caller.send("DELETE", `/${place.level}/${place.id}/rulesets/${resource.kept?.state.rulesetId ?? ""}`);
    return false;
  };
  /** A phase of a place, and rules of it of which the first is edited. */
  const draw = (place: Place): { readonly phase: string; readonly rules: JsonObject[] } => {
    const here = samples.filter(
      ({ level, phase }) => level === place.level && (place.kind !== "custom" || phase === CUSTOM),
    );
    const { phase } = random.pick(here);
    const own = here.filter((sample) => sample.phase === phase).map(({ rule }) => rule);
    const sound = Array.from({ length: random.chance(0.7) ? 1 : 2 }, () => random.pick(own));
    const rules = [edited(sound[0], "rule", random, ruleValues), ...sound.slice(1)].filter(isObject);
    return { phase, rules };
  };
  test("of the service and of previews are the same, but for those with a reason", async () => {
    for (let times = runs(400); times > 0; times -= 1) {
      const place = random.pick(places);
      const { phase, rules } = draw(place);
      const ofPreview = await failureIfAny(resourceAt(place).preview(argsOf(place, phase, rules)));
      let ofService = await refusedByService(place, phase, rules);
      if (ofService !== undefined && ofPreview === undefined && !(await fails(place, phase, rules)))
        ofService = undefined;
      parity.compare(`${phase}, ${place.name}`, { rules }, ofPreview, ofService);
    }
    expect(parity.open).toEqual([]);
  });

  test("are the same for the rules of several resources in one ruleset", async () => {
    const entrypoints = places.filter(({ kind }) => kind !== "custom");
    for (let times = runs(60); times > 0; times -= 1) {
      const place = random.pick(entrypoints);
      const { phase } = draw(place);
      const own = samples.filter((sample) => sample.level === place.level && sample.phase === phase);
      const rules = Array.from({ length: random.pick([2, 3, 6, 12]) }, (_, index): JsonObject => {
        const { id: _id, ...rule } = random.pick(own).rule;
        return { ...rule, ref: `r${String(index)}` };
      });
      // Some of them can belong to one resource.
      const together = random.chance(0.5) ? 0 : 1 + Math.floor(random.next() * (rules.length - 1));
      const scope = { ...scopeArguments(place), phase };
      const program = [
        ...(together === 0 ? [] : [{ ...scope, ownership: "shared", rules: rules.slice(0, together) }]),
        ...rules.slice(together).map((rule) => ({ ...scope, ...rule })),
      ];
      const resources = program.map(
        (args, index) =>
          new ManagedRuleset("rules" in args ? "PhaseEntrypoint" : "RulesetRule", service, `urn:${String(index)}`),
      );
      const run = resources[0]?.start();
      const found: string[] = [];
      for (const [index, resource] of resources.entries()) {
        if (run !== undefined) resource.run = run;
        const failed = await failureIfAny(resource.plan(program[index] ?? {}, true));
        if (failed !== undefined) found.push(failed);
      }
      const ofService = await refusedByService(place, phase, rules);
      const at = `${phase}, ${place.name}, several resources`;
      parity.compare(at, { rules }, found[0], ofService);
    }
    expect(parity.open).toEqual([]);
  });
});
