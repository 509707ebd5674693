import type { TraceEntry } from "../../simulator/index.js";

/** The entries of a log, oldest first, of which the newest are kept. */
export class Log<T> {
  private entries: T[] = [];

  constructor(private readonly kept: number) {}

  add(entries: readonly T[]): void {
    this.entries.push(...entries);
    // Cut back now and then, so that a request does not move the whole log.
    if (this.entries.length > this.kept * 2) this.entries = this.list();
  }

  list(): T[] {
    return this.kept === 0 ? [] : this.entries.slice(-this.kept);
  }

  clear(): void {
    this.entries = [];
  }
}

/** A request in the words of the security events of the vendor's analytics. */
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

/** A rule that met a request. */
export interface SecurityEvent extends RequestFacts {
  readonly action: string;
  /** The product that the rule belongs to. */
  readonly source: string;
  readonly ruleId: string;
  readonly ref: string;
  readonly rulesetId: string;
  readonly description: string;
  readonly edgeResponseStatus: number;
}

/** What became of a request, with the fields that rules ask to be logged. */
export interface LoggedRequest extends RequestFacts {
  readonly edgeResponseStatus: number;
  /** 0 where the origin was not asked. */
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

/** The events of a request: rules of security products that acted, in the order in which they ran. */
export function eventsOf(
  facts: RequestFacts,
  trace: readonly TraceEntry[],
  { status, stoppedBy }: { readonly status: number; readonly stoppedBy: string | undefined },
): SecurityEvent[] {
  return trace
    .filter((entry) => entry.status === "matched" && EVENTFUL.has(entry.action) && SOURCES[entry.phase] !== undefined)
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
