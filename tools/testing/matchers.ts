import type { HttpRequest, RequestInput } from "../../core/language/index.js";
import { type Limits, type SimulatedOutcome, type Simulation } from "../../core/simulator/index.js";
import { managedRulesetWords } from "../../core/simulator/managed-rulesets.js";
import type { TryOptions, Zone } from "./firewall.js";

/** The result of a matcher, in the shape that jest's `expect.extend` takes. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface By extends TryOptions {
  /** Ref, ID or description of the rule that must decide about the request. */
  readonly by?: string;
}

export interface AllowOptions extends TryOptions {
  /** Whether to fail also when a managed ruleset sees the request and could stop it. @default false */
  readonly strict?: boolean;
}

/** What the origin must see. */
export interface Rewritten extends TryOptions {
  readonly url?: string;
  /** By name; `undefined` means that the header must be absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

type AnyRequest = HttpRequest | RequestInput;

/**
 * Assertions on a zone, for jest's `expect.extend(matchers)`. This module's `expect` already has them.
 *
 * @example
 * expect.extend(matchers);
 */
export const matchers = {
  /** A rule of the program blocks the request. */
  toBlock: (zone: Zone, request: AnyRequest, options: By = {}): MatcherResult =>
    decides(zone, request, "blocked", options),

  /** No rule of the program stops the request. Managed rulesets are ignored unless `strict` is set. */
  toAllow(zone: Zone, request: AnyRequest, options: AllowOptions = {}): MatcherResult {
    const seen = zone.simulate(request, options);
    const outcome = options.strict === true ? seen.outcome : seen.outcomeWithoutManaged;
    return result(outcome === "allowed", "allowed", seen);
  },

  /** The client has to solve a challenge. */
  toChallenge: (zone: Zone, request: AnyRequest, options: By = {}): MatcherResult =>
    decides(zone, request, "challenged", options),

  /** The client is redirected to a URL. */
  toRedirect(zone: Zone, request: AnyRequest, to: string, options: By & { status?: number } = {}): MatcherResult {
    const seen = zone.simulate(request, options);
    const { response } = seen;
    const status = options.status === undefined || response?.status === options.status;
    const pass = seen.outcome === "redirected" && response?.headers.location === to && status;
    const wanted = `redirected to ${to}${options.status === undefined ? "" : ` with ${String(options.status)}`}`;
    return result(pass && isBy(seen, options.by), withBy(wanted, options.by), seen);
  },

  /** The origin sees a different URL or different headers than the client sent. */
  toRewrite(zone: Zone, request: AnyRequest, to: Rewritten): MatcherResult {
    const seen = zone.simulate(request, to);
    const { url, headers } = seen.request;
    const value = (name: string): string | undefined => {
      const values = headers.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, text]) => text);
      return values.length === 0 ? undefined : values.join(", ");
    };
    const wrong = Object.entries(to.headers ?? {}).filter(([name, wanted]) => value(name) !== wanted);
    const open = seen.undecided.filter(({ outcome }) => outcome === undefined || outcome === "any");
    const pass = (to.url === undefined || to.url === url) && wrong.length === 0 && open.length === 0;
    const found = [`url: ${url}`, ...wrong.map(([name]) => `${name}: ${value(name) ?? "(none)"}`)].join(", ");
    const wanted = JSON.stringify({ url: to.url, headers: to.headers });
    return result(pass, `rewritten to ${wanted}; the origin sees ${found}`, seen);
  },

  /** This many requests pass in a row, and the next one exceeds a rate limit. */
  toLimit(zone: Zone, request: AnyRequest, after: number, options: By = {}): MatcherResult {
    let limits: Limits | undefined = options.limits;
    for (let sent = 0; ; sent += 1) {
      const seen = zone.simulate(request, { ...options, limits });
      limits = seen.limits;
      if (sent < after && seen.outcome !== "limited") continue;
      const pass = sent === after && seen.outcome === "limited" && isBy(seen, options.by);
      return result(
        pass,
        withBy(`limited after ${String(after)} ${after === 1 ? "request" : "requests"}`, options.by),
        seen,
        sent + 1,
      );
    }
  },
};

function decides(zone: Zone, request: AnyRequest, outcome: SimulatedOutcome, options: By): MatcherResult {
  const seen = zone.simulate(request, options);
  return result(seen.outcome === outcome && isBy(seen, options.by), withBy(outcome, options.by), seen);
}

function isBy({ rule }: Simulation, by: string | undefined): boolean {
  return by === undefined || (rule !== undefined && [rule.ref, rule.id, rule.description].includes(by));
}

function withBy(wanted: string, by: string | undefined): string {
  return by === undefined ? wanted : `${wanted} by "${by}"`;
}

function result(pass: boolean, wanted: string, seen: Simulation, number?: number): MatcherResult {
  return {
    pass,
    message: () => {
      const which = number === undefined ? "the request" : `request ${String(number)}`;
      const by = seen.rule === undefined ? "" : ` by ${seen.rule.name}`;
      return [
        `expected ${seen.request.method} ${seen.request.url} ${pass ? "not " : ""}to be ${wanted}`,
        `${which} is ${seen.outcome}${by}`,
        ...seen.undecided.map(({ rule, because }) => `  not decided: ${rule.name}: ${because.join("; ")}`),
        ...seen.managed.map(({ ruleset, rule }) => `  ${managedRulesetWords(ruleset)} is executed by ${rule.name}`),
        "rules:",
        ...seen.trace.map((entry) => `  ${entry.phase}: ${entry.name} ${entry.status}: ${entry.why}`),
      ].join("\n");
    },
  };
}
