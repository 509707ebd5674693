import { AssertionError } from "node:assert";
import type { HttpRequest, RequestInput } from "../../core/language/index.js";
import type { Zone } from "./firewall.js";
import { matchers, type AllowOptions, type By, type MatcherResult, type Rewritten } from "./matchers.js";

type AnyRequest = HttpRequest | RequestInput;

/** The assertions about a zone. For their types in jest, declare `interface Matchers<R> extends FirewallMatchers<R>`. */
export interface FirewallMatchers<R = void> {
  toBlock(request: AnyRequest, options?: By): R;
  toAllow(request: AnyRequest, options?: AllowOptions): R;
  toChallenge(request: AnyRequest, options?: By): R;
  toRedirect(request: AnyRequest, to: string, options?: By & { status?: number }): R;
  toRewrite(request: AnyRequest, to: Rewritten): R;
  toLimit(request: AnyRequest, after: number, options?: By): R;
}

/**
 * Assertions for any test runner, such as `node:test`: they throw an `AssertionError` that shows what every rule did.
 *
 * @example
 * expect(zone).toBlock(makeRequest({ url: "https://example.com/admin" }), { by: "block-admin" });
 */
export function expect(zone: Zone): FirewallMatchers & { readonly not: FirewallMatchers } {
  return { ...bound(zone, true), not: bound(zone, false) };
}

function bound(zone: Zone, wanted: boolean): FirewallMatchers {
  const judge = ({ pass, message }: MatcherResult): void => {
    if (pass !== wanted) throw new AssertionError({ message: message(), actual: pass, expected: wanted });
  };
  return {
    toBlock: (request, options) => {
      judge(matchers.toBlock(zone, request, options));
    },
    toAllow: (request, options) => {
      judge(matchers.toAllow(zone, request, options));
    },
    toChallenge: (request, options) => {
      judge(matchers.toChallenge(zone, request, options));
    },
    toRedirect: (request, to, options) => {
      judge(matchers.toRedirect(zone, request, to, options));
    },
    toRewrite: (request, to) => {
      judge(matchers.toRewrite(zone, request, to));
    },
    toLimit: (request, after, options) => {
      judge(matchers.toLimit(zone, request, after, options));
    },
  };
}
