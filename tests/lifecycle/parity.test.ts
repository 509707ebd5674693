import type { Emulator } from "../../emulator/index.js";
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
import { ManagedResource } from "./managed.js";
import { edited, valuesIn } from "./parity-edits.js";

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
    /equal to one of the allowed values|must be one of|not a known (?:action|field|function)/,
  ],
  ["pages do not list every field and function of every phase", /is documented only for/],
];
/** Refusals of a preview that the service does not have. */
const ONLY_PREVIEW: readonly (readonly [reason: string, message: RegExp])[] = [
  ["an ID that is no ID names nothing, which the service does not notice", /IDs are in lower case|must be an ID/],
];

const PLANS = ["free", "pro", "business", "enterprise"] as const;
const RULE = getShape("RulesetRule");
const CUSTOM = "http_request_firewall_custom";

/** A phase of a zone or of an account, with valid rules. */
interface Sample {
  readonly level: "zones" | "accounts";
  readonly phase: string;
  readonly rule: JsonObject;
}
const samples: readonly Sample[] = [
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
const ruleValues = valuesIn(
  samples.map(({ rule }) => rule),
  "rule",
);

/** Where rules are tried. */
interface Place extends Scope {
  /** For the counts: the plan of a zone, or what else it is. */
  readonly name: string;
  readonly kind: "zone" | "root" | "custom";
}

/** The arguments of resources without rules. */
const CERTIFICATES = { hostnames: [{ hostname: "shop.customer.test", certificateAuthority: "lets_encrypt" as const }] };
const SETTINGS: readonly { readonly kind: string; readonly args: JsonObject }[] = [
  {
    kind: "RulesList",
    args: { name: "ours", kind: "ip", items: ["192.0.2.1", { value: "2001:db8::/32", comment: "b" }] },
  },
  { kind: "RulesList", args: { name: "ours", kind: "asn", items: [64512, { value: 64513, comment: "b" }] } },
  { kind: "RulesList", args: { name: "ours", kind: "hostname", description: "Ours", items: ["a.test", "*.b.test"] } },
  {
    kind: "RulesList",
    args: {
      name: "ours",
      kind: "redirect",
      items: [
        { source: "example.com/a", target: "https://example.com/b", status: 302, preserveQueryString: true },
        { source: "https://example.com/c", target: "https://example.com/d?e=f", subpathMatching: true },
      ],
    },
  },
  { kind: "TotalTlsCa", args: { certificateAuthority: "google", onDelete: "restore" } },
  { kind: "TotalTlsCa", args: { certificateAuthority: "ssl_com" } },
  {
    kind: "CustomHostnameCa",
    args: { hostname: "shop.customer.test", certificateAuthority: "google", method: "http" },
  },
  { kind: "CustomHostnameCa", args: { hostname: "shop.customer.test", certificateAuthority: "ssl_com", type: "dv" } },
];

/** How often each side refused, by phase and place. */
const counts = new Map<string, { both: number; neither: number; named: number }>();
function count(place: string, outcome: "both" | "neither" | "named"): void {
  const row = counts.get(place) ?? { both: 0, neither: 0, named: 0 };
  row[outcome] += 1;
  counts.set(place, row);
}

describe("refusals", () => {
  let emulator: Emulator;
  let service: Service;
  let caller: Caller;
  let accountId: string;
  let random: Random;
  const zones = new Map<string, string>();
  const places: Place[] = [];
  beforeAll(async () => {
    ({ emulator, service } = await startService({
      zones: PLANS.map((plan) => ({ name: `${plan}.example.com`, plan, certificates: CERTIFICATES })),
      lists: (["office", "addresses", "moved", "redirects"] as const).map((name, index) => ({
        name,
        kind: index < 2 ? "ip" : "redirect",
      })),
    }));
    caller = new Caller(emulator);
    accountId = await service.account();
    for (const plan of PLANS) {
      const id = await service.zoneNamed(`${plan}.example.com`);
      zones.set(plan, id);
      places.push({ name: plan, level: "zones", id, kind: "zone" });
      places.push({ name: `${plan}, custom`, level: "zones", id, kind: "custom" });
    }
    places.push({ name: "account", level: "accounts", id: accountId, kind: "root" });
    places.push({ name: "account, custom", level: "accounts", id: accountId, kind: "custom" });
  });
  beforeEach(() => {
    random = new Random(SEED);
  });
  afterAll(() => emulator.close());
  afterAll(() => {
    if (process.env.PARITY_COUNTS === undefined) return;
    const rows = [...counts].sort(([one], [other]) => one.localeCompare(other));
    process.stdout.write(
      [
        "phase, place: both refuse / neither / named difference",
        ...rows.map(([name, row]) => `${name}: ${Object.values(row).join(" / ")}`),
        "",
      ].join("\n"),
    );
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
  /** Counts a case; what the sides differ in, without a reason in the tables. */
  const compare = (
    at: string,
    tried: object,
    ofPreview: string | undefined,
    ofService: string | undefined,
  ): object[] => {
    const isSame = (ofPreview === undefined) === (ofService === undefined);
    const table = ofPreview === undefined ? ONLY_SERVICE : ONLY_PREVIEW;
    const isNamed = !isSame && table.some(([, message]) => message.test(ofService ?? ofPreview ?? ""));
    if (isSame || isNamed) count(at, isNamed ? "named" : ofPreview === undefined ? "neither" : "both");
    return isSame || isNamed ? [] : [{ at, ...tried, ofPreview, ofService }];
  };

  test("of the service and of previews are the same, but for those with a reason", async () => {
    const open: object[] = [];
    for (let times = runs(400); times > 0; times -= 1) {
      const place = random.pick(places);
      const { phase, rules } = draw(place);
      const ofPreview = await failureIfAny(resourceAt(place).preview(argsOf(place, phase, rules)));
      let ofService = await refusedByService(place, phase, rules);
      if (ofService !== undefined && ofPreview === undefined && !(await fails(place, phase, rules)))
        ofService = undefined;
      open.push(...compare(`${phase}, ${place.name}`, { rules }, ofPreview, ofService));
    }
    expect(open).toEqual([]);
  });

  test("are the same for the rules of several resources in one ruleset", async () => {
    const open: object[] = [];
    const entrypoints = places.filter(({ kind }) => kind === "zone");
    for (let times = runs(60); times > 0; times -= 1) {
      const place = random.pick(entrypoints);
      const { phase } = draw(place);
      const own = samples.filter((sample) => sample.level === "zones" && sample.phase === phase);
      const rules = Array.from({ length: random.pick([2, 3, 6, 12]) }, () => random.pick(own).rule);
      const resources = rules.map((_, index) => new ManagedRuleset("RulesetRule", service, `urn:${String(index)}`));
      const [first] = resources;
      const run = first?.start();
      const found: string[] = [];
      for (const [index, resource] of resources.entries()) {
        if (run !== undefined) resource.run = run;
        const { ref: _ref, id: _id, ...rule } = rules[index] ?? {};
        const failed = await failureIfAny(
          resource.plan({ zoneId: place.id, phase, ref: `r${String(index)}`, ...rule }, true),
        );
        if (failed !== undefined) found.push(failed);
      }
      const ofService = await refusedByService(
        place,
        phase,
        rules.map(({ id: _id, ...rule }, index) => ({ ...rule, ref: `r${String(index)}` })),
      );
      const at = `${phase}, ${place.name}, several resources`;
      open.push(...compare(at, { rules }, found[0], ofService));
    }
    expect(open).toEqual([]);
  });

  test("of what a preview of a list or a setting passes, an up has none", async () => {
    const open: object[] = [];
    const values = valuesIn(
      SETTINGS.map(({ args }) => args),
      "args",
    );
    for (let times = runs(200); times > 0; times -= 1) {
      const { kind, args } = random.pick(SETTINGS);
      const plan = random.pick(PLANS);
      const scope = kind === "RulesList" ? { accountId } : { zoneId: zones.get(plan) };
      const tried = { ...scope, ...(edited(args, "args", random, values) as object) };
      const resource = new ManagedResource<{ readonly listId?: string }>(kind, service);
      const ofPreview = await failureIfAny(resource.preview(tried));
      const ofUp = ofPreview ?? (await failureIfAny(resource.up(tried)));
      const { listId } = resource.kept?.state ?? {};
      if (listId !== undefined) await caller.send("DELETE", `/accounts/${accountId}/rules/lists/${listId}`);
      open.push(...compare(`${kind}, ${kind === "RulesList" ? "account" : plan}`, { tried }, ofPreview, ofUp));
    }
    expect(open).toEqual([]);
  });
});
