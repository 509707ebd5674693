import type { Ruleset } from "../model/ruleset.js";
import { shownRuleWords, timeText } from "./paste.js";
import type { Shown } from "./shown.js";
import { takeoverLine, type Takeover } from "./takeover.js";

/** Whether a resource of the vendor's package holds a ruleset in this stack, as far as its state can be read. */
export type OtherHolder = { readonly kind: "none" | "unknown" } | { readonly kind: "known"; readonly urn: string };

function otherHolderLines(other: OtherHolder): string[] {
  switch (other.kind) {
    case "none":
      return [];
    case "known":
      return [
        `  ${other.urn} of this stack holds it too. Removed in the same run, it deletes it: use aliases instead, or remove it ` +
          "with retainOnDelete.",
      ];
    case "unknown":
      return [
        "  If another resource of this stack, such as one of the vendor's package, still manages this ruleset and is removed in " +
          "the same run, it deletes it: use aliases instead, or remove it with retainOnDelete.",
      ];
  }
}

/** Whether a program wrote rules: it gives them refs, while those made in the dashboard have their ids for one. */
export function isWrittenByProgram({ rules }: Pick<Ruleset, "rules">): boolean {
  return rules.some(({ id, ref }) => ref !== "" && ref !== id);
}

/** By what right a ruleset is taken over: the program says so, another resource of the stack held it, or it is equal. */
export type Right = { readonly kind: "asked" | "equal" } | { readonly kind: "handedOn"; readonly urn: string };

function rightLines(existing: Ruleset, right: Right): string[] {
  switch (right.kind) {
    case "asked":
      return [];
    case "handedOn":
      return [`  ${right.urn} of this stack managed it before.`];
    case "equal":
      return [
        ...(isWrittenByProgram(existing)
          ? [`  A program gave them refs, so they seem to belong to somebody else${lastChanged(existing)}.`]
          : []),
        '  A delete leaves them, until this stack has changed them or says onExisting: "adopt".',
      ];
  }
}

function lastChanged({ lastUpdated }: Ruleset): string {
  return lastUpdated === undefined ? "" : `, last changed ${timeText(lastUpdated)}`;
}

/** A ruleset that is taken over, by what right, and who else holds it. */
export interface TakenOver {
  readonly existing: Ruleset;
  readonly takeover: Takeover;
  readonly right: Right;
  readonly other: OtherHolder;
}

/** What a takeover does, in a line, whose it is, what changes or goes, by rule, and who might still take it away. */
export function takeoverText({ existing, takeover, right, other }: TakenOver, shown: Shown): string {
  return [
    takeoverLine(existing, takeover),
    ...rightLines(existing, right),
    ...otherHolderLines(other),
    ...takeover.changed.map(({ rule, fields }) => `  ~ ${rule.ref}: ${fields.join(", ")}`),
    ...takeover.dropped.map((rule) => `  - ${shownRuleWords(rule, shown)}`),
  ].join("\n");
}
