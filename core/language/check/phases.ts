import type { Span } from "../ast.js";
import { REQUEST_PHASES, RESPONSE_PHASES } from "../generated/phases.js";
import type { FindingCollector } from "./finding-collector.js";
import type { CheckOptions } from "./options.js";

interface Entry {
  readonly name: string;
  readonly when?: string;
  readonly scope: readonly string[];
  readonly phases?: readonly string[];
  readonly unsure?: boolean;
}

const PACKETS = /^(magic_transit|mt_|ddos_l4)/;

/** Whether the rules of a phase are about packets, not about requests. */
export function isAboutPackets(phase = ""): boolean {
  return PACKETS.test(phase);
}

/**
 * Checks whether the phase has a field or a function. A request has no response, and a packet no request. Which of the other phases
 * has what is not documented for everything, so that is a warning, as are new phases and what is only known from examples: the page of
 * functions has `split` for three phases, and Cloudflare's own tests use it in another.
 */
export function checkPhase(entry: Entry, kind: "field" | "function", span: Span, collector: FindingCollector): void {
  const { options } = collector;
  const fault = phaseFault(entry, kind, options);
  if (fault === undefined) return;
  const isSure =
    entry.unsure !== true &&
    (isAboutRequests(options.phase) || isAboutPackets(options.phase)) &&
    impossibleIn(entry, options) !== undefined;
  collector.report(isSure, "phase", span, fault);
}

export function isAboutRequests(phase = ""): boolean {
  return REQUEST_PHASES.includes(phase) || RESPONSE_PHASES.includes(phase);
}

/** Why a phase does not have a field or a function; undefined if it may have it. */
export function phaseFault(
  entry: Entry,
  kind: "field" | "function",
  options: Pick<CheckOptions, "phase" | "slot">,
): string | undefined {
  const { phase } = options;
  if (phase === undefined) return undefined;
  const impossible = impossibleIn(entry, options);
  if (impossible !== undefined) return impossible;
  const { name, phases } = entry;
  if (phases?.includes(phase) !== false) return undefined;
  const list = phases.map((one) => `\`${one}\``).join(", ");
  return `the ${kind} \`${name}\` is documented only for ${list}, not for \`${phase}\``;
}

function impossibleIn({ name, when, scope: scopes }: Entry, { phase, slot }: Pick<CheckOptions, "phase" | "slot">) {
  if (phase === undefined) return undefined;
  if (when === "response" && slot !== "counting" && !RESPONSE_PHASES.includes(phase))
    return `\`${name}\` is a response field, which is not available in \`${phase}\``;
  const scope = isAboutPackets(phase) ? "l4" : "http";
  if (!scopes.includes(scope)) {
    const where = scope === "l4" ? "HTTP requests" : "packets";
    return `\`${name}\` is a field or function for ${where} and is not available in \`${phase}\``;
  }
  return undefined;
}
