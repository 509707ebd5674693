import type { Span } from "../ast.js";
import type { Judge } from "./judge.js";

/** Phases that see the response. */
const RESPONSE: ReadonlySet<string> = new Set([
  "http_response_headers_transform",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_response_cache_settings",
  "http_custom_errors",
  "http_log_custom_fields",
]);

interface Use {
  readonly name: string;
  readonly kind: "field" | "function";
  readonly span: Span;
  readonly when?: string;
  readonly scope: readonly string[];
  readonly phases?: readonly string[];
}

/** Whether a field or a function is there in the phase. Not all of it is documented, so it warns. */
export function judgePhase(use: Use, judge: Judge): void {
  const { phase, slot } = judge.options;
  if (use.when === "response" && phase !== undefined && slot !== "counting" && !RESPONSE.has(phase)) {
    judge.warn("phase", use.span, `\`${use.name}\` belongs to the response, which \`${phase}\` does not see yet`);
    return;
  }
  if (phase === undefined) return;
  const scope = /^(magic_transit|mt_|ddos_l4)/.test(phase) ? "l4" : "http";
  if (!use.scope.includes(scope)) {
    const where = scope === "l4" ? "HTTP requests" : "packets";
    judge.warn("phase", use.span, `\`${use.name}\` belongs to ${where}; \`${phase}\` does not have it`);
  } else if (use.phases?.includes(phase) === false) {
    const list = use.phases.map((name) => `\`${name}\``).join(", ");
    judge.warn("phase", use.span, `the ${use.kind} \`${use.name}\` is documented for ${list} only, not for \`${phase}\``);
  }
}
