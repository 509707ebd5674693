import type { Span } from "../ast.js";
import { RESPONSE_PHASES } from "../generated/phases.js";
import type { FindingCollector } from "./finding-collector.js";
import type { CheckOptions } from "./options.js";

interface Entry {
  readonly name: string;
  readonly when?: string;
  readonly scope: readonly string[];
  readonly phases?: readonly string[];
}

/** Checks whether the phase has a field or a function. Not everything is documented, so this only warns. */
export function checkPhase(entry: Entry, kind: "field" | "function", span: Span, collector: FindingCollector): void {
  const fault = phaseFault(entry, kind, collector.options);
  if (fault !== undefined) collector.warn("phase", span, fault);
}

/** Why a phase does not have a field or a function; undefined if it may have it. */
export function phaseFault(
  entry: Entry,
  kind: "field" | "function",
  { phase, slot }: Pick<CheckOptions, "phase" | "slot">,
): string | undefined {
  if (phase === undefined) return undefined;
  const { name, phases } = entry;
  if (entry.when === "response" && slot !== "counting" && !RESPONSE_PHASES.includes(phase))
    return `\`${name}\` is a response field, which is not available in \`${phase}\``;
  const scope = /^(magic_transit|mt_|ddos_l4)/.test(phase) ? "l4" : "http";
  if (!entry.scope.includes(scope)) {
    const where = scope === "l4" ? "HTTP requests" : "packets";
    return `\`${name}\` is a field or function for ${where} and is not available in \`${phase}\``;
  }
  if (phases?.includes(phase) !== false) return undefined;
  const list = phases.map((one) => `\`${one}\``).join(", ");
  return `the ${kind} \`${name}\` is documented only for ${list}, not for \`${phase}\``;
}
