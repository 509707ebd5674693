import { mapFrom } from "../../core/model/json.js";
import type { PlannedRequest, PreviewPlan, TakenOver, Unseen } from "./preview-plan.js";

/*
 * What a provider tells whoever reads the output of the engine, as text that people can read and that parses back.
 * A published plan is a message of the preview, because nothing else that a provider says before `pulumi up` reaches
 * `pulumi preview --json`: one line, with another one for each thing that is unusual. What a delete made is a progress line of
 * `pulumi up --json`.
 */

const LINE = "plan: ";
const SENDS = "sends ";
const NOTHING = "nothing";
const ALSO = ", ";
const UNLESS = ", unless ";
const HAS_VERSION = "; the ruleset has version ";
const TAKES_OVER = "takes over ";
const CHANGES = "takes over and changes ";
const UNDOES = "undoes changes by others";
const NOT_READ = "could not find out ";
const BECAUSE = ", because ";
const COUNTS = /^(\+\d+ ~\d+.*?\d unchanged); (.*)$/;

/** The message that publishes a plan: `plan: +0 ~1 (expression) -0, 2 unchanged; sends PUT …; the ruleset has version 3`. */
export function planText({ counts, writes, replaces, ruleset, rules, unseen }: PreviewPlan): string {
  const [first = `${SENDS}${NOTHING}`, ...others] = requestLines(writes);
  return [
    [
      ...(counts === undefined ? [] : [`${counts}; `]),
      first,
      ...(replaces === undefined || writes.length === 0 ? [] : [HAS_VERSION, replaces]),
    ].join(""),
    ...others,
    ...(ruleset === undefined ? [] : [takes(ruleset, `ruleset ${ruleset.id}`)]),
    ...Object.entries(rules).map(([ref, rule]) => takes(rule, `rule ${rule.id} as ${JSON.stringify(ref)}`)),
    ...unseen.map(unseenText),
  ]
    .map((statement) => `${LINE}${statement}`)
    .join("\n");
}

/** One line for all requests in a row that are certainly sent, and one for each condition. */
function requestLines(writes: readonly PlannedRequest[]): readonly string[] {
  const lines: { readonly calls: string[]; readonly unless: string | undefined }[] = [];
  for (const [{ call, unless }, times] of runsOf(writes)) {
    const text = times === 1 ? call : `${call} (${String(times)} times)`;
    const last = lines.at(-1);
    if (last !== undefined && last.unless === undefined && unless === undefined) last.calls.push(text);
    else lines.push({ calls: [text], unless });
  }
  return lines.map(
    ({ calls, unless }) => `${SENDS}${calls.join(ALSO)}${unless === undefined ? "" : `${UNLESS}${unless}`}`,
  );
}

/** `could not find out whether the phase is free, because GET …: 503`. */
export function unseenText(unseen: Unseen): string {
  if (unseen === "changes by others") return UNDOES;
  const { notRead, why } = unseen;
  return `${NOT_READ}${notRead}${why === undefined ? "" : `${BECAUSE}${why}`}`.replace(/\s+/g, " ");
}

function notReadIn(text: string): Unseen {
  const [notRead = "", ...why] = text.split(BECAUSE);
  return { notRead, ...(why.length === 0 ? {} : { why: why.join(BECAUSE) }) };
}

function takes({ changes }: TakenOver, what: string): string {
  return `${changes ? CHANGES : TAKES_OVER}${what}`;
}

/** Equal requests in a row, and how many there are. */
function runsOf(writes: readonly PlannedRequest[]): (readonly [PlannedRequest, number])[] {
  const runs: [PlannedRequest, number][] = [];
  for (const write of writes) {
    const last = runs.at(-1);
    if (last !== undefined && last[0].call === write.call && last[0].unless === write.unless) last[1] += 1;
    else runs.push([write, 1]);
  }
  return runs;
}

/** The plan that a message publishes. Undefined for any other message, and for the plan of another version. */
export function parsePlan(message: string): PreviewPlan | undefined {
  const statements = message.split("\n").map((line) => (line.startsWith(LINE) ? line.slice(LINE.length) : undefined));
  const writes: PlannedRequest[] = [];
  const rules: [string, TakenOver][] = [];
  const unseen: Unseen[] = [];
  let ruleset: TakenOver | undefined;
  let replaces: string | undefined;
  let counts: string | undefined;
  for (const line of statements) {
    if (line === undefined) return undefined;
    const [, counted, statement = line] = COUNTS.exec(line) ?? [];
    counts ??= counted;
    const taken = takenIn(statement);
    if (statement.startsWith(SENDS)) {
      const [sent = "", version] = statement.slice(SENDS.length).split(HAS_VERSION);
      writes.push(...writesIn(sent));
      replaces ??= version;
    } else if (taken?.ref !== undefined) rules.push([taken.ref, taken.object]);
    else if (taken !== undefined) ruleset = taken.object;
    else if (statement === UNDOES) unseen.push("changes by others");
    else if (statement.startsWith(NOT_READ)) unseen.push(notReadIn(statement.slice(NOT_READ.length)));
    else return undefined;
  }
  return {
    ...(counts === undefined ? {} : { counts }),
    writes,
    ...(replaces === undefined ? {} : { replaces }),
    ...(ruleset === undefined ? {} : { ruleset }),
    rules: mapFrom(rules),
    unseen,
  };
}

function writesIn(text: string): PlannedRequest[] {
  if (text === NOTHING) return [];
  const at = text.indexOf(UNLESS);
  const [head, unless] = at === -1 ? [text] : [text.slice(0, at), text.slice(at + UNLESS.length)];
  return head.split(ALSO).flatMap((part) => {
    const [, call = part, times = "1"] = /^(.*) \((\d+) times\)$/.exec(part) ?? [];
    return Array.from({ length: Number(times) }, () => ({ call, ...(unless === undefined ? {} : { unless }) }));
  });
}

function takenIn(statement: string): { readonly ref?: string; readonly object: TakenOver } | undefined {
  const found = /^takes over (and changes )?(?:ruleset (\S+)|rule (\S+) as (".*"))$/.exec(statement);
  if (found === null) return undefined;
  const [, changes, ruleset, rule = "", ref = ""] = found;
  const object = { id: ruleset ?? rule, changes: changes !== undefined };
  return ruleset === undefined ? { ref: refIn(ref), object } : { object };
}

/** A ref in which a secret was hidden may no longer be JSON. */
function refIn(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The progress line of `pulumi up` that tells which version of a ruleset a delete has made. Nothing else says it. */
export function deletionText({ id, version }: { readonly id: string; readonly version: string }): string {
  return `deleted, which made version ${version} of ruleset ${id}`;
}

/** The version that a delete has made, if a progress line tells it. */
export function parseDeletion(line: string): { readonly rulesetId: string; readonly version: string } | undefined {
  const [, version, rulesetId] = /^deleted, which made version (\d+) of ruleset (\S+)$/.exec(line) ?? [];
  return version === undefined || rulesetId === undefined ? undefined : { rulesetId, version };
}
