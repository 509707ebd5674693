import type { Emulator } from "../../emulator/index.js";
import { isObject, type JsonObject } from "../../core/model/json.js";
import { getShape } from "../../core/model/shapes.js";
import { shapeFromWire, shapeToWire } from "../../core/model/wire.js";
import documented from "../emulator/documented-rules.json";
import { Caller } from "../support/caller.js";
import type { Service } from "../support/emulator.js";
import { everyAction } from "../support/every-action.js";
import { runs, SEED } from "../support/fuzzing.js";
import { Random } from "../support/generate.js";
import { ManagedRuleset, startService } from "./harness.js";

/*
 * What the service refuses, the preview refuses, and the other way around. The emulator and the checks of previews do not share code,
 * so each is a witness of the other: where they differ, one of them is wrong, or the difference stands in this table with its reason.
 */

/** Refusals of the service that a preview only warns of, or does not see. */
const ONLY_SERVICE: readonly (readonly [reason: string, message: RegExp])[] = [
  ["what a plan includes can come with an add-on, which no read shows", /not entitled/],
  ["whether a ruleset exists that is neither Cloudflare's nor the stack's is not read", /could not find ruleset/],
  [
    "a value or a name that is not listed may be newer",
    /equal to one of the allowed values|not a known (?:action|field|function)/,
  ],
  ["pages do not list every field and function of every phase", /is documented only for/],
];
/** Refusals of a preview that the service does not have. */
const ONLY_PREVIEW: readonly (readonly [reason: string, message: RegExp])[] = [
  ["an ID that is no ID names nothing, which the service does not notice", /IDs are in lower case|must be an ID/],
];

const PLANS = ["free", "pro", "business", "enterprise"] as const;
const RULE = getShape("RulesetRule");

/** By phase of a zone, valid rules. */
const samples = Map.groupBy(
  [
    ...everyAction.flatMap(({ level, phase, rules }) =>
      level === "zones" ? rules.map((rule) => ({ phase, rule: { ...rule } as JsonObject })) : [],
    ),
    ...documented.flatMap(({ level, phase, rules }) =>
      level === "zone" ? rules.map((rule) => ({ phase, rule: shapeFromWire(rule as JsonObject, RULE) })) : [],
    ),
  ],
  ({ phase }) => phase,
);

/** By the name of a field, the values that it has somewhere. */
const values = new Map<string, unknown[]>();
function collect(name: string, value: unknown): void {
  values.set(name, [...(values.get(name) ?? []), value]);
  if (Array.isArray(value)) for (const item of value) collect(name, item);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) collect(key, item);
}
for (const found of samples.values()) for (const { rule } of found) collect("rule", rule);

/** A value with one part of it changed, mostly to something that another rule has there. */
function edited(value: unknown, name: string, random: Random): unknown {
  const others = values.get(name) ?? [value];
  if (random.chance(0.15)) return random.pick(others);
  if (Array.isArray(value)) return editedList(value as unknown[], name, random);
  if (isObject(value)) return editedObject(value, name, random);
  if (typeof value === "number") return random.pick([0, -1, 1, value + 1, value * 100, value + 0.5, 999_999_999]);
  if (typeof value === "boolean") return !value;
  const text = String(value);
  const texts = ["", text.toUpperCase(), `${text}x`, text.slice(0, -1), "a".repeat(3000)];
  return random.pick([...texts, ...others.filter((one) => typeof one === "string")]);
}

function editedList(list: readonly unknown[], name: string, random: Random): unknown {
  if (list.length === 0) return [random.pick(values.get(name) ?? [1])];
  const at = Math.floor(random.next() * list.length);
  return random.pick([
    () => [],
    () => [...list, list[at]],
    () => list.toSpliced(at, 1),
    () => list.with(at, edited(list[at], name, random)),
    () => list.with(at, edited(list[at], name, random)),
  ])();
}

function editedObject(object: JsonObject, name: string, random: Random): unknown {
  const key = random.pick(["", ...Object.keys(object)]);
  const another = (values.get(name) ?? []).filter(isObject);
  return random.pick([
    () => ({}),
    () => Object.fromEntries(Object.entries(object).filter(([each]) => each !== key)),
    () => ({ ...object, ...(another.length === 0 ? {} : random.pick(another)) }),
    ...Array.from(
      { length: 5 },
      () => () => (key === "" ? object : { ...object, [key]: edited(object[key], key, random) }),
    ),
  ])();
}

describe("refusals", () => {
  let emulator: Emulator;
  let service: Service;
  let caller: Caller;
  let resource: ManagedRuleset;
  const zones = new Map<string, string>();
  beforeAll(async () => {
    ({ emulator, service } = await startService({
      zones: PLANS.map((plan) => ({ name: `${plan}.example.com`, plan })),
      lists: (["office", "addresses", "moved", "redirects"] as const).map((name, index) => ({
        name,
        kind: index < 2 ? "ip" : "redirect",
      })),
    }));
    caller = new Caller(emulator);
    resource = new ManagedRuleset("PhaseEntrypoint", service);
    for (const plan of PLANS) {
      const [zone] = await caller.result<{ id: string }[]>("GET", `/zones?name=${plan}.example.com`);
      zones.set(plan, zone?.id ?? "");
    }
  });
  afterAll(() => emulator.close());

  /** Why the service refuses rules; undefined if it takes them. */
  const refusedByService = async (zoneId: string, phase: string, rules: readonly JsonObject[]) => {
    const sent = rules.map((rule) => shapeToWire(rule, RULE));
    const body = { name: "default", kind: "zone", phase, rules: sent };
    const answer = await caller.send<{ id: string }>("POST", `/zones/${zoneId}/rulesets`, body);
    if (answer.success) await caller.send("DELETE", `/zones/${zoneId}/rulesets/${answer.result.id}`);
    return answer.success ? undefined : answer.errors.map(({ message }) => message).join("\n");
  };
  const failureOf = (run: Promise<unknown>): Promise<string | undefined> =>
    run.then(
      () => undefined,
      (error: unknown) => String(error),
    );
  /** Whether a run fails too: what it sends is without parts that mean nothing. */
  const fails = async (zoneId: string, args: object): Promise<boolean> => {
    if ((await failureOf(resource.up(args))) !== undefined) return true;
    const { rulesetId = "" } = resource.kept?.state ?? {};
    resource.kept = undefined;
    await caller.send("DELETE", `/zones/${zoneId}/rulesets/${rulesetId}`);
    return false;
  };

  test("of the service and of previews are the same, but for those with a reason", async () => {
    const random = new Random(SEED);
    const phases = [...samples.keys()];
    const open: object[] = [];
    for (let times = runs(300); times > 0; times -= 1) {
      const [phase, plan] = [random.pick(phases), random.pick(PLANS)];
      const zoneId = zones.get(plan) ?? "";
      const own = (samples.get(phase) ?? []).map(({ rule }) => rule);
      const sound = Array.from({ length: random.chance(0.7) ? 1 : 2 }, () => random.pick(own));
      const rules = [edited(sound[0], "rule", random), ...sound.slice(1)].filter(isObject);
      const args = { zoneId, phase, rules };
      const ofPreview = await failureOf(resource.preview(args));
      let ofService = await refusedByService(zoneId, phase, rules);
      if (ofService !== undefined && ofPreview === undefined && !(await fails(zoneId, args))) ofService = undefined;
      if ((ofPreview === undefined) === (ofService === undefined)) continue;
      const table = ofPreview === undefined ? ONLY_SERVICE : ONLY_PREVIEW;
      if (!table.some(([, message]) => message.test(ofService ?? ofPreview ?? "")))
        open.push({ plan, phase, rules, ofPreview, ofService });
    }
    expect(open).toEqual([]);
  });
});
