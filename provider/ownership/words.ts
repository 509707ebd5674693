import type { Ownership } from "../../core/model/options.js";
import { ruleInWords } from "./rule-messages.js";

/** How messages speak of what a resource manages. */
export interface Words {
  /** What it manages. */
  readonly subject: string;
  /** Whether that is the whole ruleset, its own rules there, or the one rule that its arguments are. */
  readonly manages: "ruleset" | "rules" | "rule";
  /** How a program declares a rule that somebody else wrote or changed. */
  readonly toDeclare: string;
}

/** @param where the ruleset, as messages name it */
export function wordsOfList(where: string, ownership: Ownership): Words {
  const manages = ownership === "shared" ? "rules" : "ruleset";
  return { subject: where, manages, toDeclare: "add it to `rules`, at its position" };
}

export function wordsOfRule(ref: string, where: string): Words {
  return {
    subject: ruleInWords(ref, where),
    manages: "rule",
    toDeclare: "copy its values into the arguments of this resource",
  };
}
