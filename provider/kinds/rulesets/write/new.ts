import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../../core/model/errors.js";
import { orderText } from "../../../../core/model/ids.js";
import { mapFrom } from "../../../../core/model/json.js";
import { parseRule } from "../../../../core/model/parse-rule.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import { contentOf } from "../../../../core/rules/content.js";
import { diffRules, withoutForm } from "../../../../core/rules/diff.js";
import { keyedEntries, NO_RULES, rulesByRef } from "../../../../core/rules/keyed.js";
import type { Desired } from "../desired.js";
import { editOf, planWhole, type Change, type There } from "../plan/change.js";
import { planChange, planRules, type RulesChange } from "../plan/rules.js";
import { runRecord } from "../run.js";
import { NOTHING_KNOWN, parseState, stateFrom, type ParsedState } from "../state.js";
import { newResourceOf, resolveJoin, type NewResource } from "../takeover.js";
import { judgeForeignChanges } from "./conflicts.js";

/** What a new resource does where it will be. */
export interface NewChange<C extends Change = Change> {
  readonly change: C;
  /** The existing rules that it has from then on, where it shares a ruleset that exists. */
  readonly join?: Join;
  /** Why it must not be created again: that would undo what somebody has changed since. */
  readonly undoes: RulesetsError | undefined;
}

/** What is already known of a new resource that shares its ruleset. */
interface KnownOfNew {
  /** @default what the program wants */
  readonly resource?: NewResource;
  /** The rules that belong to it. @default they are found out */
  readonly join?: Join | undefined;
}

/** Plans a new resource, also one that is created again. */
export function planNew(session: Session, desired: Desired, there: There, known: KnownOfNew = {}): NewChange {
  const { deployed } = there;
  const fromNothing = { before: NOTHING_KNOWN, desired, difference: undefined, isNew: true };
  if (deployed === undefined) return { change: planChange(fromNothing, there), undoes: undefined };
  if (desired.policy.ownership === "shared") return planJoin(session, desired, { ...there, deployed }, known);
  return { change: planWhole(fromNothing, there), undoes: findRecreateConflict(session, desired, there, deployed) };
}

/** The same of one that joins a ruleset which it will share. */
export function planJoin(
  session: Session,
  desired: Desired,
  there: RulesChange["there"],
  { resource = newResourceOf(desired), join: known }: KnownOfNew,
): NewChange<RulesChange> & { readonly join: Join } {
  const { deployed } = there;
  const undoes = findRecreateConflict(session, desired, there, deployed);
  const join = known ?? resolveJoin(session, resource, deployed);
  const before = stateOfKept(desired, deployed, join);
  // What is only spelled otherwise is not written.
  const difference = withoutForm(diffRules(before.declared, desired.rules ?? NO_RULES));
  return { change: planRules({ before, desired, difference, isNew: true }, there), join, undoes };
}

/**
 * Why a resource cannot be created again over its own ruleset: somebody has changed it since the stack last read it, and an
 * update would stop at that too. Warns instead if overwriting is requested.
 */
function findRecreateConflict(
  session: Session,
  desired: Desired,
  there: There,
  { id, version }: Ruleset,
): RulesetsError | undefined {
  const before = runRecord(session).stateOf(desired.urn, id);
  if (desired.rules === undefined || before === undefined) return undefined;
  // A resource that is one rule becomes another one under another ref.
  const isOther = desired.words.manages === "rule" && before.declared.order.join() !== desired.rules.order.join();
  if (isOther) return undefined;
  const { conflict } = planChange(editOf({ before, desired }), there).notes;
  return judgeForeignChanges(session, desired, { version, conflict, operation: "change", state: before.state });
}

/** What a new resource knew: nothing but the existing rules that it keeps. It is planned like a change from there. */
function stateOfKept(desired: Desired, existing: Ruleset, { kept }: Pick<Join, "kept">): ParsedState {
  const order = desired.rules?.order ?? [];
  const named = new Map(
    kept.flatMap(({ index, rule, grounds }) => {
      const { [index]: ref } = order;
      return ref === undefined ? [] : [[rule.id, { ref, grounds }] as const];
    }),
  );
  const own = existing.rules.flatMap((rule) => {
    const known = named.get(rule.id);
    return known === undefined ? [] : [{ ...known, rule }];
  });
  const keyed = keyedEntries(own.map(({ ref, rule }) => ({ ref, rule: parseRule(contentOf(rule)) })));
  const { name, phase, description } = existing;
  const secrets = desired.secrets.__secretPaths;
  const inputs = {
    ...{ name, phase, description, ownership: "shared" as const },
    ...{ rules: rulesByRef(keyed), order: orderText(keyed.order) },
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
  return parseState({
    ...stateFrom(inputs, existing, new Map(own.map(({ ref, rule }) => [ref, rule.ref])), keyed),
    // Every existing rule is stored with its content here; the state after the write leaves out rules that are not the
    // program's.
    __answers: mapFrom(existing.rules.map((rule) => [rule.id, contentOf(rule)] as const)),
    __takenOver: own.flatMap(({ ref, grounds }) => (grounds === "equal" ? [ref] : [])),
  });
}
