import { markdownProse, markdownText } from "../model/markdown.js";
import { joinNames, plural } from "../model/words.js";
import type { BulkRedirects } from "./bulk.js";
import type { Conversion, Note } from "./new-rules.js";
import { rulesOf, type OldRule, type OldRules } from "./old-rules.js";

/** What is known about a migration of a zone. */
export interface Migration {
  readonly zone: string;
  readonly old: OldRules;
  readonly conversion: Conversion;
  /** Why it is not proved that the new rules do what an old rule does, by the ID of the old rule. */
  readonly unproved: ReadonlyMap<string, string>;
  /** Whether the rules of the program, beside those that the zone has, are proved to do the same as the new rules alone. */
  readonly proof: { readonly isEqual: boolean; readonly why: readonly string[] };
  /** The redirect list in place of some of the new rules. */
  readonly bulk?: BulkRedirects;
  /** Whether the program declares the new rules disabled. */
  readonly isDisabled?: boolean;
  /** What could be done about a quota. */
  readonly advice?: string;
  /** Previous rules that were turned off since, by ID. */
  readonly switchedOff?: ReadonlySet<string>;
  /** Quotas of the plan that the new rules exceed. */
  readonly beyond: readonly string[];
}

/** What was found about one old rule. */
export type Verdict = "same" | "not entirely" | "not proved" | "left alone" | "never applied" | "turned off";

/** The verdict of each old rule. */
export function verdictOf({ conversion, unproved, proof }: Migration, rule: OldRule): Verdict {
  const kinds = new Set(notesOf(conversion, rule).map(({ kind }) => kind));
  if (isOff(rule)) return "turned off";
  if (kinds.has("left")) return "left alone";
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

/** Whether nothing is open: every rule is converted, and proved. */
export function isComplete(migration: Migration): boolean {
  const { old, proof, beyond } = migration;
  const verdicts = [...rulesOf(old), ...old.notConverted].map((rule) => verdictOf(migration, rule));
  const isDone = (verdict: Verdict): boolean => ["same", "never applied", "turned off"].includes(verdict);
  return beyond.length === 0 && proof.isEqual && verdicts.every(isDone);
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
  const notes = noteLines(migration, Infinity, { label: markdownText, text: markdownProse });
  const lines = verdictLines(migration).map((line) =>
    line.replace(/^(- )?(.*)$/s, (_, item = "", text: string) => `${String(item)}${markdownText(text)}`),
  );
  return [
    `## ${zone}`,
    // A line that follows an item of a list would belong to it.
    lines
      .map((line, at) => `${line.startsWith("- ") && at > 0 ? "\n" : "\n\n"}${line}`)
      .join("")
      .trim(),
    ["| previous rule | new rules | verdict |", "|---|---|---|", ...rows].join("\n"),
    ...(notes.length === 0 ? [] : ["### What to know", notes.join("\n")]),
    ["### What is assumed", ...ASSUMED.map((line) => `- ${line}`)].join("\n"),
    ["### To switch", ...numbered(switchSteps(migration, markdownText))].join("\n"),
  ].join("\n\n");
}

/** What the vendor does not document, and what the comparison takes for granted. */
const ASSUMED = [
  "A page rule without a port applies to all ports; the new rules are compared for requests to ports 80 and 443.",
  "Each asterisk of a URL matches as little as it can, as in rules; Cloudflare does not document it for page rules.",
  "A pattern without a query string matches with any, as Cloudflare's migration guide says.",
  "Redirects happen before access rules, lockdowns and user agent rules, as in the phases; Cloudflare does not document the previous order.",
  "Whether page rules saw a URL that a transform rule had rewritten is not documented; configuration, cache and origin rules see the rewritten one.",
  "Workers on a URL suppressed some settings of page rules; they do not suppress rules.",
];

/** What was compared, in a few lines. */
export function verdictLines(migration: Migration): string[] {
  const { old, unproved, proof, beyond, advice } = migration;
  const open = rulesOf(old).filter(({ id }) => unproved.has(id));
  const all = [...rulesOf(old), ...old.notConverted];
  const counts = [...Map.groupBy(all, (rule) => verdictOf(migration, rule))].map(
    ([verdict, rules]) => `${String(rules.length)} ${verdict}`,
  );
  return [
    all.length === 0 ? "No previous rules." : `${plural(all.length, "previous rule")}: ${counts.join(", ")}.`,
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

/** What a reader has to know of each previous rule, those with the same note together. */
export function noteLines(
  { conversion, old }: Migration,
  most: number,
  written = { label: (text: string): string => text, text: (text: string): string => text },
): string[] {
  const order = new Map([...rulesOf(old), ...old.notConverted].map(({ id }, index) => [id, index]));
  const notes = conversion.notes.toSorted((a, b) => (order.get(a.rule.id) ?? 0) - (order.get(b.rule.id) ?? 0));
  return [...Map.groupBy(notes, ({ text }) => text)].map(([text, some]) => {
    const labels = some.map(({ rule }) => written.label(rule.label));
    return `- ${joinNames(labels, most)}: ${written.text(text)}.`;
  });
}

/** Steps with their numbers. */
export function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => `${String(index + 1)}. ${step}`);
}

/** How to switch, step by step. Nothing here deletes a previous rule. */
export function switchSteps(migration: Migration, written = (label: string): string => label): string[] {
  const disabled = "The new rules are disabled: to put them in force, remove `enabled: false` and run it again. ";
  return [
    `Run \`pulumi up\`. ${migration.isDisabled === true ? disabled : ""}New rules take precedence over page rules, so both may be in force.`,
    `Run \`npx pulumi-rulesets migration verify --zone ${migration.zone}\`, which compares with what is deployed.`,
    ...turnOffSteps(migration, written),
  ];
}

/** What remains to do once the new rules are deployed. */
export function turnOffSteps(migration: Migration, written = (label: string): string => label): string[] {
  const { old, switchedOff } = migration;
  const converted = rulesOf(old).filter((rule) => verdictOf(migration, rule) !== "left alone");
  const access = new Set<OldRule>(old.accessRules);
  const others = converted.filter((rule) => !access.has(rule));
  const modes = Map.groupBy(
    old.accessRules.filter((rule) => converted.includes(rule)),
    ({ mode }) => mode,
  );
  const item = ({ id, label }: OldRule): string =>
    `   - [${switchedOff?.has(id) === true ? "x" : " "}] ${written(label)}`;
  const deletes = [...modes].map(([mode, rules]) => `   - [ ] ${plural(rules.length, "access rule")}: ${mode}`);
  return [
    ...(others.length === 0
      ? []
      : [
          [
            "Turn off the previous rules in the dashboard, or with the tool that manages them, and watch the zone. They can be turned on again:",
            ...others.map(item),
          ].join("\n"),
        ]),
    ...(deletes.length === 0
      ? []
      : [
          [
            "Delete the IP access rules, which cannot be turned off. Keep a list of them, to create them again if you have to go back:",
            ...deletes,
          ].join("\n"),
        ]),
    ...(others.length === 0 ? [] : ["Delete the others when you no longer need them. `pulumi-rulesets` never does."]),
  ];
}
