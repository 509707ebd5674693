import { managedRulesets } from "../../core/managed/rulesets.js";

/* Cases that the service and a preview judge: where only one of them refuses, the difference stands in a table with its reason. */

type Named = readonly (readonly [reason: string, message: RegExp])[];

/** Refusals of the service that a preview only warns of, or does not see. */
const ONLY_SERVICE: Named = [
  ["what a plan includes can come with an add-on, which no read shows", /not entitled/],
  [
    "a ruleset that is neither Cloudflare's nor the stack's is not read",
    new RegExp(
      `could not find ruleset|'(?!${Object.values(managedRulesets).join("|")})\\w+' .* the ruleset is of phase`,
    ),
  ],
  [
    "a value or a name that is not listed may be newer",
    /equal to one of the allowed values|must be one of|not a known (?:action|field|function)|cache_settings.*: value is required/,
  ],
  ["a preview warns of functions that pages have for values alone", /documented only for the values/],
  ["contracts extend the Enterprise plan", /^\S+, enterprise.*: exceeded the maximum number/],
  ["support divides the custom rules of an account in another way", /: exceeded the maximum number of custom rulesets/],
];
/** Refusals of a preview that the service does not have. */
const ONLY_PREVIEW: Named = [
  ["an ID that is no ID names nothing, which the service does not notice", /IDs are in lower case|must be an ID/],
  ["the service ignores a name that it does not know", /does not exist for items|has no argument/],
  ["the service ignores a switch of wildcards elsewhere", /excludeExactHostname: needs a value that begins with/],
  ["an edit leaves a setting as it is where a program must say it", /: certificateAuthority: is required/],
  [
    "an argument of the resource, which is not sent",
    /^\S+, .*: (?:onDelete|acknowledgeIrreversible|validationTimeoutSeconds|timeoutSeconds)\b/,
  ],
];

/** Cases by place, and how often which difference was met. */
export class Parity {
  private readonly counts = new Map<string, { both: number; neither: number; named: number }>();
  private readonly named = new Map<string, number>();
  /** Differences without a reason. */
  readonly open: object[] = [];

  compare(at: string, tried: object, ofPreview: string | undefined, ofService: string | undefined): void {
    const isSame = (ofPreview === undefined) === (ofService === undefined);
    const text = `${at}: ${ofService ?? ofPreview ?? ""}`;
    const [reason] = isSame
      ? []
      : ((ofPreview === undefined ? ONLY_SERVICE : ONLY_PREVIEW).find(([, message]) => message.test(text)) ?? []);
    if (reason !== undefined) this.named.set(reason, (this.named.get(reason) ?? 0) + 1);
    if (!isSame && reason === undefined) this.open.push({ at, ...tried, ofPreview, ofService });
    else this.count(at, !isSame ? "named" : ofPreview === undefined ? "neither" : "both");
  }

  private count(at: string, outcome: "both" | "neither" | "named"): void {
    const row = this.counts.get(at) ?? { both: 0, neither: 0, named: 0 };
    row[outcome] += 1;
    this.counts.set(at, row);
  }

  /** Prints the counts if PARITY_COUNTS is set. */
  print(): void {
    if (process.env.PARITY_COUNTS === undefined) return;
    const rows = [...this.counts].sort(([one], [other]) => one.localeCompare(other));
    process.stdout.write(
      [
        "phase, place: both refuse / neither / named difference",
        ...rows.map(([name, row]) => `${name}: ${Object.values(row).join(" / ")}`),
        ...[...this.named].map(([reason, count]) => `${String(count)} times: ${reason}`),
        "",
      ].join("\n"),
    );
  }
}
