import {
  RULE_CHANGES,
  type Effect,
  type FieldChange,
  type InvariantChange,
  type RuleChange,
  type RuleRow,
  type RulesetSummary,
  type Summary,
} from "./summary.js";
import type { NotJudged } from "../../../provider/validation/published-effect.js";
import { verdictWords } from "../../../core/invariants/words.js";
import { plural } from "../../../core/model/words.js";

/** What the change of a ruleset does to requests, as a sentence; undefined if nothing is known. */
export function effectSentence({ words, looser, verdict }: Effect): string | undefined {
  if (words === undefined) return undefined;
  const isProved = looser === "ruledOut" && verdict === "stricter" ? ". Stricter only" : "";
  const proof = looser === "ruledOut" ? " (proved)" : "";
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${isProved}${proof}.`;
}

/** One thing that was not judged, as a sentence. */
export function notJudgedSentence({ what, why, decidedBy }: NotJudged): string {
  return `Not judged: ${what}, because ${why}. What would decide it: ${decidedBy}.`;
}

const JUDGED = { yes: "protection is weakened", unknown: "not everything could be judged", no: "" } as const;

/** What a preview as a whole does, for its heading; empty if there is nothing to say. */
export function headlineWords({ errors, weakens, resources, drift, invariants = [] }: Summary): string {
  if (errors.length > 0) return "the preview failed";
  const violated = invariants.some(({ verdict }) => verdict === "violated") ? "an invariant is violated" : "";
  const others = drift.length > 0 ? "changed by others" : "";
  const first = [violated, others, JUDGED[weakens]].filter((words) => words !== "");
  if (first.length > 0) return first.join(", ");
  const effects = resources.flatMap(({ effect }) => (effect === undefined ? [] : [effect]));
  const isProved = effects.every(({ looser }) => looser === "ruledOut");
  if (effects.some(({ stricter }) => stricter === "shown"))
    return isProved ? "more is stopped, nothing newly allowed" : "more is stopped";
  if (effects.length > 0 && effects.every(({ verdict }) => verdict === "equivalent"))
    return "no request is treated differently";
  return effects.length > 0 && isProved ? "enforcement is not weakened" : "";
}

/** `"admin only" is violated in shop.example.com; it was proved before this change`. */
export function invariantSentence({ name, zone, verdict, before, exception }: InvariantChange): string {
  const until = exception === undefined ? "" : ` until ${exception.until} (${exception.reason})`;
  const is = `"${name}" is ${verdictWords(verdict)} in ${zone}${until}`;
  if (before === undefined) return is;
  if (before === verdict) return `${is}; as before this change`;
  return `${is}; ${before === "unknown" ? "not decided" : before} before this change`;
}

const CHANGE_WORDS: Readonly<Record<RuleChange, string>> = {
  removed: "removed",
  weakened: "weakened",
  changed: "changed",
  added: "added",
  moved: "moved",
  expired: "expired rule removed",
  formatting: "formatting only",
  unchanged: "unchanged",
};

const COUNT_WORDS: typeof CHANGE_WORDS = { ...CHANGE_WORDS, expired: "expired and removed" };

/** What the program does to a rule, or in a drift, what others did to it. */
export function changeWords({ change, foreign }: RuleRow, isDrift: boolean): string {
  if (foreign !== true)
    return isDrift && (change === "changed" || change === "weakened") ? "edited" : CHANGE_WORDS[change];
  return isDrift && change === "added" ? "foreign" : `foreign, ${CHANGE_WORDS[change]}`;
}

/** `1 removed, 2 added, 40 unchanged`. */
export function countWords(counts: Readonly<Record<RuleChange, number>>): string {
  const words = RULE_CHANGES.flatMap((change) =>
    counts[change] === 0 ? [] : [`${String(counts[change])} ${COUNT_WORDS[change]}`],
  );
  return words.length === 0 ? "no rules" : words.join(", ");
}

/** `from the end to before "admin"` for a rule that moves, `before "admin"` for a new one; empty if no place is given. */
export function placeWords({ change, from, place }: RuleRow): string {
  if (place === undefined) return "";
  if (change !== "added") return from === undefined ? `to ${place}` : `from ${from} to ${place}`;
  return /^(before|after) /.test(place) ? place : `at ${place}`;
}

/** `198.51.100.0/24 added`, with its comment; undefined for a value that changes. */
export function itemWords({ item, before, after }: FieldChange): string | undefined {
  if (item === undefined) return undefined;
  const value = before ?? after;
  const comment = typeof value === "string" && value !== "" ? ` (${JSON.stringify(value)})` : "";
  return `${item} ${before === undefined ? "added" : "removed"}${comment}`;
}

/** What `up` changes: the rules by kind of change, the lists, and the requests. */
export function changesText(summary: Summary): string {
  const { resources, drift, counts, lists } = summary;
  const hasRules = RULE_CHANGES.some((change) => counts[change] > 0);
  const changed = [
    ...(hasRules || lists === 0 ? [countWords(counts)] : []),
    ...(lists === 0 ? [] : [`${plural(lists, "list")} changed`]),
  ].join(", ");
  if (resources.length > 0 || drift.length === 0) return `${changed}. ${requestWords(summary)}`;
  return `${plural(summary.drift.length, "resource")} changed by others.`;
}

/** The line for a preview in which nothing of this package changes. */
export function noChangesText({ stack, elsewhere }: Summary): string {
  const others = elsewhere === 0 ? "" : ` (${plural(elsewhere, "change")} to resources of other packages)`;
  return `No rulesets change${stack === "" ? "" : ` in ${stack}`}${others}.`;
}

/** The number of requests that `up` would send: `2 writes`. */
function requestWords({ resources }: Summary): string {
  const writes = resources.flatMap((resource) => resource.writes);
  const maybe = writes.filter(({ unless }) => unless !== undefined).length;
  if (resources.some(({ hasUnknownWrites }) => hasUnknownWrites === true))
    return "Which writes `pulumi up` sends is not known: the preview has no plan for some resources.";
  if (writes.length === 0) return "`pulumi up` sends no write.";
  return `\`pulumi up\` sends ${maybe === 0 ? "" : "up to "}${plural(writes.length, "write")}.`;
}

export function opWords({ op }: Pick<RulesetSummary, "op">): string {
  switch (op) {
    case "create":
      return "will be created";
    case "update":
      return "will be updated";
    case "replace":
      return "will be **replaced**: deleted and created again";
    case "delete":
      return "will be **deleted**";
    case "read":
      return "is read";
    case "changed by others":
      return "was changed by others";
    case "gone":
      return "was deleted by others";
  }
}
