import { code, fenced } from "../markdown.js";
import { markdownProse, markdownText } from "../../../core/model/markdown.js";
import { writtenText } from "../../../core/model/json.js";
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
  /** Maximum length in characters. Rules that do not fit are only counted, the least severe first. @default 60000 */
  readonly budget?: number;
  readonly zoneNames?: ZoneNames;
}

/** How many rules of a kind a table or a list shows: the first number with which all of it fits. */
const MOST_ROWS = [Infinity, 100, 30, 10, 3, 0];

/** The comment's first line, by which a pipeline finds and updates it: invisible, and the same for every run of the stacks. */
function markerLine(summaries: readonly Summary[]): string {
  const stacks = summaries.map(({ stack }) => stack).join(", ");
  return `<!-- pulumi-rulesets summary: ${stacks.replace(/-->|[\r\n]/g, " ")} -->`;
}

/** Renders one or more previews as a comment on a pull request. */
export function renderMarkdown(
  summaries: readonly Summary[],
  { budget = 60_000, ...options }: MarkdownOptions = {},
): string {
  for (const most of MOST_ROWS) {
    const text = page(summaries, most, options);
    if (text.length <= budget) return text;
  }
  return countsOnly(summaries);
}

function page(summaries: readonly Summary[], most: number, options: MarkdownOptions): string {
  return [markerLine(summaries), ...summaries.flatMap((summary) => stackParts(summary, most, options))].join("\n\n");
}

/** When even the tables without rules do not fit: the counts of each stack. */
function countsOnly(summaries: readonly Summary[]): string {
  const lines = summaries.map((summary) => `- **${headline(summary)}.** ${changesText(summary)}`);
  return [markerLine(summaries), lines.join("\n"), "Too long to show rule by rule: run `pulumi preview --diff`."].join(
    "\n\n",
  );
}

function headline(summary: Summary): string {
  const name = summary.stack === "" ? "Rulesets" : `Rulesets in ${markdownText(summary.stack)}`;
  const words = headlineWords(summary);
  return words === "" ? name : `${name}: ${words}`;
}

function stackParts(summary: Summary, most: number, options: MarkdownOptions): string[] {
  if (isEmpty(summary)) return [noChangesText(summary)];
  const errors = summary.errors.map((message) => fenced(message));
  const changed = summary.resources.length + summary.drift.length === 0 ? [] : [changesText(summary)];
  return [
    `### ${headline(summary)}`,
    ...(summary.invariants ?? []).map(invariantPart),
    ...errors,
    ...(errors.length === 0 ? [] : [FAILED]),
    ...changed,
    ...[...summary.drift, ...summary.resources].flatMap((resource) => resourceParts(resource, most, options)),
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
  most: number,
  options: Pick<MarkdownOptions, "zoneNames">,
): string[] {
  const { fields = [] } = resource;
  const rules = resource.kind === "ruleset" ? resource.rules : [];
  const isQuiet = ({ change }: RuleRow): boolean => change === "unchanged" || change === "formatting";
  const grave = rules.filter((row) => !isQuiet(row));
  const quiet = rules.filter(isQuiet);
  const [shown, left] = [grave.slice(0, most), grave.slice(most)];
  return [
    title(resource, options),
    ...(fields.length === 0 ? [] : [fields.map((field) => `- ${fieldText(field)}`).join("\n")]),
    ...(shown.length === 0 ? [] : [table(shown, isDrift(resource.op))]),
    ...(left.length === 0 ? [] : [`${shown.length === 0 ? "" : "… and "}${countWords(countBy(left))} (left out)`]),
    ...quietParts(quiet, most),
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
function quietParts(rows: readonly RuleRow[], most: number): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, most);
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

function sendParts({ resources }: Summary): string[] {
  const writes = resources.flatMap((resource) => resource.writes);
  if (writes.length === 0) return [];
  const lines = writes.map(({ call, unless }) => `- ${code(call)}${unless === undefined ? "" : `, unless ${unless}`}`);
  return [`<details><summary>Writes</summary>\n\n${lines.join("\n")}\n\n</details>`];
}
