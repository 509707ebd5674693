import { headerPairs, type TraceEntry } from "../../../core/simulator/index.js";
import { withManagedName } from "../../../core/simulator/managed-rulesets.js";
import type { LoadedRules } from "../loaded.js";
import type { SimulationData } from "./simulation-data.js";
import { titledList } from "../../../core/model/words.js";

/** What rules do to a request, for people. */
export function renderTry(
  data: SimulationData,
  { label, notes, isPartial = false }: Pick<LoadedRules, "label" | "notes"> & { readonly isPartial?: boolean },
): string {
  const { request, response, trace, managed, undecided, settings, skippedProducts } = data;
  return [
    `${request.method} ${request.url} through ${label}: ${verdictOf(data)}${isPartial ? ", by the rules that could be read" : ""}`,
    ...(response === undefined
      ? []
      : [`The client gets: ${[String(response.status), ...headerLines(headerPairs(response.headers))].join("\n  ")}`]),
    ...(data.outcome === "allowed"
      ? [`The origin sees:\n  ${[`${request.method} ${request.url}`, ...headerLines(request.headers)].join("\n  ")}`]
      : []),
    ...titledList(
      "Depends on what is not known here",
      undecided.map(({ rule, because }) => `${rule.name}: ${because.join("; ")}`),
    ),
    ...titledList(
      "Managed rulesets that run",
      managed.map(
        ({ ruleset, rule, canStop }) =>
          `${withManagedName(ruleset)} by ${rule.name}${canStop ? ", which can stop the request" : ""}`,
      ),
    ),
    ...titledList("Products that are skipped", skippedProducts),
    ...titledList(
      "Settings",
      Object.entries(settings).map(([phase, values]) => `${phase}: ${JSON.stringify(values)}`),
    ),
    ...(trace.length === 0 ? ["There are no rules."] : [["Rules:", ...traceLines(trace)].join("\n")]),
    ...titledList("Notes", notes),
  ].join("\n\n");
}

/** `blocked by "Block admin"`. */
export function verdictOf({ outcome, outcomeWithoutManaged, rule }: SimulationData): string {
  const by = rule === undefined ? "" : ` by ${rule.name}`;
  if (outcome !== "unknown") return `${outcome}${by}`;
  return outcomeWithoutManaged === "unknown"
    ? "cannot be determined here"
    : `${outcomeWithoutManaged}, unless a managed ruleset stops it`;
}

function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** Every rule under its phase, in execution order. */
export function traceLines(trace: readonly TraceEntry[]): string[] {
  return trace.flatMap((entry, index) => {
    const { phase, level, action, status, why } = entry;
    const before = trace[index - 1];
    const head = before?.phase === phase && before.level === level ? [] : [`${phase}, ${level}`];
    return [...head, `  ${status.padEnd(11)}  ${entry.name} (${action}): ${why}`];
  });
}
