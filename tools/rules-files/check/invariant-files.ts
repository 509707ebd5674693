import { lowestOf, requestFaults } from "../../../core/invariants/requests.js";
import { readInvariants } from "../../../core/invariants/read.js";
import { PLANS, type Plan } from "../../../core/language/index.js";
import { isObject, textOf } from "../../../core/model/json.js";
import type { FileValues, Steps } from "../../../core/model/file-values.js";
import type { ReportedFinding } from "./finding.js";

/** Whether a path names a file of invariants. */
export function isInvariantFile(path: string): boolean {
  return /\.invariants\.(?:ya?ml|json)$/.test(path);
}

/** A file, and where its parts are. */
interface InvariantDocument extends FileValues {
  readonly file: string;
  place(steps: Steps): NonNullable<ReportedFinding["file"]>;
}

/**
 * What the language finds in the filters of a file of invariants. Those about zones of some plans are checked for the lowest of these.
 * @param plan of the zones, where an invariant does not choose zones by plan
 * @throws Error with the place of the first mistake of another kind
 */
export function findingsOfInvariants(document: InvariantDocument, plan: Plan | undefined): readonly ReportedFinding[] {
  const found = entriesOf(document).flatMap(({ name, requests, plans, index }) => {
    const known = lowestOf(plans) ?? plan;
    return requestFaults(requests, known === undefined ? [] : [known]).map((fault): ReportedFinding => {
      const { code, severity, message, offset, end, instead, excerpt } = fault;
      return {
        code,
        severity,
        message,
        source: document.file,
        ruleset: name,
        path: `invariants[${String(index)}].requests`,
        character: offset + 1,
        length: Math.max(1, end - offset),
        instead,
        excerpt,
        file: document.place(["invariants", index, "requests"]),
      };
    });
  });
  if (found.length === 0) readInvariants(document);
  return found;
}

interface Entry {
  readonly index: number;
  readonly name: string;
  readonly requests: string;
  readonly plans: readonly Plan[];
}

/** The entries as they are written, as far as they have filters. */
function entriesOf({ value }: FileValues): readonly Entry[] {
  const list: unknown = isObject(value) ? value.invariants : undefined;
  return (Array.isArray(list) ? list : []).flatMap((item: unknown, index): Entry[] => {
    if (!isObject(item) || typeof item.requests !== "string") return [];
    const zones = isObject(item.zones) ? item.zones : {};
    const named: readonly unknown[] = [zones.plan].flat();
    const plans = PLANS.filter((one) => named.includes(one));
    return [{ index, name: textOf(item.name), requests: item.requests, plans }];
  });
}
