import type { Body } from "../../call.js";
import { invalidValue } from "../../failure.js";

/** Refs are unique within a ruleset. */
export function checkRefs(rules: readonly Body[], pointer = (index: number) => `/rules/${String(index)}/ref`): void {
  const seen = new Set<unknown>();
  rules.forEach((rule, index) => {
    const { ref } = rule;
    if (ref === undefined || ref === "") return;
    if (seen.has(ref))
      throw invalidValue(ref, "ref", "it is used by another rule of the ruleset", {
        pointer: pointer(index),
      });
    seen.add(ref);
  });
}
