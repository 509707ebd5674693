import type { WireRule } from "../../support/emulator.js";
import { declaredRules, phase } from "../declared-rules.js";
import type { ProgramArgs } from "../rules-program.js";

/** A change of a program, each write of which the matrix lets fail. */
export interface Subject {
  readonly name: string;
  /** Whether others have rules in the same ruleset. */
  readonly isShared: boolean;
  readonly from: ProgramArgs;
  readonly to: ProgramArgs;
}

/** Every change of rulesets: creating, changing and deleting each kind, and moving rules between them. */
export function subjectsFor({ zoneId }: { readonly zoneId: string }): readonly Subject[] {
  const { listed, single, list } = declaredRules(() => ({ zoneId }));
  const changed = { expression: "ssl" };
  const whole = (...rules: object[]) => ({ kind: "PhaseEntrypoint", zoneId, phase, rules });
  const custom = (...rules: object[]) => ({
    kind: "Ruleset",
    zoneId,
    name: "mine",
    rulesetKind: "custom",
    phase,
    rules,
  });
  const programs: Readonly<Record<string, readonly [isShared: boolean, one: ProgramArgs, other: ProgramArgs]>> = {
    "a shared list": [true, { list: list(["k1", "k2", "k3"]) }, { list: list(["k3", listed("k1", changed), "n1"]) }],
    "single rules": [
      true,
      { k1: single("k1"), k2: single("k2"), k3: single("k3") },
      { k1: single("k1", changed), n1: single("n1", { position: { before: "f2" } }), k3: single("k3", FIRST) },
    ],
    "rules that move to a list": [
      true,
      { k1: single("k1"), k2: single("k2"), list: list(["k3"]) },
      { list: { ...list([listed("k1", changed), "k3", "k2"]), onExisting: "adopt" } },
    ],
    "rules that leave a list": [
      true,
      { list: list(["k1", "k2", "k3"]) },
      { list: list([listed("k3", changed)]), k1: single("k1", changed), k2: single("k2") },
    ],
    "a whole entry point": [
      false,
      { whole: whole(listed("k1"), listed("k2")) },
      { whole: whole(listed("k2"), listed("k1", changed), listed("n1")) },
    ],
    "a custom ruleset": [
      false,
      { custom: custom(listed("k1"), listed("k2")) },
      { custom: custom(listed("k2"), listed("k1", changed)) },
    ],
  };
  return Object.entries(programs).flatMap(([name, [isShared, one, other]]) => [
    { name: `creating ${name}`, isShared, from: {}, to: one },
    { name: `changing ${name}`, isShared, from: one, to: other },
    { name: `deleting ${name}`, isShared, from: other, to: {} },
  ]);
}

const FIRST = { position: { before: "" } };

/** The declared rules of a program, by ref. */
export function declaredIn(program: ProgramArgs): ReadonlyMap<string, WireRule> {
  const rules = Object.values(program).flatMap((args) =>
    Array.isArray(args.rules) ? (args.rules as WireRule[]) : [args as WireRule],
  );
  return new Map(rules.map((rule) => [String(rule.ref), rule]));
}

/** The refs of each list, in the declared order. */
export function ordersIn(program: ProgramArgs): readonly (readonly string[])[] {
  return Object.values(program).flatMap(({ rules }) =>
    Array.isArray(rules) ? [(rules as WireRule[]).map(({ ref }) => String(ref))] : [],
  );
}
