import { isObject, ownValue } from "../../../core/model/json.js";
import type { HttpRequest } from "../../../core/language/index.js";
import type { TryOptions, Zone } from "../../testing/firewall.js";
import { matchers, type MatcherResult } from "../../testing/matchers.js";
import type { Expect } from "../../../core/files/generated/validate-firewall-tests.js";

/** Checks one thing that must be true of the response to a request. */
export type Expectation = (zone: Zone, request: HttpRequest, surroundings: TryOptions) => MatcherResult;

type Options = Readonly<Record<string, unknown>>;

/** An expectation: the property that a bare value sets, and the assertion. */
interface Kind {
  readonly bare?: string;
  readonly judge: (options: Options, ...seen: Parameters<Expectation>) => MatcherResult;
}

const KINDS: Readonly<Record<string, Kind>> = {
  allow: {
    judge: (options, zone, request, more) => matchers.toAllow(zone, request, { ...options, ...more }),
  },
  block: {
    bare: "by",
    judge: (options, zone, request, more) => matchers.toBlock(zone, request, { ...options, ...more }),
  },
  challenge: {
    bare: "by",
    judge: (options, zone, request, more) => matchers.toChallenge(zone, request, { ...options, ...more }),
  },
  redirect: {
    bare: "to",
    judge: ({ to, ...options }, zone, request, more) =>
      matchers.toRedirect(zone, request, String(to), { ...options, ...more }),
  },
  rewrite: {
    bare: "url",
    judge: ({ headers, ...options }, zone, request, more) =>
      matchers.toRewrite(zone, request, { ...options, headers: wantedHeaders(headers), ...more }),
  },
  limit: {
    bare: "after",
    judge: ({ after, ...options }, zone, request, more) =>
      matchers.toLimit(zone, request, Number(after), { ...options, ...more }),
  },
};

/** In a file, `null` means that a header must be absent. */
function wantedHeaders(headers: unknown): Readonly<Record<string, string | undefined>> | undefined {
  if (!isObject(headers)) return undefined;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : undefined]),
  );
}

/** What `expect` says: `allow`, `{ block: admin }`, `{ redirect: { to: …, status: 308 } }`. All of them must be met. */
export function expectationsOf(expect: Expect): readonly Expectation[] {
  const kinds = typeof expect === "string" ? { [expect]: {} } : expect;
  return Object.entries(kinds).map(([name, given]: readonly [string, unknown]) => expectationOf(name, given));
}

function expectationOf(name: string, given: unknown): Expectation {
  const kind = ownValue(KINDS, name);
  if (kind === undefined) throw new Error(`the schema of tests has the expectation ${name}, and this module does not`);
  const { bare, judge } = kind;
  const options = isObject(given) ? given : bare === undefined || given === null ? {} : { [bare]: given };
  return (zone, request, more) => judge(options, zone, request, more);
}
