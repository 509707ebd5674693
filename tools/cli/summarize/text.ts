import {
  isDrift,
  isEmpty,
  unsaidFields,
  zoneIn,
  type FieldChange,
  type InvariantChange,
  type OtherSummary,
  type RuleRow,
  type RulesetSummary,
  type Summary,
  type ZoneNames,
} from "./summary.js";
import {
  changesText,
  changeWords,
  effectSentence,
  invariantSentence,
  itemWords,
  noChangesText,
  notJudgedSentence,
  opWords,
  placeWords,
} from "./words.js";

/** Renders previews for a terminal. */
export function renderText(summaries: readonly Summary[], zoneNames?: ZoneNames): string {
  return summaries.map((summary) => stackText(summary, zoneNames)).join("\n\n");
}

function stackText(summary: Summary, zoneNames?: ZoneNames): string {
  if (isEmpty(summary)) return noChangesText(summary);
  const { stack, errors, drift, resources } = summary;
  const changed = drift.length + resources.length > 0 || errors.length === 0;
  return [
    ...(summary.invariants ?? []).map(invariantText),
    ...(errors.length === 0 ? [] : [`The preview${stack === "" ? "" : ` of ${stack}`} failed:`, ...errors]),
    ...(changed ? [`${stack === "" ? "" : `${stack}: `}${plain(changesText(summary))}`] : []),
    ...[...summary.drift, ...summary.resources].map((resource) => resourceText(resource, zoneNames)),
  ].join("\n\n");
}

function invariantText(one: InvariantChange): string {
  return [`Invariant ${invariantSentence(one)}:`, one.words, ...one.lines.map((line) => `  ${line}`)].join("\n  ");
}

/** What changes in a resource, or what others changed in it. */
export function resourceText(resource: RulesetSummary | OtherSummary, zoneNames?: ZoneNames): string {
  const rules = resource.kind === "ruleset" ? resource.rules : [];
  const rows = rules.filter(({ change }) => change !== "unchanged");
  return [
    head(resource, zoneNames),
    ...(resource.fields ?? []).map((field) => `  ${fieldText(field)}`),
    ...rows.map((row) => rowText(row, isDrift(resource.op))),
    ...effectLines(resource),
    ...noteLines(resource),
    ...writeLines(resource),
  ].join("\n");
}

function effectLines({ effect }: RulesetSummary | OtherSummary): string[] {
  if (effect === undefined) return [];
  const words = effectSentence(effect);
  return [
    ...(words === undefined ? [] : [words]),
    ...effect.witnesses.map((witness) => `  ${witness}`),
    ...effect.notJudged.map(notJudgedSentence),
  ].map((line) => `  ${line}`);
}

function noteLines({ notes }: RulesetSummary | OtherSummary): string[] {
  return notes.map((note) => `  ${note.replaceAll("\n", "\n  ")}`);
}

function head(resource: RulesetSummary | OtherSummary, zoneNames: ZoneNames = new Map()): string {
  const scope = zoneNames.get(zoneIn(resource)) ?? resource.scope;
  const place = scope === "" ? "" : ` of ${scope}`;
  return `${resource.title}${place} (${resource.resource}) ${plain(opWords(resource))}:`;
}

function rowText(row: RuleRow, isDrift: boolean): string {
  const also = row.moved && row.change !== "moved" ? ", moved" : "";
  const why = row.reasons.length === 0 ? "" : ` (${row.reasons.map(({ text }) => text).join("; ")})`;
  const fields = unsaidFields(row)
    .map((field) => `\n      ${fieldText(field)}`)
    .join("");
  const what = row.fields.length > 0 || row.expression === undefined ? "" : `: ${row.action} when ${row.expression}`;
  const to = placeWords(row);
  return `  ${changeWords(row, isDrift)}${also} ${JSON.stringify(row.name)}${to === "" ? "" : ` ${to}`}${why}${what}${fields}`;
}

function fieldText(change: FieldChange): string {
  const { field, before, after, names } = change;
  const item = itemWords(change);
  if (item !== undefined) return item;
  if (before === undefined && after === undefined) return `${field} changes`;
  const show = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));
  return `${field}: ${show(before)} → ${show(after)}${names === undefined ? "" : `; ${names}`}`;
}

function writeLines({ writes }: RulesetSummary | OtherSummary): string[] {
  return writes.map(({ call, unless }) => `  sends ${call}${unless === undefined ? "" : `, unless ${unless}`}`);
}

/** Removes Markdown formatting. */
function plain(text: string): string {
  return text.replace(/\*\*/g, "");
}
