import { isObject } from "../../provider/model/json.js";
import type { HttpRequest } from "../../language/index.js";
import type { TryOptions, Zone } from "../../testing/firewall.js";
import { matchers, type MatcherResult } from "../../testing/matchers.js";
import { readEach } from "../../provider/model/file-error.js";
import { requireMembers } from "../members.js";
import type { TextDocument, Steps } from "../../provider/files/text-document.js";

/** Checks one thing that must be true of the response to a request. */
export type Expectation = (zone: Zone, request: HttpRequest, surroundings: TryOptions) => MatcherResult;

type Options = Readonly<Record<string, unknown>>;

/** An expectation: its properties, the property that a bare value sets, and the assertion. */
interface Kind {
  readonly takes: Readonly<Record<string, "string" | "number" | "boolean" | "list of strings">>;
  readonly required?: string;
  readonly bare?: string;
  readonly judge: (options: Options, ...seen: Parameters<Expectation>) => MatcherResult;
}

const KINDS: Readonly<Record<string, Kind>> = {
  allow: {
    takes: { strict: "boolean" },
    judge: (options, zone, request, more) => matchers.toAllow(zone, request, { ...options, ...more }),
  },
  block: {
    takes: { by: "string" },
    bare: "by",
    judge: (options, zone, request, more) => matchers.toBlock(zone, request, { ...options, ...more }),
  },
  challenge: {
    takes: { by: "string" },
    bare: "by",
    judge: (options, zone, request, more) => matchers.toChallenge(zone, request, { ...options, ...more }),
  },
  redirect: {
    takes: { to: "string", status: "number", by: "string" },
    required: "to",
    bare: "to",
    judge: ({ to, ...options }, zone, request, more) =>
      matchers.toRedirect(zone, request, String(to), { ...options, ...more }),
  },
  rewrite: {
    takes: { url: "string", headers: "list of strings" },
    bare: "url",
    judge: ({ headers, ...options }, zone, request, more) =>
      matchers.toRewrite(zone, request, { ...options, headers: wantedHeaders(headers), ...more }),
  },
  limit: {
    takes: { after: "number", by: "string" },
    required: "after",
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

/**
 * Reads `expect`: `allow`, `{ block: admin }`, `{ redirect: { to: …, status: 308 } }`. All of them must be met.
 * @throws Error with the line of the mistake
 */
export function readExpect(document: TextDocument, value: unknown, at: Steps): readonly Expectation[] {
  if (typeof value === "string") return [readOne(document, value, {}, at)];
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw document.errorAt(at, `must be one or more of ${Object.keys(KINDS).join(", ")}`);
  }
  return readEach(Object.entries(value), ([name, options]) => readOne(document, name, options, [...at, name]));
}

function readOne(document: TextDocument, name: string, given: unknown, at: Steps): Expectation {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined)
    throw document.errorAt(at, `${name} is not an expectation; use ${Object.keys(KINDS).join(", ")}`);
  const isBare = typeof given === "string" || typeof given === "number";
  const options = isBare && kind.bare !== undefined ? { [kind.bare]: given } : (given ?? {});
  if (!isObject(options)) throw document.errorAt(at, `must be an object with ${Object.keys(kind.takes).join(", ")}`);
  requireMembers(document, options, at, { takes: kind.takes, fits, what: name });
  if (kind.required !== undefined && !(kind.required in options)) {
    throw document.errorAt(at, `${kind.required} is required`);
  }
  return (zone, request, more) => kind.judge(options, zone, request, more);
}

function fits(value: unknown, wanted: Kind["takes"][string]): boolean {
  if (wanted === "list of strings") {
    return isObject(value) && Object.values(value).every((item) => item === null || typeof item === "string");
  }
  return typeof value === (wanted === "string" ? "string" : wanted);
}
