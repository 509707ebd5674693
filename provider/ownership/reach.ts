import type { Path } from "../../core/model/path.js";
import type { Words } from "./words.js";

/** What a resource manages of its ruleset, and what follows from that. */
export interface Reach {
  /** The whole ruleset, its own rules there, or the one rule that its arguments are. */
  readonly manages: "ruleset" | "rules" | "rule";
  /** Whether the ruleset may also have rules of others. */
  readonly isPart: boolean;
  /** Which rules of the ruleset a state covers: those with the resource's IDs, or all. */
  readonly covers: (ownIds: Iterable<string>) => (ruleId: string) => boolean;
  /** Whether `maxRemovedPercent` applies: removing a resource that is one rule asks for nothing else. */
  readonly isLimited: boolean;
  /** Whether a rule that somebody created again under its ref is the resource's. */
  readonly followsRef: boolean;
  /** Whether a rule is refused where it cannot have its position: otherwise the order of the list says where it goes. */
  readonly needsPosition: boolean;
  /** Whether it undoes a change of somebody else to create it again with its ruleset. */
  readonly isDeletedWithRuleset: boolean;
  /** The path in the resource's arguments of something in a list of rules: `["rules", 0, "expression"]`. */
  readonly argumentPath: (path: Path) => Path;
  /** The argument with the position of a rule. */
  readonly positionPath: (ref: string, sides?: object) => readonly string[];
  /** How messages name a rule of it. */
  readonly ruleWords: (ref: string) => string;
  readonly texts: Omit<Words, "subject">;
}

const OWN_RULES = {
  isPart: true,
  covers: (ownIds: Iterable<string>): ((ruleId: string) => boolean) => {
    const own = new Set(ownIds);
    return (ruleId) => own.has(ruleId);
  },
};

const OF_LIST = {
  isLimited: true,
  followsRef: false,
  needsPosition: false,
  isDeletedWithRuleset: false,
  argumentPath: (path: Path): Path => path,
  positionPath: (ref: string): readonly string[] => ["positions", ref],
  ruleWords: (ref: string): string => `the rule ${JSON.stringify(ref)}`,
};

const TEXTS_OF_LIST = {
  toDeclare: "add it to `rules`, at its position, or in place of the rule with its ref",
  toKeep: ' and the option ignoreChanges: ["rules"]',
};

const MOVE_RULES =
  "move them to another resource of this program: declare them existing, and add that resource to `dependsOn` of this " +
  "one, so that it is checked first";

const RULE: Reach = {
  ...OWN_RULES,
  manages: "rule",
  isLimited: false,
  followsRef: true,
  needsPosition: true,
  isDeletedWithRuleset: true,
  argumentPath: (path) => path.slice(2),
  positionPath: (_ref, sides = {}) => ["position", ...Object.keys(sides)],
  ruleWords: () => "it",
  texts: { toDeclare: "copy its values into the arguments of this resource", toKeep: "" },
};

const RULES: Reach = { ...OF_LIST, ...OWN_RULES, manages: "rules", texts: { ...TEXTS_OF_LIST, toMove: MOVE_RULES } };

/** A whole ruleset. */
export const WHOLE: Reach = {
  ...OF_LIST,
  manages: "ruleset",
  isPart: false,
  covers: () => () => true,
  texts: TEXTS_OF_LIST,
};

/** What a resource manages, as its arguments, inputs or state say. Only one that is a single rule has a `ref`. */
export function reachOf({ ref, ownership }: { readonly ref?: unknown; readonly ownership?: unknown }): Reach {
  if (ref !== undefined) return RULE;
  return ownership === "shared" ? RULES : WHOLE;
}
