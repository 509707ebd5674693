import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { weakensOf, type Weakens } from "../../core/analysis/index.js";
import { runDiff } from "../../tools/cli/rules/diff/command.js";
import { runSummarize } from "../../tools/cli/summarize/command.js";
import { compareEffects } from "../../tools/cli/versions/effect.js";
import type { JsonObject } from "../../core/model/json.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import { previewJson, resourceNamed } from "../lifecycle/engine-preview.js";
import { bare, secret } from "../lifecycle/secrets-apart.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { folder } from "./support.js";

/*
 * Every gate gives the same answer to the same edit: one row for each kind of edit, one test for each gate. Where a gate sees
 * less of it, the row says what that gate cannot judge. Previews come from the provider's own handlers.
 */

const FIREWALL = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const CORE = "4814384a9e5d4991b9815dcfc25d2f1f";

type Values = Readonly<Record<string, unknown>>;
type Rule = Values & { readonly ref: string };
const block = (ref: string, expression: unknown, more: Values = {}): Rule => ({
  ...{ ref, action: "block", description: `Rule ${ref}`, expression },
  ...more,
});
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const LOGIN = 'http.request.uri.path eq "/login"';
const admin = block("admin", ADMIN);
const login = block("login", LOGIN);
const skip = (actionParameters: Values, expression = "ip.src in {192.0.2.0/24}"): Rule =>
  block("office", expression, { action: "skip", actionParameters });
const bic = { products: ["bic"] };
const current = { ruleset: "current" };
const LIMIT = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 600 };
const limit = (more: Values = {}): Rule => block("limit", LOGIN, { ratelimit: { ...LIMIT, ...more } });
const core = (overrides: Values): Rule =>
  block("core", "true", { action: "execute", actionParameters: { id: CORE, overrides } });
const rewrite = (value: string): Rule =>
  block("rewrite", ADMIN, { action: "rewrite", actionParameters: { uri: { path: { value } } } });
const setting = (actionParameters: Values): Rule =>
  block("setting", "true", { action: "set_config", actionParameters });
const level = (name: string): Values => ({ category: name, enabled: false });

const partnerWith = (key: string): Rule =>
  block("partner", secret(`any(http.request.headers["x-partner-key"][*] eq "${key}")`));
const partner = partnerWith("a key of a partner");
const challenge = block("checkout", 'http.host eq "pay.example.com"', { action: "managed_challenge" });
/** A rule of somebody else. */
const others = [block("partners", "not ssl")];

interface Edit {
  /** What it does to the ruleset. Undefined if that cannot be known, because a value only exists after `pulumi up`. */
  readonly weakens: Weakens | undefined;
  readonly before: readonly Rule[];
  readonly after: readonly Rule[] | string;
  readonly phase?: string;
  readonly resource?: "shared" | "single";
  /** The arguments of the resource besides the rules, before and after. */
  readonly more?: readonly [Values, Values];
  /** Rules of others before those of the resource. */
  readonly others?: readonly Rule[];
  readonly isUnreachable?: true;
  /** What a preview tells of it, if that is less: what is not judged, why, and what would decide it. */
  readonly ofPreview?: readonly [Weakens, ...RegExp[]];
}

type OfPreview = Edit["ofPreview"];
const UNREACHABLE: OfPreview = [
  "unknown",
  /http_request_firewall_custom/,
  /could not (?:ask the service|check)/,
  /when the service responds/,
];
const OTHER_SECRET: OfPreview = [
  "unknown",
  /"Rule partner"/,
  /a secret in it changes|a value of it is a secret/,
  /comparing both values/,
];
const OTHER_URL: OfPreview = [
  "unknown",
  /"Rule rewrite"/,
  /do to the URL that it makes is not known/,
  /rules diff.* of all phases/,
];
const edits: Readonly<Record<string, Edit>> = {
  "another path": {
    weakens: "yes",
    before: [admin],
    after: [{ ...admin, expression: 'http.request.uri.path eq "/other"' }],
  },
  "one narrowed, another added": { weakens: "yes", before: [admin], after: [{ ...admin, expression: "ssl" }, login] },
  "a skip of more": { weakens: "yes", before: [skip(bic)], after: [skip({ ...bic, phases: [MANAGED, LIMITS] })] },
  "a skip of another phase instead": {
    weakens: "yes",
    before: [skip({ phases: [MANAGED] })],
    after: [skip({ phases: [LIMITS] })],
  },
  "a skip above a block": { weakens: "yes", before: [admin], after: [skip(current), admin] },
  "a skip that moves above a block": { weakens: "yes", before: [admin, skip(current)], after: [skip(current), admin] },
  "a narrowed skip": { weakens: "no", before: [skip(bic)], after: [skip(bic, "ip.src eq 192.0.2.1")] },
  "a reformatted skip": { weakens: "no", before: [skip(bic)], after: [skip(bic, "(ip.src in {192.0.2.0/24})")] },
  "a higher limit": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ requestsPerPeriod: 10_000 })] },
  "a lower limit": { weakens: "no", phase: LIMITS, before: [limit()], after: [limit({ requestsPerPeriod: 5 })] },
  "a shorter period": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ period: 10 })] },
  "a shorter timeout": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ mitigationTimeout: 60 })] },
  "a challenge before a block": {
    weakens: "yes",
    before: [admin, block("all", "true", { action: "managed_challenge" })],
    after: [block("all", "true", { action: "managed_challenge" }), admin],
  },
  "a block that closes the connection": {
    weakens: "no",
    before: [admin],
    after: [{ ...admin, action: "force_connection_close" }],
  },
  "a block that logs": { weakens: "yes", before: [admin], after: [{ ...admin, action: "log" }] },
  "a disabled block": { weakens: "yes", before: [admin], after: [{ ...admin, enabled: false }] },
  "a block less": { weakens: "yes", before: [admin, login], after: [admin] },
  "two rules merged": {
    weakens: "no",
    before: [admin, login],
    after: [{ ...admin, expression: `${ADMIN} or ${LOGIN}` }],
  },
  "a log rule less": { weakens: "no", before: [block("log", "true", { action: "log" }), admin], after: [admin] },
  "a lower paranoia level": {
    weakens: "yes",
    phase: MANAGED,
    before: [core({ categories: [level("paranoia-level-4")] })],
    after: [core({ categories: [level("paranoia-level-3"), level("paranoia-level-4")] })],
  },
  "a threshold below the default": {
    weakens: "no",
    phase: MANAGED,
    before: [core({})],
    after: [core({ rules: [{ id: "6179ae15870a4bb7b2d480d4843b323c", scoreThreshold: 25 }] })],
  },
  "another value of a raw field": {
    weakens: "unknown",
    before: [{ ...admin, wire: { categories: ["a"] } }],
    after: [{ ...admin, wire: { categories: ["b"] } }],
    ofPreview: ["unknown", /"Rule admin"/, /field "wire.categories" does is not known/, /Cloudflare's documentation/],
  },
  "a narrowed block with a raw field": {
    weakens: "yes",
    before: [{ ...admin, wire: { categories: ["a"] } }],
    after: [{ ...admin, wire: { categories: ["a"] }, expression: "ssl" }],
  },
  "a condition on what is not public": {
    weakens: "unknown",
    before: [block("random", "hash_in_range(0, 100, http.host) lt 20")],
    after: [block("random", "hash_in_range(0, 100, http.host) lt 10")],
  },
  "a smaller share of requests": {
    weakens: "yes",
    before: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 20")],
    after: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 10")],
  },
  "a rule that blocks a share of what it logged": {
    weakens: "no",
    before: [block("random", ADMIN, { action: "log" })],
    after: [block("random", `${ADMIN} and hash_in_range(0, 100, cf.random_seed) lt 5`)],
  },
  "a share of what was blocked": {
    weakens: "yes",
    before: [block("random", ADMIN)],
    after: [block("random", `${ADMIN} and hash_in_range(0, 100, cf.random_seed) lt 25`)],
  },
  "an end in time": {
    weakens: "yes",
    before: [admin],
    after: [{ ...admin, expression: `${ADMIN} and http.request.timestamp.sec lt 32503680000` }],
  },
  "a larger share of requests": {
    weakens: "no",
    before: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 10")],
    after: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 20")],
  },
  "a rewrite of URLs, which later rules see": {
    weakens: "unknown",
    phase: "http_request_transform",
    before: [],
    after: [rewrite("/x")],
    ofPreview: OTHER_URL,
  },
  "a rewrite less, of which all is secret": {
    weakens: "unknown",
    phase: "http_request_transform",
    before: [{ ...rewrite("/x"), actionParameters: secret({ uri: { path: { value: "/x" } } }) }],
    after: [],
    ofPreview: OTHER_URL,
  },
  "a setting less, of which all is secret": {
    weakens: "unknown",
    phase: "http_config_settings",
    before: [{ ...setting(secret({ bic: true }) as never), expression: secret("ssl") }],
    after: [],
  },
  "a setting that stops requests": {
    weakens: "unknown",
    phase: "http_config_settings",
    before: [],
    after: [setting({ bic: false })],
    ofPreview: ["unknown", /"Rule setting"/, /changes the setting bic/, /the setting that the zone has/],
  },
  "a setting that stops fewer requests": {
    weakens: "unknown",
    phase: "http_config_settings",
    before: [setting({ securityLevel: "high" })],
    after: [setting({ securityLevel: "low" })],
  },
  "a setting that stops more requests": {
    weakens: "no",
    phase: "http_config_settings",
    before: [setting({ securityLevel: "low" })],
    after: [setting({ securityLevel: "high" })],
  },
  "a setting that stops nothing": {
    weakens: "no",
    phase: "http_config_settings",
    before: [],
    after: [setting({ rocketLoader: true })],
  },
  "another secret": {
    weakens: "yes",
    before: [partner, admin],
    after: [partnerWith("another key of a partner"), admin],
    ofPreview: OTHER_SECRET,
  },
  "a block less beside a secret": { weakens: "yes", before: [partner, admin], after: [partner] },
  "a block less beside another secret": {
    weakens: "yes",
    before: [partner, admin],
    after: [partnerWith("another key of a partner")],
  },
  "a block more beside a secret": { weakens: "no", before: [partner], after: [partner, admin] },
  "another notation beside a secret": {
    weakens: "no",
    before: [partner, login],
    after: [partner, { ...login, expression: `(${LOGIN})` }],
  },
  "a value that is not known before up": {
    weakens: undefined,
    before: [admin, login],
    after: [{ ...admin, expression: UNKNOWN }, login],
    ofPreview: ["unknown", /"Rule admin"/, /not known before `pulumi up`|or not known yet/, /once that value exists/],
  },
  "a block less beside a value that is not known before up": {
    weakens: undefined,
    before: [{ ...admin, expression: "ssl" }, login],
    after: [{ ...admin, expression: UNKNOWN }],
    ofPreview: ["unknown", /"Rule login"/],
  },
  "rules that are not known before up": {
    weakens: undefined,
    before: [admin],
    after: UNKNOWN,
    ofPreview: ["unknown", /the rules of this ruleset/, /not known before `pulumi up`/, /once the values exist/],
  },
  "a block less in a shared list": {
    weakens: "yes",
    resource: "shared",
    others,
    before: [admin, login],
    after: [admin],
  },
  "a block more in a shared list": {
    weakens: "no",
    resource: "shared",
    others,
    before: [admin],
    after: [admin, login],
  },
  "a challenge more in a shared list": {
    weakens: "no",
    resource: "shared",
    others,
    before: [admin],
    after: [admin, challenge],
    ofPreview: ["unknown", /"Rule checkout"/, /other rules of the ruleset would stop/, /the rules around it/],
  },
  "a narrowed single rule": {
    weakens: "yes",
    resource: "single",
    others,
    before: [admin],
    after: [{ ...admin, expression: 'http.request.uri.path eq "/admin"' }],
  },
  "a widened single rule": {
    weakens: "no",
    resource: "single",
    others,
    before: [login],
    after: [{ ...login, expression: 'starts_with(http.request.uri.path, "/login")' }],
  },
  "another secret in a single rule": {
    weakens: "yes",
    resource: "single",
    others,
    before: [partner],
    after: [partnerWith("another key of a partner")],
    ofPreview: OTHER_SECRET,
  },
  "a single rule that moves": {
    weakens: "no",
    resource: "single",
    others,
    more: [{ position: { before: "" } }, { position: { after: "partners" } }],
    before: [login],
    after: [login],
    ofPreview: ["unknown", /"Rule login"/, /other rules of the ruleset would stop/, /the rules around it/],
  },
  "a list whose preview could not ask the service": {
    weakens: "no",
    before: [],
    after: [admin],
    isUnreachable: true,
    ofPreview: UNREACHABLE,
  },
  "a shared list whose preview could not ask the service": {
    weakens: "no",
    resource: "shared",
    others,
    before: [admin],
    after: [admin, login],
    isUnreachable: true,
    ofPreview: UNREACHABLE,
  },
  "a single rule whose preview could not ask the service": {
    weakens: "no",
    resource: "single",
    others,
    more: [{}, { position: { before: "partners" } }],
    before: [login],
    after: [login],
    isUnreachable: true,
    ofPreview: UNREACHABLE,
  },
};

type Codes = readonly [strict: number, allowUnknown: number];
const CODES: Readonly<Record<Weakens, Codes>> = { no: [0, 0], yes: [2, 2], unknown: [2, 0] };

const ignore = (): void => undefined;
const connect = (): never => {
  throw new Error("no gate asks the service here");
};
const both = async (run: (allowUnknown: boolean) => number | Promise<number>): Promise<Codes> => [
  await run(false),
  await run(true),
];

/** The rules of the whole ruleset. */
type Deployed = readonly (JsonObject & Readonly<Record<"ref" | "action", string>>)[];
const deployed = ({ others: of = [], more = [{}, {}], ...edit }: Edit, side: "before" | "after"): Deployed => {
  const { position = {} } = more[side === "before" ? 0 : 1];
  const own = edit[side] as readonly Rule[];
  const all = (position as Values).before === undefined ? [...of, ...own] : [...own, ...of];
  return bare(all) as Deployed;
};

async function ofRulesDiff(before: object, after: object): Promise<Codes> {
  const path = folder({ "before.json": before, "after.json": after });
  const paths = [join(path, "before.json"), join(path, "after.json")];
  return both((allowUnknown) =>
    runDiff(paths, { looser: false, allowUnknown }, { connect, print: ignore, now: new Date() }),
  );
}

/** The preview of an edit of what is deployed. */
async function previewOf(emulator: Emulator, edit: Edit): Promise<string> {
  const { phase = FIREWALL, resource: form, more = [{}, {}] } = edit;
  const service = new Service(emulator);
  const zoneId = await service.zone();
  if (edit.others !== undefined)
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: edit.others });
  const args = (side: "before" | "after"): object => {
    const own = form === "single" ? (edit[side] as readonly Rule[])[0] : { rules: edit[side] };
    const shared = form === "shared" ? { ownership: "shared" } : {};
    return { phase, zoneId, ...own, ...shared, ...more[side === "before" ? 0 : 1] };
  };
  const resource = resourceNamed(service, form === "single" ? "RulesetRule" : "PhaseEntrypoint", "waf");
  await resource.up(args("before"));
  if (edit.isUnreachable === true) await service.fault({ status: 503, times: 99 });
  const preview = await previewJson(resource, args("after"));
  await service.noFaults();
  return preview;
}

async function ofSummarize(preview: string): Promise<{ readonly codes: Codes; readonly text: string }> {
  const path = join(folder({ "preview.json": preview }), "preview.json");
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const context = { print, printNote: ignore, connect, now: new Date("2026-11-25T12:00:00Z") };
  const codes = await both((allowUnknown) => runSummarize([path], { failOn: "weakened", allowUnknown }, context));
  return { codes, text: printed[0] ?? "" };
}

function ofVersions(before: Deployed, after: Deployed, phase: string): Weakens {
  const version = (rules: Deployed) => ({
    ...{ id: "r1", name: "default", kind: "zone", phase, version: "1", description: "" },
    rules: rules.map((rule) => ({ ...rule, id: rule.ref, ref: rule.ref, version: "1" })),
  });
  return weakensOf(compareEffects(version(before), version(after), new Date()));
}

/** What the messages of a preview say about an edit. */
function ofMessages(preview: string): { readonly weakens: Weakens; readonly said: string } {
  const { diagnostics } = JSON.parse(preview) as { diagnostics: { message: string }[] };
  const said = diagnostics.map(({ message }) => message).join("");
  const isWeaker = /lets requests through|weakens enforcement|(?<!no longer )exempts requests|stop less/.test(said);
  const isOpen = /not judged|could not check|not known before/.test(said);
  return { weakens: isWeaker ? "yes" : isOpen ? "unknown" : "no", said };
}

describe.each(Object.entries(edits))("%s", (_, edit) => {
  const { weakens, phase = FIREWALL, resource, ofPreview: [seen = weakens as Weakens, ...says] = [] } = edit;

  if (weakens !== undefined) {
    const [before, after] = [deployed(edit, "before"), deployed(edit, "after")];
    test("rules diff --no-looser", async () => {
      const file = (rules: Deployed): JsonObject => ({ kind: "zone", phase, rules });
      expect(await ofRulesDiff(file(before), file(after))).toEqual(CODES[weakens]);
    });
    test("versions diff", () => {
      expect(ofVersions(before, after, phase)).toBe(weakens);
    });
  }

  describe("a preview", () => {
    let emulator: Emulator;
    let preview: string;
    beforeAll(async () => {
      emulator = await freshEmulator();
      preview = await previewOf(emulator, edit);
    });

    test("summarize --fail-on weakened", async () => {
      const { codes, text } = await ofSummarize(preview);
      expect(codes).toEqual(CODES[seen]);
      for (const words of says) expect(text).toMatch(words);
    });
    test("its own messages", () => {
      const { weakens: found, said } = ofMessages(preview);
      expect(found).toBe(seen);
      for (const words of says.slice(0, 2)) expect(said).toMatch(words);
    });
  });

  // Values that are secret are given to `rules diff` as they are: it hides them only in what it prints.
  if (resource !== undefined && edit.isUnreachable !== true && weakens !== undefined)
    test("rules diff --no-looser of a program", async () => {
      const part = (rules: unknown, position: unknown): object => ({ phase, ownership: "shared", position, rules });
      const [from, to] = (edit.more ?? []).map(({ position }) => position);
      const isSecret = JSON.stringify(edit.before) !== JSON.stringify(bare(edit.before));
      const codes = await ofRulesDiff(part(bare(edit.before), from), part(bare(edit.after), to));
      expect(codes).toEqual(CODES[isSecret ? weakens : seen]);
    });
});
