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
  /** The environment variable that overrides it for one run. */
  readonly override?: string;
  /** The page of docs/ that describes it. */
  readonly page?: string;
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
  timeoutSeconds: { type: "number", text: "Timeout of one attempt of a request, in seconds.", otherwise: "60" },
  maxRetries: { type: "number", text: "Attempts after the first one.", otherwise: "4" },
  requestsPerSecond: {
    type: "number",
    text: "Most requests per second, on average.",
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
    override: "RULESETS_ON_CONFLICT",
    page: "ownership.md#when-somebody-else-changed-the-ruleset-onconflict",
  },
  maxRemovedPercent: {
    type: "number",
    text: "Percentage of its rules that one run may remove from a ruleset.",
    otherwise: "no limit",
    override: "RULESETS_MAX_REMOVED_PERCENT",
    page: "ownership.md#a-limit-on-removals-maxremovedpercent",
  },
  previewChecks: {
    type: "string",
    text: "Whether previews query the service: if they can, always, or never.",
    otherwise: '"auto"',
    choices: ["auto", "require", "off"],
  },
  ruleAnalysis: {
    type: "string",
    text: "Whether previews show how rules interact, such as rules that never run.",
    otherwise: '"on"',
    choices: ["on", "off"],
    page: "analysis.md",
  },
  dryRun: {
    type: "string",
    text:
      "Whether previews send their writes as dry runs (`dry_run`), and fail (`on`) or warn (`warn`) if the service rejects " +
      "one. The token needs write permission.",
    otherwise: '"off"',
    choices: ["on", "warn", "off"],
    page: "phase-entrypoint.md#a-dry-run-by-the-service",
  },
  expiryWarningDays: {
    type: "number",
    text: "How many days before a rule expires previews start to warn.",
    otherwise: "7",
    page: "rollout.md#expiry",
  },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The keys of a stack configuration that have to be secret: those of this package, and the fallbacks of `cloudflare`. */
export const SECRET_SETTINGS = ["rulesets", "cloudflare"].flatMap((namespace) => [
  `${namespace}:apiToken`,
  `${namespace}:apiKey`,
]);
