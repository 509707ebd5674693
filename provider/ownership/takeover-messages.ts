import type { Ruleset } from "../../core/model/ruleset.js";
import type { RulesDiff } from "../../core/rules/diff.js";
import { identityWords, timeText } from "./rule-text.js";
import type { Takeover } from "./takeover.js";

/** Whether a program wrote the rules: programs set refs, while rules made in the dashboard have their IDs as refs. */
export function isWrittenByProgram({ rules }: Pick<Ruleset, "rules">): boolean {
  return rules.some(({ id, ref }) => ref !== "" && ref !== id);
}

/** Why a ruleset may be taken over: the program asks for it, another resource of the stack managed it, or it is equal. */
export type TakeoverGrounds =
  | { readonly kind: "requested" | "equal" }
  | { readonly kind: "inherited"; readonly urn: string };

function groundsLines(deployed: Ruleset, grounds: TakeoverGrounds): string[] {
  switch (grounds.kind) {
    case "requested":
      return [];
    case "inherited":
      return [`  ${grounds.urn} of this stack managed it before.`];
    case "equal":
      return [
        ...(isWrittenByProgram(deployed)
          ? [`  A program wrote them${lastChanged(deployed)}, perhaps that of another stack.`]
          : []),
        '  A delete leaves them in place until this stack has changed them or sets onExisting: "adopt".',
      ];
  }
}

function lastChanged({ lastUpdated }: Ruleset): string {
  return lastUpdated === undefined ? "" : ` (last changed ${timeText(lastUpdated)})`;
}

/** A ruleset that is taken over, which rules it gets and which it moves, and why. */
interface RulesetTakenOver extends Pick<RulesDiff, "added" | "moved"> {
  readonly deployed: Ruleset;
  readonly takeover: Takeover;
  readonly grounds: TakeoverGrounds;
}

/** `takes over <id>, version 12: 14 kept, 1 changed, 0 dropped, 2 added`. */
function takeoverLine({ deployed, takeover, added, moved }: RulesetTakenOver): string {
  const { kept, changed, dropped } = takeover;
  const counts = [
    `${String(kept.length)} kept`,
    `${String(changed.length)} changed`,
    `${String(dropped.length)} dropped`,
    ...(added.length > 0 ? [`${String(added.length)} added`] : []),
    ...(moved.length > 0 ? [`${String(moved.length)} moved`] : []),
  ];
  return `takes over ${deployed.id}, version ${deployed.version}: ${counts.join(", ")}`;
}

/** What a takeover does: a summary line, who managed the ruleset, and which rules change or are dropped. */
export function takeoverText(taken: RulesetTakenOver): string {
  const { deployed, takeover, grounds } = taken;
  return [
    takeoverLine(taken),
    ...groundsLines(deployed, grounds),
    ...takeover.changed.map(({ rule, fields }) => `  ~ ${rule.ref}: ${fields.join(", ")}`),
    ...takeover.dropped.map((rule) => `  - ${identityWords(rule)}`),
  ].join("\n");
}
