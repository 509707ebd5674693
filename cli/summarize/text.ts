import type { FieldChange, OtherSummary, RuleRow, RulesetSummary, Summary } from "./summary.js";
import { CHANGE_WORDS, countWords, noChangesText, opWords, placeWords, requestWords, VERDICTS } from "./words.js";

/** Renders previews for a terminal. */
export function renderText(summaries: readonly Summary[]): string {
  return summaries.map(stackText).join("\n\n");
}

function stackText(summary: Summary): string {
  if (summary.errors.length === 0 && summary.resources.length === 0) return noChangesText(summary);
  const failed = summary.errors.length === 0 ? [] : ["The preview failed:", ...summary.errors];
  return [
    ...failed,
    `${summary.stack === "" ? "" : `${summary.stack}: `}${countWords(summary.counts)}. ${plain(requestWords(summary))}`,
    ...summary.resources.map((resource) => (resource.kind === "ruleset" ? rulesetText(resource) : otherText(resource))),
  ].join("\n\n");
}

function rulesetText(resource: RulesetSummary): string {
  const rows = resource.rules.filter(({ change }) => change !== "unchanged");
  return [
    head(resource),
    ...(resource.pending ? ["  The rules are not known before `pulumi up`."] : []),
    ...rows.map(rowText),
    ...(resource.effect === undefined ? [] : [`  ${VERDICTS[resource.effect.verdict]}`]),
    ...(resource.effect?.witnesses ?? []).map((witness) => `    ${witness}`),
    ...writeLines(resource),
  ].join("\n");
}

function otherText(resource: OtherSummary): string {
  return [head(resource), ...resource.fields.map((field) => `  ${fieldText(field)}`), ...writeLines(resource)].join(
    "\n",
  );
}

function head(resource: RulesetSummary | OtherSummary): string {
  const place = resource.scope === "" ? "" : ` of ${resource.scope}`;
  return `${resource.title}${place} (${resource.resource}) ${plain(opWords(resource))}:`;
}

function rowText(row: RuleRow): string {
  const also = row.moved && row.change !== "moved" ? ", moved" : "";
  const why = row.weakens === undefined || row.change === "removed" ? "" : ` (${row.weakens})`;
  const fields = row.fields.map((field) => `\n      ${fieldText(field)}`).join("");
  const what = row.fields.length > 0 || row.expression === undefined ? "" : `: ${row.action} when ${row.expression}`;
  const to = placeWords(row);
  return `  ${CHANGE_WORDS[row.change]}${also} ${JSON.stringify(row.name)}${to === "" ? "" : ` ${to}`}${why}${what}${fields}`;
}

function fieldText({ field, before, after, names }: FieldChange): string {
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
