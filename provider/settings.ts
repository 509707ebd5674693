import { RulesetsError, NO_CREDENTIALS } from "../core/model/errors.js";
import { stableText } from "../core/model/json.js";
import {
  DAYS,
  isWithin,
  PERCENT,
  rangeText,
  REQUESTS_PER_SECOND,
  RETRIES,
  SECONDS,
  type Range,
} from "../core/model/numbers.js";
import type { DryRun, SessionSettings } from "../core/model/options.js";
import { SETTING_NAMES, SETTINGS } from "../core/model/settings.js";
import type { Credentials } from "../client/http/index.js";
import { findNearest } from "../core/model/failure.js";

/** Reads a key of the configuration, such as `rulesets:apiToken`; undefined when it is not set. */
export type ConfigReader = (key: string) => string | undefined;
export type Environment = Readonly<Record<string, string | undefined>>;

/** All settings, and where the credentials came from. */
export interface Settings extends SessionSettings, ClientSettings {
  readonly credentials?: Credentials;
  /** Where the credentials came from, for messages: `the token in environment variable RULESETS_API_TOKEN`. */
  readonly source?: string;
  /** Where other credentials are, which are different and are not used, in the same words. */
  readonly ignored?: readonly string[];
}

/** The settings of the client. */
interface ClientSettings {
  readonly baseUrl?: string;
  /** Where the address came from, for messages: `RULESETS_BASE_URL`. */
  readonly baseUrlSource?: string;
  readonly timeoutSeconds?: number;
  readonly maxRetries?: number;
  readonly requestsPerSecond?: number;
  /** Where CAA records are looked up, such as `127.0.0.1:5353`. @default the machine's own DNS server */
  readonly dnsServer?: string;
}

/** The environment variables of this package, without their prefix `RULESETS_`. */
const VARIABLES = ["API_TOKEN", "EMAIL", "API_KEY", "BASE_URL", "DNS_SERVER", "ON_CONFLICT", "MAX_REMOVED_PERCENT"];

/** Says what to write instead of the name of a setting that does not exist; undefined for one that does. */
export function unknownSetting(name: string, listed: string): string | undefined {
  if (SETTING_NAMES.some((known) => known === name)) return undefined;
  const near = findNearest(name, SETTING_NAMES);
  return near === undefined ? `${listed} ${SETTING_NAMES.join(", ")}` : `did you mean ${near}?`;
}

/** Every setting except the credentials; the compiler finds one that is not read. */
type Read = { readonly [N in keyof Required<SessionSettings & ClientSettings>]: (SessionSettings & ClientSettings)[N] };

interface Layer {
  readonly token: string;
  readonly email: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly read: ConfigReader;
  readonly keyType: "environment variable" | "configuration key";
  /** Whether only this package reads it. A layer that other tools share may contain both a token and a key: the token wins. */
  readonly own: boolean;
}

/**
 * Reads the settings of a run. All credentials come from the first layer that contains any: `RULESETS_…` variables, then
 * `rulesets:…` (provider arguments or stack configuration), then `cloudflare:…`, then `CLOUDFLARE_…` variables.
 */
export function readSettings(config: ConfigReader, env: Environment): Settings {
  const variable: ConfigReader = (name) => env[name];
  const layers: Layer[] = [
    { ...variables("RULESETS", variable), own: true },
    { ...keys("rulesets", config), own: true },
    { ...keys("cloudflare", config), own: false },
    { ...variables("CLOUDFLARE", variable), own: false },
  ];
  checkVariables(env);
  const [found, ...others] = layers.map(credentialsOf).filter((credentials) => credentials !== undefined);
  const used = stableText(found?.credentials ?? {});
  const ignored = others.filter(({ credentials }) => stableText(credentials) !== used).map(({ source }) => source);
  const addressed = layers.find(({ read, baseUrl: name }) => text(read(name)) !== undefined);
  const read: Read = {
    baseUrl: addressed === undefined ? undefined : baseUrlOf(addressed),
    baseUrlSource: addressed?.baseUrl,
    timeoutSeconds: numberOf(config, "rulesets:timeoutSeconds", SECONDS),
    maxRetries: numberOf(config, "rulesets:maxRetries", RETRIES),
    requestsPerSecond: numberOf(config, "rulesets:requestsPerSecond", REQUESTS_PER_SECOND),
    dnsServer:
      dnsServerOf("RULESETS_DNS_SERVER", env.RULESETS_DNS_SERVER) ??
      dnsServerOf("rulesets:dnsServer", config("rulesets:dnsServer")),
    previewChecks: choice("rulesets:previewChecks", config("rulesets:previewChecks"), SETTINGS.previewChecks.choices),
    ruleAnalysis: choice("rulesets:ruleAnalysis", config("rulesets:ruleAnalysis"), SETTINGS.ruleAnalysis.choices),
    dryRun: dryRunOf(config("rulesets:dryRun")),
    expiryWarningDays: numberOf(config, "rulesets:expiryWarningDays", DAYS),
    onConflictOverride: choice("RULESETS_ON_CONFLICT", env.RULESETS_ON_CONFLICT, SETTINGS.onConflict.choices),
    onConflictDefault: choice("rulesets:onConflict", config("rulesets:onConflict"), SETTINGS.onConflict.choices),
    maxRemovedPercentOverride: numberOf(variable, "RULESETS_MAX_REMOVED_PERCENT", PERCENT),
    maxRemovedPercentDefault: numberOf(config, "rulesets:maxRemovedPercent", PERCENT),
  };
  return { ...found, ...(ignored.length === 0 ? {} : { ignored }), ...read };
}

/** Refuses a likely misspelling of a variable. Others may exist: the prefix is not this package's alone. */
function checkVariables(env: Environment): void {
  for (const [variable, value] of Object.entries(env)) {
    const [, name] = /^RULESETS_(.+)$/.exec(variable) ?? [];
    if (name === undefined || VARIABLES.includes(name) || text(value) === undefined) continue;
    const near = findNearest(name, VARIABLES);
    if (near !== undefined)
      throw invalid(`the environment variable ${variable} does not exist; did you mean RULESETS_${near}?`);
  }
}

/** What people are told about the credentials of a run. */
interface CredentialsNote {
  /** Where it is reported. */
  readonly channel: "info" | "warn";
  readonly text: string;
}

/**
 * Which credentials are used and which are ignored, if different ones are set. That is only an information if a `RULESETS_…`
 * variable overrides the others, because it has no other purpose, and pipelines set it in every run. In all other cases
 * somebody may have set a credential in vain, such as a read-only token.
 */
export function credentialsNote({ source, ignored = [] }: Settings): CredentialsNote | undefined {
  if (source === undefined || ignored.length === 0) return undefined;
  const isOverride = source.includes(" RULESETS_");
  const text = `using ${source}. Ignored, because it is different: ${ignored.join(", ")}.`;
  const next = " To use other credentials than the stored ones for one run, set RULESETS_API_TOKEN.";
  return isOverride ? { channel: "info", text } : { channel: "warn", text: text + next };
}

function variables(prefix: string, read: ConfigReader): Omit<Layer, "own"> {
  return {
    token: `${prefix}_API_TOKEN`,
    email: `${prefix}_EMAIL`,
    key: `${prefix}_API_KEY`,
    baseUrl: `${prefix}_BASE_URL`,
    read,
    keyType: "environment variable",
  };
}

function keys(namespace: string, read: ConfigReader): Omit<Layer, "own"> {
  return {
    token: `${namespace}:apiToken`,
    email: `${namespace}:email`,
    key: `${namespace}:apiKey`,
    baseUrl: `${namespace}:baseUrl`,
    read,
    keyType: "configuration key",
  };
}

function credentialsOf(layer: Layer): Required<Pick<Settings, "credentials" | "source">> | undefined {
  const token = text(layer.read(layer.token));
  const email = text(layer.read(layer.email));
  const key = text(layer.read(layer.key));
  if (token !== undefined) {
    if (key !== undefined && layer.own) throw exclusive(layer);
    const source = `the token in ${layer.keyType} ${layer.token}`;
    if (!isToken(token)) throw malformed(source, "a token is one word of letters, digits and . _ ~ + / = - only");
    return { credentials: { kind: "token", apiToken: token }, source };
  }
  if (email === undefined && key === undefined) return undefined;
  if (email === undefined || key === undefined) {
    const [has, lacks] = email === undefined ? [layer.key, layer.email] : [layer.email, layer.key];
    throw invalid(
      `${has} is set but ${lacks} is not: an API key needs its e-mail address. A token (${layer.token}) needs neither.`,
    );
  }
  const source = `the key in ${layer.keyType} ${layer.key}`;
  if (!HEADER.test(key)) throw malformed(source, "a key is one word");
  if (!HEADER.test(email)) throw malformed(`the address in ${layer.keyType} ${layer.email}`, "it is one word");
  return { credentials: { kind: "key", email, apiKey: key }, source };
}

/** Format of a bearer token (RFC 6750, 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

/** Whether a text can be sent as an API token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
/** A value that can be sent in a header: visible ASCII characters, without blanks and line breaks. */
const HEADER = /^[\x21-\x7e]+$/;

/** Error for a credential that cannot be sent in a header. The message does not contain it. */
function malformed(what: string, rule: string): RulesetsError {
  return invalid(`${what} cannot be sent: ${rule}. Was it pasted with quotes, "Bearer" or a line break? Set it again.`);
}

function exclusive({ token, key, keyType }: Layer): RulesetsError {
  const what =
    keyType === "configuration key"
      ? "remove one with `pulumi config rm`, or from the arguments of Provider"
      : "unset one of them";
  return invalid(`${token} and ${key} are both set, but are mutually exclusive: ${what}.`);
}

function text(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === undefined || trimmed === "" ? undefined : trimmed;
}

function baseUrlOf({ read, baseUrl: name }: Layer): string {
  const value = text(read(name)) ?? "";
  if (/^https?:\/\/[^\s]+$/.test(value)) return value.replace(/\/+$/, "");
  // The value is not shown: it may be a token in the wrong setting.
  throw invalid(`${name} must be an address such as https://api.cloudflare.com/client/v4.`);
}

const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[\da-f:.]+\](:\d{1,5})?|[\da-f.]*:[\da-f.]*:[\da-f:.]*)$/i;

/** The address of a DNS server: `1.1.1.1`, `127.0.0.1:5353`, `::1` or `[::1]:5353`. */
export function dnsServerOf(key: string, value: string | undefined): string | undefined {
  const address = text(value);
  if (address === undefined || IP_ADDRESS.test(address)) return address;
  // Like that of an address, the value is not shown.
  throw invalid(`${key} must be the IP address of a DNS server, such as 1.1.1.1 or 127.0.0.1:5353.`);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberOf(config: ConfigReader, key: string, range: Range): number | undefined {
  const value = text(config(key));
  if (value === undefined) return undefined;
  const number = NUMBER.test(value) ? Number(value) : NaN;
  if (isWithin(number, range)) return number;
  throw invalid(`${key} is ${JSON.stringify(value)}; it ${rangeText(range)}.`);
}

function choice<T extends string>(key: string, value: string | undefined, choices: readonly T[]): T | undefined {
  const given = text(value);
  if (given === undefined) return undefined;
  const found = choices.find((item) => item === given);
  if (found !== undefined) return found;
  throw invalid(`${key} is ${JSON.stringify(given)}; it must be one of ${choices.join(", ")}.`);
}

/** Also accepts the booleans of YAML. */
function dryRunOf(value: string | undefined): DryRun | undefined {
  const found = choice("rulesets:dryRun", value, [...SETTINGS.dryRun.choices, "true", "false"]);
  if (found === "true") return "on";
  return found === "false" ? "off" : found;
}

function invalid(message: string): RulesetsError {
  return new RulesetsError(message, { code: "CONFIG_INVALID" });
}

/** Error for missing credentials. */
export function missingCredentials(): RulesetsError {
  return new RulesetsError(
    `${NO_CREDENTIALS}set a token with \`pulumi config set --secret rulesets:apiToken\`, or the environment variable ` +
      "CLOUDFLARE_API_TOKEN (or RULESETS_API_TOKEN for one run). E-mail and key go into rulesets:email and rulesets:apiKey.",
    { code: "CONFIG_CREDENTIALS_MISSING" },
  );
}
