import type { ErrorObject } from "ajv";
import { boolean, filled, listOf, oneOf, string } from "./body.js";
import { paceSchema } from "./certificates/bodies.js";
import { KINDS } from "./lists/model.js";
import { progressionSchema } from "./previous-waf/bodies.js";
import {
  accountsOf,
  zoneOf,
  type AccountSeed,
  type CertificatesSeed,
  type ListSeed,
  type PreviousWafSeed,
  type RulesetSeed,
  type Seed,
  type ZoneSeed,
} from "./seed.js";
import { declareSchema, type Schema } from "./schemas.js";
import { PLANS } from "./zones/model.js";

/** An object with exactly these keys; the compiler reports keys of the type that are missing. */
const exactly = <T>(properties: Readonly<Record<keyof T, Schema>>, required: readonly (keyof T)[] = []): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const anything = { type: "object" };
const count = { type: "integer", minimum: 0 };
const onOff = oneOf("on", "off");
const id = { type: "string", pattern: "^[0-9a-f]{32}$" };

const account = exactly<AccountSeed>({ id, name: filled }, ["name"]);

/** Fields of the service are allowed in addition to those of the seed. */
const hostname: Schema = {
  type: "object",
  properties: {
    hostname: filled,
    certificateAuthority: oneOf("", "digicert", "google", "lets_encrypt", "ssl_com"),
    method: oneOf("http", "txt", "email", "cname"),
    type: string,
    status: filled,
    ends: filled,
    issuing: boolean,
    locked: boolean,
    ssl: anything,
    custom_metadata: anything,
    custom_origin_server: string,
    custom_origin_sni: string,
  },
  required: ["hostname"],
  additionalProperties: false,
};

const certificates = exactly<CertificatesSeed>({
  hostnames: listOf(hostname),
  hostnameQuota: count,
  pace: paceSchema,
  caa: { type: "object", additionalProperties: listOf(string) },
  packs: listOf(anything),
  custom: listOf(anything),
  totalTls: exactly<NonNullable<CertificatesSeed["totalTls"]>>({ enabled: boolean, certificate_authority: filled }),
});

type PageRuleSeed = NonNullable<PreviousWafSeed["pageRules"]>[number];
const previousWaf = exactly<PreviousWafSeed>({
  setting: onOff,
  core: exactly<NonNullable<PreviousWafSeed["core"]>>({
    sensitivity: oneOf("high", "medium", "low", "off"),
    action: oneOf("simulate", "block", "challenge"),
  }),
  managed: onOff,
  groups: { type: "object", additionalProperties: onOff },
  rules: { type: "object", additionalProperties: string },
  overrides: listOf(anything),
  firewallRules: listOf({ type: "object", properties: { expression: string }, required: ["expression"] }),
  pageRules: listOf(
    exactly<PageRuleSeed>(
      {
        url: filled,
        actions: listOf({ type: "object", properties: { id: filled }, required: ["id"] }),
        status: oneOf("active", "disabled"),
        priority: { type: "number" },
      },
      ["url", "actions"],
    ),
  ),
  state: filled,
  progression: progressionSchema,
  finishingState: string,
  lag: count,
});

const zone = exactly<ZoneSeed>(
  { id, name: filled, plan: oneOf(...PLANS), account: filled, previousWaf, certificates },
  ["name"],
);
const ruleset = exactly<RulesetSeed>(
  {
    zone: filled,
    account: filled,
    name: filled,
    kind: filled,
    phase: filled,
    description: string,
    rules: listOf(anything),
  },
  ["phase"],
);
const list = exactly<ListSeed>(
  { account: filled, name: filled, kind: oneOf(...KINDS), description: string, items: listOf(anything) },
  ["name", "kind"],
);

const SEED = exactly<Seed>({
  ids: string,
  accounts: listOf(account, { minItems: 1 }),
  zones: listOf(zone),
  rulesets: listOf(ruleset),
  lists: listOf(list),
  tokens: listOf(
    exactly<NonNullable<Seed["tokens"]>[number]>({ value: filled, access: oneOf("read", "write") }, ["value"]),
  ),
  dryRun: boolean,
  rateLimit: exactly<NonNullable<Seed["rateLimit"]>>({
    quota: { type: "integer", minimum: 1 },
    windowSeconds: { type: "number", exclusiveMinimum: 0 },
    enforce: boolean,
  }),
});

const seedValidator = declareSchema(SEED);

/** An invalid seed. */
export class SeedError extends Error {}

/** Rejects a seed with a misspelt key, an invalid value, or duplicate names, with the location. */
export function checkSeed(seed: unknown): asserts seed is Seed {
  const validate = seedValidator();
  if (!validate(seed)) throw new SeedError(`seed: ${faultOf(validate.errors?.[0])}`);
  const { accounts = [], zones = [], lists = [] } = seed as Seed;
  const [someAccounts, someZones] = [
    accountsOf(seed as Seed),
    zones.map((each) => zoneOf(each, accountsOf(seed as Seed))),
  ];
  refuseTwice("accounts", someAccounts.slice(0, accounts.length));
  refuseTwice("zones", someZones);
  refuseTwice(
    "lists",
    lists.map(({ name, account: owner }) => ({ id: `${owner ?? ""}/${name}`, name: `${owner ?? ""}/${name}` })),
  );
}

function refuseTwice(what: string, items: readonly { readonly id: string; readonly name: string }[]): void {
  const seen = new Map<string, number>();
  items.forEach((item, index) => {
    for (const key of new Set([item.id, item.name])) {
      const first = seen.get(key);
      if (first !== undefined)
        throw new SeedError(`seed: ${what}[${String(index)}] already exists as ${what}[${String(first)}]: ${key}`);
      seen.set(key, index);
    }
  });
}

function faultOf(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is not valid";
  const { instancePath, keyword, params, data, message } = error;
  const at = pathOf(instancePath);
  const { additionalProperty, allowedValues, missingProperty } = params as Readonly<Record<string, unknown>>;
  if (keyword === "additionalProperties") {
    const { properties } = error.parentSchema as { properties: object };
    const where = at === "" ? "there is no" : `${at} has no`;
    return `${where} ${String(additionalProperty)}; the known ones are ${Object.keys(properties).join(", ")}`;
  }
  if (keyword === "required") return `${at === "" ? "" : `${at}.`}${String(missingProperty)} is required`;
  const shown = JSON.stringify(data).slice(0, 60);
  if (keyword === "enum") return `${at} must be one of ${(allowedValues as string[]).join(", ")}, not ${shown}`;
  return `${at === "" ? "it" : at} ${message ?? "is not valid"}, not ${shown}`;
}

/** A JSON pointer in path notation: `zones[0].plan`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
