import { code, fenced } from "../markdown.js";
import { markdownProse, markdownText } from "../../../core/model/markdown.js";
import { writtenText } from "../../../core/model/json.js";
import { urgency } from "./rule-rows.js";
import {
  changesText,
  changeWords,
  countWords,
  effectSentence,
  headlineWords,
  invariantSentence,
  itemWords,
  noChangesText,
  notJudgedSentence,
  opWords,
  placeWords,
} from "./words.js";
import {
  isDrift,
  isEmpty,
  RULE_CHANGES,
  unsaidFields,
  zoneIn,
  type FieldChange,
  type InvariantChange,
  type OtherSummary,
  type RuleChange,
  type RuleRow,
  type RulesetSummary,
  type Summary,
  type ZoneNames,
} from "./summary.js";

interface MarkdownOptions {
  /** Maximum length in characters. Rules that do not fit are dropped, the least severe first; the counts are kept. */
  readonly budget: number;
  /** Identifies the comment, so that a pipeline can find and update it. */
  readonly marker: string;
  readonly zoneNames?: ZoneNames;
}

/** The comment's first line: invisible, and the same for every run of one stack. */
function markerLine(marker: string): string {
  return `<!-- pulumi-rulesets summary: ${marker.replace(/-->|[\r\n]/g, " ")} -->`;
}

/** Renders one or more previews as a comment on a pull request. */
export function renderMarkdown(summaries: readonly Summary[], options: MarkdownOptions): string {
  const rows = summaries.flatMap((summary) =>
    [...summary.drift, ...summary.resources].flatMap((resource) => (resource.kind === "ruleset" ? resource.rules : [])),
  );
  // The least severe first, and the last of equals first: the sort is stable.
  const droppable = [...rows].reverse().sort((a, b) => urgency(b) - urgency(a));
  const fits = (dropped: number): string | undefined => {
    const text = page(summaries, new Set(droppable.slice(0, dropped)), options);
    return text.length <= options.budget ? text : undefined;
  };
  return fits(0) ?? dropFewest(fits, droppable.length) ?? countsOnly(summaries, options);
}

/** The page with the fewest rules dropped: dropping more makes it shorter. */
function dropFewest(fits: (dropped: number) => string | undefined, most: number): string | undefined {
  let [low, high] = [1, most];
  if (most === 0 || fits(most) === undefined) return undefined;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle) === undefined) low = middle + 1;
    else high = middle;
  }
  return fits(low);
}

function page(summaries: readonly Summary[], dropped: ReadonlySet<RuleRow>, options: MarkdownOptions): string {
  const parts = summaries.flatMap((summary) => stackParts(summary, dropped, options));
  return [markerLine(options.marker), ...parts].join("\n\n");
}

/** When even the tables without rules do not fit: the counts of each stack. */
function countsOnly(summaries: readonly Summary[], { marker }: MarkdownOptions): string {
  const lines = summaries.map((summary) => `- **${headline(summary)}.** ${changesText(summary)}`);
  return [markerLine(marker), lines.join("\n"), "Too long to show rule by rule: run `pulumi preview --diff`."].join(
    "\n\n",
  );
}

function headline(summary: Summary): string {
  const name = summary.stack === "" ? "Rulesets" : `Rulesets in ${markdownText(summary.stack)}`;
  const words = headlineWords(summary);
  return words === "" ? name : `${name}: ${words}`;
}

function stackParts(summary: Summary, dropped: ReadonlySet<RuleRow>, options: MarkdownOptions): string[] {
  if (isEmpty(summary)) return [noChangesText(summary)];
  const errors = summary.errors.map((message) => fenced(message));
  const changed = summary.resources.length + summary.drift.length === 0 ? [] : [changesText(summary)];
  return [
    `### ${headline(summary)}`,
    ...(summary.invariants ?? []).map(invariantPart),
    ...errors,
    ...(errors.length === 0 ? [] : [FAILED]),
    ...changed,
    ...[...summary.drift, ...summary.resources].flatMap((resource) => resourceParts(resource, dropped, options)),
    ...sendParts(summary),
  ];
}

function invariantPart(one: InvariantChange): string {
  return [
    `**Invariant ${markdownText(invariantSentence(one))}**`,
    markdownText(one.words),
    fenced(one.lines.join("\n")),
  ].join("\n\n");
}

const FAILED = "Not judged: everything that the preview did not reach. What would decide it: a preview that succeeds.";

/** What changes in a resource, or what others changed in it. */
export function resourceParts(
  resource: RulesetSummary | OtherSummary,
  dropped: ReadonlySet<RuleRow>,
  options: Pick<MarkdownOptions, "zoneNames">,
): string[] {
  return resource.kind === "ruleset" ? rulesetParts(resource, dropped, options) : otherParts(resource, options);
}

function rulesetParts(
  resource: RulesetSummary,
  dropped: ReadonlySet<RuleRow>,
  options: Pick<MarkdownOptions, "zoneNames">,
): string[] {
  const isQuiet = ({ change }: RuleRow): boolean => change === "unchanged" || change === "formatting";
  const grave = resource.rules.filter((row) => !isQuiet(row));
  const quiet = resource.rules.filter(isQuiet);
  const shown = grave.filter((row) => !dropped.has(row));
  const left = grave.length - shown.length;
  return [
    title(resource, options),
    ...((resource.fields ?? []).length === 0
      ? []
      : [(resource.fields ?? []).map((field) => `- ${fieldText(field)}`).join("\n")]),
    ...(shown.length === 0 ? [] : [table(shown, isDrift(resource.op))]),
    ...(left === 0
      ? []
      : [
          `${shown.length === 0 ? "" : "… and "}${countWords(countBy(grave.filter((row) => dropped.has(row))))} (left out)`,
        ]),
    ...quietParts(quiet, dropped),
    ...effectParts(resource),
    ...noteParts(resource.notes),
  ];
}

function countBy(rows: readonly RuleRow[]): Record<RuleChange, number> {
  return Object.fromEntries(
    RULE_CHANGES.map((change) => [change, rows.filter((row) => row.change === change).length]),
  ) as Record<RuleChange, number>;
}

function title(resource: RulesetSummary | OtherSummary, { zoneNames }: Pick<MarkdownOptions, "zoneNames">): string {
  const [level = "", id = ""] = resource.scope.split(" ");
  const name = zoneNames?.get(zoneIn(resource));
  const place = resource.scope === "" ? "" : ` of ${name === undefined ? `${level} ${code(id)}` : markdownText(name)}`;
  return `#### ${resource.kind === "ruleset" && resource.title === resource.phase ? code(resource.title) : markdownText(resource.title)}${place}\n\n${code(resource.resource)} ${opWords(resource)}.`;
}

function table(rows: readonly RuleRow[], isDrift: boolean): string {
  const lines = rows.map((row) => `| ${label(row, isDrift)} | ${markdownText(row.name)} | ${details(row)} |`);
  return ["| | rule | |", "| --- | --- | --- |", ...lines].join("\n");
}

function label(row: RuleRow, isDrift: boolean): string {
  const also = row.moved && row.change !== "moved" ? ", moved" : "";
  const words = changeWords(row, isDrift);
  return `${row.weakens === "yes" ? `**${words}**` : words}${also}`;
}

function details(row: RuleRow): string {
  const { change, action, expression, reasons } = row;
  const what = action === "" ? "" : `${code(action)}${expression === undefined ? "" : ` when ${code(expression)}`}`;
  const place = placeWords(row);
  const why = [...(place === "" ? [] : [place]), ...reasons.map(({ text }) => text)].map(markdownText);
  if (change === "removed" || change === "expired" || change === "added" || change === "moved")
    return [...why, what].join("; ");
  return [...why, ...unsaidFields(row).map(fieldText)].join("; ");
}

/** Of longer values, what is the same at the beginning and the end is left out; even longer ones are shown by their length. */
const LONGEST = 240;

function fieldText(change: FieldChange): string {
  const { field, before, after, names } = change;
  const item = itemWords(change);
  if (item !== undefined) return markdownText(item);
  const [old, now] = [before, after].map((value) => (value === undefined ? undefined : writtenText(value)));
  if (old === undefined && now === undefined) return code(field);
  const behind = names === undefined ? "" : `; ${markdownText(names)}`;
  const isLong = (...texts: (string | undefined)[]): boolean =>
    texts.reduce((sum, text = "") => sum + text.length, 0) > LONGEST;
  const [from, to] = isLong(old, now) ? withoutCommon(old ?? "", now ?? "") : [old, now];
  if (isLong(from, to)) {
    return `${code(field)} (${String(old?.length ?? 0)} → ${String(now?.length ?? 0)} characters)${behind}`;
  }
  return `${code(field)}: ${from === undefined ? "not set" : code(from)} → ${to === undefined ? "not set" : code(to)}${behind}`;
}

/** Two texts without the words that both begin and end with. */
function withoutCommon(before: string, after: string): readonly [string, string] {
  const [old, now] = [before, after].map((text) => text.split(/(?<=\s)/)) as [string[], string[]];
  const shortest = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < shortest && old[start] === now[start]) start += 1;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const inside = (words: readonly string[]): string =>
    `${start === 0 ? "" : "… "}${words
      .slice(start, words.length - end)
      .join("")
      .trim()}${end === 0 ? "" : " …"}`;
  return [inside(old), inside(now)];
}

/** Unchanged rules are collapsed. */
function quietParts(rows: readonly RuleRow[], dropped: ReadonlySet<RuleRow>): string[] {
  if (rows.length === 0) return [];
  const shown = rows.filter((row) => !dropped.has(row));
  const counts = countWords(countBy(rows));
  if (shown.length === 0) return [`${counts}.`];
  const left = rows.length - shown.length;
  const lines = shown.map(
    (row) => `- ${markdownText(row.name)}${row.change === "formatting" ? " (formatting only)" : ""}`,
  );
  const more = left === 0 ? [] : [`- … and ${String(left)} more`];
  return [`<details><summary>${counts}</summary>\n\n${[...lines, ...more].join("\n")}\n\n</details>`];
}

function effectParts({ effect }: RulesetSummary | OtherSummary): string[] {
  if (effect === undefined) return [];
  const sentence = effectSentence(effect);
  const lines = effect.witnesses.map((witness) => `- ${code(witness)}`);
  const shown = [...(sentence === undefined ? [] : [sentence]), ...(lines.length === 0 ? [] : ["", ...lines])];
  const open = effect.notJudged.map((one) => `- ${markdownProse(notJudgedSentence(one))}`);
  return [...(shown.length === 0 ? [] : [shown.join("\n")]), ...(open.length === 0 ? [] : [open.join("\n")])];
}

function noteParts(notes: readonly string[]): string[] {
  return notes.map((note) => (note.includes("\n") ? fenced(note) : `> ${markdownText(note)}`));
}

function otherParts(resource: OtherSummary, options: Pick<MarkdownOptions, "zoneNames">): string[] {
  const lines = resource.fields.map((field) => `- ${fieldText(field)}`);
  return [
    title(resource, options),
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    ...effectParts(resource),
    ...noteParts(resource.notes),
  ];
}

function sendParts({ resources }: Summary): string[] {
  const writes = resources.flatMap((resource) => resource.writes);
  if (writes.length === 0) return [];
  const lines = writes.map(({ call, unless }) => `- ${code(call)}${unless === undefined ? "" : `, unless ${unless}`}`);
  return [`<details><summary>Writes</summary>\n\n${lines.join("\n")}\n\n</details>`];
}
