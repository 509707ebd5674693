import { UNKNOWN } from "../../core/model/unknown.js";
import { split, until } from "../../provider/sdk/writing/rollout.js";
import type { Service } from "./emulator.js";

/* Edits of one resource that reviewers get a comment on: plain data, for the provider's handlers and for the real engine. */

type Values = Readonly<Record<string, unknown>>;
type Rule = Values & { readonly ref: string };

/** The arguments of a resource before and after an edit, without its zone. */
export interface CommentedEdit {
  readonly type: "PhaseEntrypoint" | "RulesetRule";
  /** Undefined if the edit adds the resource. */
  readonly before: Values | undefined;
  readonly after: Values;
  /** Rules of others that the entry point has already, as the service spells them. */
  readonly others?: readonly Values[];
  /** Whether the service does not respond to the preview. */
  readonly isUnreachable?: true;
  /** Whether `--fail-on weakened` lets it pass, also with `--allow-unknown`. */
  readonly gate: "passes" | "passes if unknown is allowed" | "fails";
}

const COMMENTED_ZONE = "shop.example.com";
export const COMMENTED_SEED = { ids: "comments", zones: [{ name: COMMENTED_ZONE }] };

/** Puts the rules of others into the zone. Returns the ID of the zone. */
export async function prepared(service: Service, { after, others }: CommentedEdit): Promise<string> {
  const zoneId = await service.zoneNamed(COMMENTED_ZONE);
  if (others !== undefined)
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase: after.phase, rules: others });
  return zoneId;
}

/** A secret of the program. */
export const secretOf = (value: string): { readonly secret: string } => ({ secret: value });

/** A copy in which every secret is what a program, or a test, has for it. */
export function withSecrets(value: unknown, make: (secret: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, make));
  if (typeof value !== "object" || value === null) return value;
  if ("secret" in value) return make(value.secret as string);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withSecrets(item, make)]));
}

const FIREWALL = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";

const block = (ref: string, description: string, expression: unknown, more: Values = {}): Rule => ({
  ...{ ref, action: "block", description, expression },
  ...more,
});
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const LOGIN = 'http.request.uri.path eq "/login"';
const admin = block("admin", "Block admin", ADMIN);
const asShare = (percent: number): Rule => split({ ...admin, expression: ADMIN }, percent);
const login = block("login", "Block login", LOGIN);
const partnerWith = (key: string): Rule =>
  block("partner", "Partner key", secretOf(`any(http.request.headers["x-partner-key"][*] eq "${key}")`));
const partner = partnerWith("a key of a partner");
const everybody = block("everybody", "Challenge everybody", "true", { action: "managed_challenge" });
const office = (actionParameters: Values, expression = "ip.src in {192.0.2.0/24}"): Rule =>
  block("office", "The office", expression, { action: "skip", actionParameters });
const limit = (more: Values = {}): Rule =>
  block("limit", "Login limit", LOGIN, {
    ratelimit: {
      ...{ characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 600 },
      ...more,
    },
  });
const owasp = (level: number, scoreThreshold?: number): Rule => ({
  ref: "owasp",
  action: "execute",
  expression: "true",
  actionParameters: {
    id: OWASP,
    overrides: {
      categories: [2, 3, 4]
        .filter((above) => above > level)
        .map((above) => ({ category: `paranoia-level-${String(above)}`, enabled: false })),
      ...(scoreThreshold === undefined ? {} : { rules: [{ id: SCORING, action: "block", scoreThreshold }] }),
    },
  },
});
const addresses = (...more: string[]): Rule =>
  block(
    "bad",
    "Bad addresses",
    `ip.src in {${[...Array.from({ length: 30 }, (_, index) => `198.51.100.${String(index)}`), ...more].join(" ")}}`,
  );

/** An edit of a list of rules. */
function list(
  gate: CommentedEdit["gate"],
  before: readonly Rule[] | undefined,
  after: readonly Rule[] | string,
  { phase = FIREWALL, ...more }: Values & Pick<CommentedEdit, "others" | "isUnreachable"> = {},
): CommentedEdit {
  const { others, isUnreachable, ...args } = more;
  const argsOf = (rules: unknown): Values => ({ phase, rules, ...args });
  return {
    ...{ type: "PhaseEntrypoint", gate, after: argsOf(after) },
    before: before === undefined ? undefined : argsOf(before),
    ...(others === undefined ? {} : { others }),
    ...(isUnreachable === undefined ? {} : { isUnreachable }),
  };
}
const ofLimits = { phase: LIMITS };
const ofManaged = { phase: MANAGED };
const shared = { ownership: "shared" };

/** An edit of a single rule beside those of others. */
function single(
  gate: CommentedEdit["gate"],
  before: Values | undefined,
  after: Values,
  more: object = {},
): CommentedEdit {
  const place = { phase: FIREWALL };
  return {
    ...{ type: "RulesetRule", gate, after: { ...place, ...after } },
    before: before === undefined ? undefined : { ...place, ...before },
    others: [{ ref: "partners", action: "block", description: "Partners", expression: "not ssl" }],
    ...more,
  };
}

export const commentedEdits: Readonly<Record<string, CommentedEdit>> = {
  "a rule loosened beside one with a secret": list(
    "fails",
    [partner, admin],
    [partner, { ...admin, expression: 'http.host eq "nowhere.example.com"' }],
  ),
  "a changed secret": list(
    "passes if unknown is allowed",
    [partner, admin],
    [partnerWith("another key of a partner"), admin],
  ),
  "another path is blocked instead": list(
    "fails",
    [{ ...admin, expression: 'http.request.uri.path eq "/admin"' }],
    [{ ...admin, expression: 'http.request.uri.path eq "/other"' }],
  ),
  "one block narrowed and another added": list(
    "fails",
    [admin],
    [{ ...admin, expression: 'http.request.uri.path eq "/admin"' }, login],
  ),
  "a skip rule that skips more": list(
    "fails",
    [office({ products: ["bic"] }), admin],
    [office({ products: ["bic"], phases: [MANAGED, LIMITS] }), admin],
  ),
  "a skip rule above a block": list("fails", [admin], [office({ ruleset: "current" }), admin]),
  "a skip rule that moves above a block": list(
    "fails",
    [login, admin, office({ ruleset: "current" })],
    [office({ ruleset: "current" }), login, admin],
  ),
  "a limit of 10,000 instead of 10": list("fails", [limit()], [limit({ requestsPerPeriod: 10_000 })], ofLimits),
  "a period of 10 seconds instead of 60": list("fails", [limit()], [limit({ period: 10 })], ofLimits),
  "a timeout of 60 seconds instead of 600": list("fails", [limit()], [limit({ mitigationTimeout: 60 })], ofLimits),
  "a limit of 5 instead of 10": list("passes", [limit()], [limit({ requestsPerPeriod: 5 })], ofLimits),
  "a challenge that moves before a block": list("fails", [admin, everybody], [everybody, admin]),
  "a connection that is closed instead of a block": list(
    "passes",
    [admin],
    [{ ...admin, action: "force_connection_close" }],
  ),
  "a block that only logs": list("fails", [admin], [{ ...admin, action: "log" }]),
  "a larger share of requests": list("passes", [asShare(5)], [asShare(25)]),
  "a rule that blocks a share of what it logged": list("passes", [{ ...admin, action: "log" }], [asShare(5)]),
  "a block that ends": list("fails", [admin], [until({ ...admin, expression: ADMIN }, "2999-12-31")]),
  "a disabled block": list("fails", [admin], [{ ...admin, enabled: false }]),
  "a threshold of 25 where the default is 40": list("passes", [owasp(2)], [owasp(2, 25)], ofManaged),
  "a lower paranoia level and a higher threshold": list("fails", [owasp(2, 25)], [owasp(1, 60)], ofManaged),
  "a skip rule in another notation": list(
    "passes",
    [office({ products: ["bic"] })],
    [office({ products: ["bic"] }, "(ip.src in {192.0.2.0/24})")],
  ),
  "a skip rule for fewer requests": list(
    "passes",
    [office({ products: ["bic"] })],
    [office({ products: ["bic"] }, "ip.src eq 192.0.2.1")],
  ),
  "two rules merged into one": list("passes", [admin, login], [{ ...admin, expression: `${ADMIN} or ${LOGIN}` }]),
  "a log rule less": list("passes", [block("watch", "Watch", "true", { action: "log" }), admin], [admin]),
  "two addresses more in a long list": list("passes", [addresses()], [addresses("203.0.113.7", "203.0.113.8")]),
  "a value that is not known before up": list(
    "passes if unknown is allowed",
    [admin, login],
    [{ ...admin, expression: UNKNOWN }, login],
  ),
  "rules that are not known before up": list("passes if unknown is allowed", [admin], UNKNOWN),
  "a block less in a shared list": list("fails", [admin, login], [admin], shared),
  "a challenge more in a shared list": list(
    "passes if unknown is allowed",
    [],
    [{ ...everybody, ref: "checkout", description: "Checkout", expression: 'http.host eq "pay.example.com"' }],
    shared,
  ),
  "a single rule that moves": single(
    "passes if unknown is allowed",
    { ...login, position: { before: "" } },
    { ...login, position: { after: "partners" } },
  ),
  "another value of a field without a typed name": list(
    "passes if unknown is allowed",
    [{ ...admin, wire: { categories: ["a"] } }],
    [{ ...admin, wire: { categories: ["b"] } }],
  ),
  "a block narrowed that has a field without a typed name": list(
    "fails",
    [{ ...admin, wire: { categories: ["a"] } }],
    [{ ...admin, wire: { categories: ["a"] }, expression: 'http.request.uri.path eq "/admin"' }],
  ),
  "a preview that could not ask the service": list("passes if unknown is allowed", undefined, [admin], {
    isUnreachable: true,
  }),
  "a single rule whose preview could not ask the service": single("passes if unknown is allowed", undefined, login, {
    isUnreachable: true,
  }),
};
