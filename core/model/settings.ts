/** A setting of the provider. */
export interface Setting {
  readonly type: "string" | "number" | "boolean";
  readonly text: string;
  /** What applies without it. */
  readonly otherwise?: string;
  readonly choices?: readonly string[];
  /** Whether it is a part of the credentials: an explicit provider does not inherit it, so that two sets are never mixed. */
  readonly credential?: boolean;
  readonly secret?: boolean;
  /** The environment variables that it is read from where the program and the stack do not set it. */
  readonly variables?: readonly string[];
}

/** All settings: keys of the namespace `rulesets` in a stack configuration, and arguments of `Provider` in every language. */
export const SETTINGS = {
  apiToken: {
    type: "string",
    credential: true,
    text: "A token; excludes `email` and `apiKey`.",
    secret: true,
    variables: ["RULESETS_API_TOKEN", "CLOUDFLARE_API_TOKEN"],
  },
  email: {
    type: "string",
    credential: true,
    text: "E-mail address of the account, with `apiKey`.",
    variables: ["RULESETS_EMAIL", "CLOUDFLARE_EMAIL"],
  },
  apiKey: {
    type: "string",
    credential: true,
    text: "The global API key of the account, with `email`.",
    secret: true,
    variables: ["RULESETS_API_KEY", "CLOUDFLARE_API_KEY"],
  },
  baseUrl: {
    type: "string",
    text: "Address of the API, including `/client/v4`.",
    otherwise: "the real service's",
    variables: ["RULESETS_BASE_URL", "CLOUDFLARE_BASE_URL"],
  },
  timeoutSeconds: { type: "number", text: "Timeout of one attempt of a request.", otherwise: "60" },
  maxRetries: { type: "number", text: "Attempts after the first.", otherwise: "4" },
  requestsPerSecond: {
    type: "number",
    text: "Maximum average of requests per second.",
    otherwise: "the service's limit; if it reports none, 1200 in five minutes",
  },
  dnsServer: {
    type: "string",
    text: "Where previews look up CAA records, such as `127.0.0.1:5353`.",
    otherwise: "the machine's own DNS server",
    variables: ["RULESETS_DNS_SERVER"],
  },
  onConflict: {
    type: "string",
    text: "What to do about changes made outside the stack, unless a resource overrides it.",
    otherwise: '"fail"',
    choices: ["fail", "overwrite"],
  },
  maxRemovedPercent: {
    type: "number",
    text: "Percentage of its rules that one run may remove from a ruleset.",
    otherwise: "100",
  },
  previewChecks: {
    type: "string",
    text: "Whether a preview makes requests: when it can, always, or never.",
    otherwise: '"auto"',
    choices: ["auto", "require", "off"],
  },
  ruleAnalysis: {
    type: "string",
    text: "Whether a preview warns about rules that can never run, duplicates and similar mistakes.",
    otherwise: '"on"',
    choices: ["on", "off"],
  },
  dryRun: {
    type: "string",
    text:
      "Whether a preview sends its writes as dry runs (`dry_run`), and then fails (`on`) or warns (`warn`) if the service " +
      "rejects one. The token must have write permission.",
    otherwise: '"off"',
    choices: ["on", "warn", "off"],
  },
  expiryWarningDays: {
    type: "number",
    text: "For how many days before the end of a rule previews warn about it.",
    otherwise: "7",
  },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
