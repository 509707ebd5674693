import { readEach } from "../../provider/model/file-error.js";
import { isObject } from "../../provider/model/json.js";
import { findNearest } from "../../provider/validation/failure.js";
import { isDay } from "../../provider/model/day.js";
import type { FilePlace, Steps, TextDocument } from "../../provider/files/text-document.js";
import { FINDING_NAMES } from "./checks.js";
import type { ReportedFinding } from "./finding.js";

/** Accepts findings of one kind that have been reviewed. */
export interface Waiver {
  /** The name of the finding. */
  readonly finding: string;
  readonly reason: string;
  /** Ref, ID or description of the rule it applies to. @default every rule */
  readonly rule?: string;
  /** The ruleset it applies to, by its name in reports. @default every ruleset */
  readonly ruleset?: string;
  /** The last day on which it applies, `YYYY-MM-DD`. @default no end */
  readonly until?: string;
  readonly place: FilePlace;
}

const MEMBERS = ["finding", "reason", "rule", "ruleset", "until"];

/**
 * The waivers in a YAML or JSON file.
 * @throws Error with the line of the mistake
 */
export function waiversOf(document: TextDocument): readonly Waiver[] {
  const list = isObject(document.value) ? document.value.waivers : undefined;
  if (!Array.isArray(list)) {
    throw document.errorAt([], "must have a list `waivers` of { finding, reason, rule, ruleset, until }");
  }
  return readEach(list as unknown[], (item, index) => readWaiver(document, item, ["waivers", index]));
}

function readWaiver(document: TextDocument, item: unknown, at: Steps): Waiver {
  if (!isObject(item)) throw document.errorAt(at, "must be an object with finding and reason");
  const { finding, reason, until } = item;
  const refuse = (name: string, why: string, instead?: string): Error =>
    document.errorAt([...at, name], why, { instead });
  document.rejectUnknownMembers(item, MEMBERS, at, "a waiver");
  if (typeof finding !== "string" || !Object.hasOwn(FINDING_NAMES, finding)) {
    const near = typeof finding === "string" ? findNearest(finding, Object.keys(FINDING_NAMES)) : undefined;
    throw refuse(
      "finding",
      `must be the name of a finding${near === undefined ? "" : `; did you mean ${near}?`}`,
      near,
    );
  }
  if (typeof reason !== "string" || reason.trim() === "")
    throw refuse("reason", "is required: say why the finding is accepted");
  if (until !== undefined && !(typeof until === "string" && isDay(until)))
    throw refuse("until", "must be a day such as 2026-12-31");
  const text = (name: "rule" | "ruleset"): string | undefined => {
    const value = item[name];
    if (value !== undefined && typeof value !== "string") throw refuse(name, "must be a string");
    return value;
  };
  return { finding, reason, until, rule: text("rule"), ruleset: text("ruleset"), place: document.place(at) };
}

/** Findings with their waivers, and waivers that match nothing or have expired. */
export interface Waived {
  readonly findings: readonly ReportedFinding[];
  readonly unused: readonly { readonly waiver: Waiver; readonly why: "matches nothing" | "has expired" }[];
}

/** @param today `YYYY-MM-DD` */
export function applyWaivers(findings: readonly ReportedFinding[], waivers: readonly Waiver[], today: string): Waived {
  const isOver = ({ until }: Waiver): boolean => until !== undefined && until < today;
  const used = new Set<Waiver>();
  const marked = findings.map((finding) => {
    const waiver = waivers.find((one) => !isOver(one) && covers(one, finding));
    if (waiver === undefined) return finding;
    used.add(waiver);
    return { ...finding, waived: { reason: waiver.reason, until: waiver.until } };
  });
  const unused = waivers
    .filter((waiver) => !used.has(waiver))
    .map((waiver) => ({ waiver, why: isOver(waiver) ? ("has expired" as const) : ("matches nothing" as const) }));
  return { findings: marked, unused };
}

function covers({ finding: name, rule, ruleset }: Waiver, finding: ReportedFinding): boolean {
  if (name !== finding.name) return false;
  if (ruleset !== undefined && ruleset !== finding.ruleset) return false;
  const names = finding.rule === undefined ? [] : Object.values(finding.rule);
  return rule === undefined || names.includes(rule);
}
