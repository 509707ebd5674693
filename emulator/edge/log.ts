import type { TraceEntry } from "../../core/simulator/index.js";

/** A log, oldest entry first, that keeps the newest entries. */
export class Log<T> {
  private entries: T[] = [];

  constructor(private readonly maxEntries: number) {}

  add(entries: readonly T[]): void {
    this.entries.push(...entries);
    // Trimmed occasionally, so that not every request has to move the whole log.
    if (this.entries.length > this.maxEntries * 2) this.entries = this.list();
  }

  list(): T[] {
    return this.maxEntries === 0 ? [] : this.entries.slice(-this.maxEntries);
  }

  clear(): void {
    this.entries = [];
  }
}

/** A request, in the terms of Cloudflare's security events. */
export interface RequestFacts {
  readonly datetime: string;
  readonly rayName: string;
  readonly zoneTag: string;
  readonly clientIP: string;
  readonly clientCountryName: string;
  readonly clientRequestHTTPMethodName: string;
  readonly clientRequestHTTPHost: string;
  readonly clientRequestPath: string;
  readonly clientRequestQuery: string;
  readonly userAgent: string;
}

/** A rule that acted on a request. */
export interface SecurityEvent extends RequestFacts {
  readonly action: string;
  /** The product of the rule. */
  readonly source: string;
  readonly ruleId: string;
  readonly ref: string;
  readonly rulesetId: string;
  readonly description: string;
  readonly edgeResponseStatus: number;
}

/** What happened to a request, with the fields that rules log. */
export interface ServedRequest extends RequestFacts {
  readonly edgeResponseStatus: number;
  /** 0 if the request was not forwarded to the origin. */
  readonly originResponseStatus: number;
  readonly securityAction: string;
  readonly securityRuleId: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

const SOURCES: Readonly<Record<string, string>> = {
  http_request_firewall_custom: "firewallCustom",
  http_request_firewall_managed: "firewallManaged",
  http_ratelimit: "rateLimit",
};
const EVENTFUL = new Set(["block", "challenge", "js_challenge", "managed_challenge", "log", "skip"]);

/** The events of a request: rules of security products that acted, in execution order. */
export function eventsOf(
  facts: RequestFacts,
  matched: readonly TraceEntry[],
  { status, stoppedBy }: { readonly status: number; readonly stoppedBy: string | undefined },
): SecurityEvent[] {
  return matched
    .filter(({ action, phase }) => EVENTFUL.has(action) && SOURCES[phase] !== undefined)
    .filter(({ phase, id, limit }) => phase !== "http_ratelimit" || id === stoppedBy || limit === "over")
    .map((entry) => ({
      ...facts,
      action: entry.action,
      source: SOURCES[entry.phase] ?? entry.phase,
      ruleId: entry.id ?? "",
      ref: entry.ref ?? "",
      rulesetId: entry.ruleset ?? "",
      description: entry.description ?? "",
      edgeResponseStatus: status,
    }));
}
