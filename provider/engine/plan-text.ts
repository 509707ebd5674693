import { mapFrom } from "../model/json.js";
import type { PlannedRequest, PreviewPlan, TakenOver, Unseen } from "./preview-plan.js";

/*
 * What a provider tells whoever reads the output of the engine, as text that people can read and that parses back.
 * A published plan is a message of the preview, because nothing else that a provider says before `pulumi up` reaches
 * `pulumi preview --json`: one statement a line. What a delete made is a progress line of `pulumi up --json`.
 */

const LINE = "plan: ";
const SENDS = "sends ";
const NOTHING = "nothing";
const UNLESS = ", unless ";
const HAS_VERSION = "; the ruleset has version ";
const TAKES_OVER = "takes over ";
const CHANGES = "takes over and changes ";
const UNDOES = "undoes changes by others";
const NOT_READ = "could not find out ";

/** The message that publishes a plan. */
export function planText({ writes, replaces, ruleset, rules, unseen }: PreviewPlan): string {
  const [first = `${SENDS}${NOTHING}`, ...others] = runsOf(writes).map(([write, times]) => sends(write, times));
  return [
    replaces === undefined || writes.length === 0 ? first : `${first}${HAS_VERSION}${replaces}`,
    ...others,
    ...(ruleset === undefined ? [] : [takes(ruleset, `ruleset ${ruleset.id}`)]),
    ...Object.entries(rules).map(([ref, rule]) => takes(rule, `rule ${rule.id} as ${JSON.stringify(ref)}`)),
    ...unseen.map((one) => (one === "changes by others" ? UNDOES : `${NOT_READ}${one.notRead.replace(/\s+/g, " ")}`)),
  ]
    .map((statement) => `${LINE}${statement}`)
    .join("\n");
}

function sends({ call, unless }: PlannedRequest, times: number): string {
  const often = times === 1 ? "" : ` (${String(times)} times)`;
  return `${SENDS}${call}${often}${unless === undefined ? "" : `${UNLESS}${unless}`}`;
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
  for (const statement of statements) {
    if (statement === undefined) return undefined;
    const taken = takenIn(statement);
    if (statement.startsWith(SENDS)) {
      const [sent = "", version] = statement.slice(SENDS.length).split(HAS_VERSION);
      writes.push(...writesIn(sent));
      replaces ??= version;
    } else if (taken?.ref !== undefined) rules.push([taken.ref, taken.object]);
    else if (taken !== undefined) ruleset = taken.object;
    else if (statement === UNDOES) unseen.push("changes by others");
    else if (statement.startsWith(NOT_READ)) unseen.push({ notRead: statement.slice(NOT_READ.length) });
    else return undefined;
  }
  return {
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
  const [, call = head, times = "1"] = /^(.*) \((\d+) times\)$/.exec(head) ?? [];
  return Array.from({ length: Number(times) }, () => ({ call, ...(unless === undefined ? {} : { unless }) }));
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
