import { isObject } from "../../../core/model/json.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type Findings } from "../../../core/model/failure.js";

/** Checks that refs are unique in a ruleset, have no line breaks, and do not start with `__`, which the engine reserves. */
export function checkRefs(rules: readonly unknown[], where: (index: number) => Path): Findings {
  const seen = new Map<string, number>();
  return rules
    .map((rule, index) => {
      const ref = isObject(rule) ? rule.ref : undefined;
      if (typeof ref !== "string" || isUnknown(ref)) return [];
      const at = [...where(index), "ref"];
      if (ref.startsWith("__")) return failure(at, "must not start with __");
      if (/[\r\n]/.test(ref)) return failure(at, "must not contain line breaks");
      const first = seen.get(ref);
      seen.set(ref, first ?? index);
      return first === undefined
        ? []
        : failure(at, `${JSON.stringify(ref)} is already the ref of ${pathText(where(first))}`);
    })
    .flat();
}
