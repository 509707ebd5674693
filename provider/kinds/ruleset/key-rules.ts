import type { AssignedRefs } from "../../rules/assign-refs.js";
import type { KnownRule, WantedRule } from "../../rules/match.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { mapFrom, own, sameJson, type Json } from "../../model/json.js";
import { valueAt, withValueAt, type Path } from "../../model/path.js";
import { blur, isUnknown } from "../../model/unknown.js";
import type { IgnoredField } from "../../validation/index.js";
import type { CheckRequest } from "./check-request.js";
import { keyedRules, orderText, type CheckedInputs } from "./model.js";
import { pathsByRule } from "../../engine/secrets.js";

/** The rules a program may be matched with: those of its last checked inputs. */
export function knownFromOlds(olds: CheckedInputs): KnownRule[] {
  const { rules, order } = keyedRules(olds);
  return order.map((ref) => {
    const rule = rules[ref] ?? {};
    const declared = own(olds.__declared ?? {}, ref);
    const id = (rule as { id?: string }).id;
    return { ref, rule, ...(id === undefined ? {} : { id }), ...(declared === undefined ? {} : { declared }) };
  });
}

/** A ref of the program that would make a new rule of an old one. */
export function refChangeText(change: AssignedRefs["changes"][number]): string {
  return (
    `rules[${String(change.index)}].ref: the service knows this rule as ${JSON.stringify(change.present)}; under the ref ` +
    `${JSON.stringify(change.ref)} it becomes a new rule with a new id. To keep its id write ref: ${JSON.stringify(change.present)}.`
  );
}

/** Rules by ref, ignored fields set back to what they were, and where secrets stand. */
export function keyRules(
  request: CheckRequest,
  wanted: readonly WantedRule[],
  { refs }: AssignedRefs,
  ignored: readonly IgnoredField[],
): Pick<CheckedInputs, "rules" | "order" | "__secretPaths"> {
  const { rules: before, order } = keyedRules(request.olds);
  const entries = wanted.map((rule, index) => {
    const ref = refs[index] ?? "";
    const kept = ignored
      .filter((field) => field.ref === ref)
      .reduce<Json | undefined>(
        (current, { steps }) => {
          const old = valueAt(before[ref], steps) as Json | undefined;
          return before[ref] === undefined ? current : withValueAt(current, steps, old);
        },
        isUnknown(rule) && before[ref] !== undefined ? blur(before[ref] as unknown as Json) : (rule as Json),
      );
    return [ref, kept as unknown as RulesetRule] as const;
  });
  const pathsIn = pathsByRule(request.secretPaths);
  const paths = refs.flatMap((ref, index) => {
    const inRule = [...pathsIn(index), ...keptPaths(request.olds?.__secretPaths?.[ref] ?? [], ref, ignored)];
    return inRule.length === 0 ? [] : [[ref, inRule] as const];
  });
  return {
    rules: mapFrom(entries),
    order: orderText(request.keepsOrder ? keptOrder(order, refs) : refs),
    ...(paths.length === 0 ? {} : { __secretPaths: mapFrom(paths) }),
  };
}

/** Where secrets stand in what an ignored field keeps of a rule; all of it, where it was inside of a secret. */
function keptPaths(before: readonly Path[], ref: string, ignored: readonly IgnoredField[]): Path[] {
  const fields = ignored.filter((field) => field.ref === ref);
  return fields.flatMap(({ steps }) =>
    before.flatMap((path) => {
      const common = Math.min(path.length, steps.length);
      const along = sameJson(path.slice(0, common), steps.slice(0, common));
      return along ? [path.length > steps.length ? path : steps] : [];
    }),
  );
}

/** The order there was; a new rule stands behind the one that the program puts before it. */
function keptOrder(before: readonly string[], refs: readonly string[]): string[] {
  const known = new Set(before);
  const wanted = new Set(refs);
  const behind = new Map<string, string[]>();
  let anchor = "";
  for (const ref of refs) {
    if (known.has(ref)) anchor = ref;
    const list = behind.get(anchor) ?? [];
    behind.set(anchor, list);
    if (!known.has(ref)) list.push(ref);
  }
  const old = before.filter((ref) => wanted.has(ref)).flatMap((ref) => [ref, ...(behind.get(ref) ?? [])]);
  return [...(behind.get("") ?? []), ...old];
}
