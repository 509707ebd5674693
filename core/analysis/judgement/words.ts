import { weakensOf, type Comparison, type CompareWitness } from "../compare/result.js";
import { rankOf, type Treatment } from "../compare/treatment.js";

/**
 * What an edit does to requests, after a subject such as `this change`. Undefined if nothing is known; what is not known is in
 * `undecided`.
 */
export function effectWords(comparison: Comparison): string | undefined {
  const words = surelyWords(comparison);
  const isByOrder = comparison.undecided.some((one) => one.isByOrder === true && one.direction === "looser");
  return words === undefined || !isByOrder ? words : `${words}; ${AT_OTHER_MOMENTS}`;
}

const AT_OTHER_MOMENTS = "changing a limit resets its counters, so a single request that was stopped may get through";

function surelyWords({ looser, stricter, verdict, witnesses, undecided }: Comparison): string | undefined {
  const shown = (["looser", "stricter"] as const).flatMap((direction) => {
    const witness =
      witnesses.find((one) => one.direction === direction) ?? witnesses.find((one) => one.also === direction);
    return witness === undefined ? [] : [WORDS[direction][whatChanges(witness, direction)]];
  });
  if (shown.length > 0) return shown.join(", and ");
  if (verdict === "equivalent") return "makes no difference to any request";
  const isNeither = looser === "ruledOut" && stricter === "ruledOut";
  if (witnesses.length > 0)
    return `treats some requests differently${isNeither ? ", but enforcement stays the same" : ""}`;
  if (isNeither) return "leaves enforcement the same";
  if (looser === "ruledOut") return "does not weaken enforcement";
  return weakensOf({ looser, undecided }) === "no" ? "has limits that are at least as strict" : undefined;
}

/** Whether a request gets through, meets rules that may stop it, meets stricter ones, or is stopped in another way. */
type What = "through" | "exempt" | "managed" | "firmness";

const WORDS: Readonly<Record<"looser" | "stricter", Readonly<Record<What, string>>>> = {
  looser: {
    through: "lets requests through that were stopped",
    exempt: "exempts requests from rules that could have stopped them",
    managed: "makes managed rules stop less",
    firmness: "weakens enforcement",
  },
  stricter: {
    through: "stops requests that were not stopped",
    exempt: "no longer exempts requests from rules that could stop them",
    managed: "makes managed rules stop more",
    firmness: "strengthens enforcement",
  },
};

function whatChanges({ before, after }: CompareWitness, direction: "looser" | "stricter"): What {
  const [strict, loose] = direction === "looser" ? [before, after] : [after, before];
  if (!isAllowed(strict)) return isAllowed(loose) ? "through" : "firmness";
  const skipsMore = loose.skipped.some((one) => !strict.skipped.includes(one));
  return skipsMore || loose.managed.length < strict.managed.length ? "exempt" : "managed";
}

function isAllowed({ outcome }: Treatment): boolean {
  return rankOf(outcome) === rankOf("allowed");
}
