import { markdownProse, markdownText } from "../model/markdown.js";
import { plural } from "../model/words.js";
import { rulesOf } from "./convert.js";
import type { BulkRedirects } from "./bulk.js";
import type { Conversion, Note } from "./new-rules.js";
import type { OldRule, OldRules } from "./old-rules.js";
import { outcomeWords, type Difference } from "./prove.js";

/** What is known about a migration of a zone. */
export interface Migration {
  readonly zone: string;
  readonly old: OldRules;
  readonly conversion: Conversion;
  /** Example requests that were sent through the old and the new rules, and those that they treat differently. */
  readonly tried: number;
  readonly differences: readonly Difference[];
  /** Why it is not proved that the new rules do what an old rule does, by the ID of the old rule. */
  readonly unproved: ReadonlyMap<string, string>;
  /** Whether the rules of the program, beside those that the zone has, are proved to do the same as the new rules alone. */
  readonly proof: { readonly isEqual: boolean; readonly why: readonly string[] };
  /** The redirect list in place of some of the new rules. */
  readonly bulk?: BulkRedirects;
  /** What could be done about a quota. */
  readonly advice?: string;
  /** Previous rules that were turned off since, by ID. */
  readonly switchedOff?: ReadonlySet<string>;
  /** Quotas of the plan that the new rules exceed. */
  readonly beyond: readonly string[];
}

/** What was found about one old rule. */
export type Verdict =
  | "same"
  | "not entirely"
  | "not proved"
  | "differs"
  | "left alone"
  | "never applied"
  | "turned off";

/** The verdict of each old rule. */
export function verdictOf({ conversion, differences, unproved, proof }: Migration, rule: OldRule): Verdict {
  const kinds = new Set(notesOf(conversion, rule).map(({ kind }) => kind));
  if (isOff(rule)) return "turned off";
  if (kinds.has("left")) return "left alone";
  if (differences.length > 0) return "differs";
  if (unproved.has(rule.id)) return "not proved";
  if (kinds.has("obsolete")) return "never applied";
  if (!proof.isEqual) return "not proved";
  return kinds.has("lacks") ? "not entirely" : "same";
}

function isOff(rule: OldRule): boolean {
  return "reason" in rule && !("decides" in rule);
}

function notesOf({ notes }: Conversion, { id }: OldRule): readonly Note[] {
  return notes.filter(({ rule }) => rule.id === id);
}

/** Whether nothing is open: every rule is converted, no request differs, and the rest is proved. */
export function isComplete(migration: Migration): boolean {
  const { old, differences, proof, beyond } = migration;
  const verdicts = [...rulesOf(old), ...old.notConverted].map((rule) => verdictOf(migration, rule));
  const isDone = (verdict: Verdict): boolean => ["same", "never applied", "turned off"].includes(verdict);
  return differences.length + beyond.length === 0 && proof.isEqual && verdicts.every(isDone);
}

/** The page that goes with a program: each old rule, its new rules, what was found, and how to switch. */
export function migrationPage(migrations: readonly Migration[]): string {
  return `${["# Migration of previous features to rules", ...migrations.map(zoneSection)].join("\n\n")}\n`;
}

function zoneSection(migration: Migration): string {
  const { zone, old, conversion, bulk } = migration;
  const rules = [...rulesOf(old), ...old.notConverted];
  const rows = rules.map((rule) => {
    const own = conversion.rules.filter(({ from }) => from.includes(rule.id));
    const refs = own.map(({ ref }) => `\`${bulk?.replaced.has(ref) === true ? bulk.list : ref}\``);
    return `| ${markdownText(rule.label)} | ${refs.join("<br>")} | ${verdictOf(migration, rule)} |`;
  });
  const notes = rules.flatMap((rule) =>
    notesOf(conversion, rule).map(({ text }) => `- ${markdownText(rule.label)}: ${markdownProse(text)}.`),
  );
  return [
    `## ${zone}`,
    verdictLines(migration)
      .map((line) =>
        line.replace(/^(- )?(.*)$/s, (_, item = "", text: string) => `${String(item)}${markdownText(text)}`),
      )
      .join("\n"),
    ["| previous rule | new rules | verdict |", "|---|---|---|", ...rows].join("\n"),
    ...(notes.length === 0 ? [] : ["### What to know", notes.join("\n")]),
    ["### What is assumed", ...ASSUMED.map((line) => `- ${line}`)].join("\n"),
    ["### To switch", ...checklist(migration, markdownText)].join("\n"),
  ].join("\n\n");
}

/** What the vendor does not document, and what the comparison takes for granted. */
const ASSUMED = [
  "A page rule without a port applies to all ports; the new rules are compared for requests to ports 80 and 443.",
  "A pattern without a query string matches with any, as Cloudflare's migration guide says.",
  "Redirects happen before access rules, lockdowns and user agent rules, as in the phases; Cloudflare does not document the previous order.",
  "Whether page rules saw a URL that a transform rule had rewritten is not documented; configuration, cache and origin rules see the rewritten one.",
  "Workers on a URL suppressed some settings of page rules; they do not suppress rules.",
];

/** What was compared, in a few lines. */
export function verdictLines({ old, tried, differences, unproved, proof, beyond, advice }: Migration): string[] {
  const open = rulesOf(old).filter(({ id }) => unproved.has(id));
  return [
    differences.length === 0
      ? `${plural(tried, "example request")}: previous and new rules treat all of them alike.`
      : `${String(differences.length)} of ${plural(tried, "example request")} are treated differently:`,
    ...differences.slice(0, 10).map(differenceWords),
    open.length === 0
      ? "The new rules are proved to treat every request as the previous ones do, other than noted below."
      : `Not proved: whether the new rules do what ${plural(open.length, "previous rule")} did:`,
    ...open.map(({ id, label }) => `- ${label}: ${unproved.get(id) ?? ""}`),
    proof.isEqual
      ? "Together with the other rules of the zone, the rules of the program are proved to do what the new rules do."
      : "Not proved: whether the rules of the program do what the new rules do, together with the other rules of the zone.",
    ...proof.why.map((why) => `- ${why}`),
    ...beyond.map((quota) => `The plan does not include that many: ${quota}.`),
    ...(advice === undefined ? [] : [advice]),
  ];
}

function differenceWords({ request, before, after }: Difference): string {
  const { url, ip, country, asn, userAgent, cookie } = request;
  const from = `from ${ip} (${country}, AS${String(asn)}), user agent ${userAgent}${cookie === "" ? "" : `, cookie ${cookie}`}`;
  return `- ${url} ${from}: before, it ${outcomeWords(before)}; now, it ${outcomeWords(after)}.`;
}

/** How to switch, step by step. Nothing here deletes a previous rule. */
export function checklist(migration: Migration, written = (label: string): string => label): string[] {
  const { zone, old } = migration;
  const converted = rulesOf(old).filter((rule) => verdictOf(migration, rule) !== "left alone");
  return [
    "1. Run `pulumi up`. New rules take precedence over page rules, so both may be in force.",
    `2. Run \`npx pulumi-rulesets migration verify --zone ${zone}\`, which compares with what is deployed.`,
    "3. Turn off the previous rules in the dashboard, and watch the zone. They can be turned on again:",
    ...converted.map(({ label }) => `   - [ ] ${written(label)}`),
    "4. Delete them there when you no longer need them. `pulumi-rulesets` never does.",
  ];
}
