import type { Span } from "../ast.js";
import { RESPONSE_PHASES } from "../generated/phases.js";
import type { FindingCollector } from "./finding-collector.js";

interface Entry {
  readonly name: string;
  readonly when?: string;
  readonly scope: readonly string[];
  readonly phases?: readonly string[];
}

/** Checks whether the phase has a field or a function. Not everything is documented, so this only warns. */
export function checkPhase(entry: Entry, kind: "field" | "function", span: Span, collector: FindingCollector): void {
  const { phase, slot } = collector.options;
  if (phase === undefined) return;
  const { name, phases } = entry;
  if (entry.when === "response" && slot !== "counting" && !RESPONSE_PHASES.includes(phase)) {
    collector.warn("phase", span, `\`${name}\` is a response field, which is not available in \`${phase}\``);
    return;
  }
  const scope = /^(magic_transit|mt_|ddos_l4)/.test(phase) ? "l4" : "http";
  if (!entry.scope.includes(scope)) {
    const where = scope === "l4" ? "HTTP requests" : "packets";
    collector.warn(
      "phase",
      span,
      `\`${name}\` is a field or function for ${where} and is not available in \`${phase}\``,
    );
  } else if (phases?.includes(phase) === false) {
    const list = phases.map((one) => `\`${one}\``).join(", ");
    collector.warn("phase", span, `the ${kind} \`${name}\` is documented only for ${list}, not for \`${phase}\``);
  }
}
