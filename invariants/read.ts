import type { Requirement } from "../analysis/index.js";
import { PLANS, type Plan } from "../language/index.js";
import { readEach } from "../provider/model/file-error.js";
import { isDay } from "../provider/model/day.js";
import { itemsAt, textsAt, type FileValues, type Steps } from "../provider/model/file-values.js";
import { isObject } from "../provider/model/json.js";
import type { Exception, NamedInvariant, ZoneSelector } from "./invariant.js";
import { requestFaults } from "./requests.js";

const SIMPLE = [
  "be-stopped",
  "block",
  "challenge",
  "be-allowed",
  "reach-managed-rules",
  "be-limited",
  "be-logged",
  "not-be-skipped",
  "redirect",
] as const;
const ID = /^[0-9a-f]{32}$/;
const EXAMPLE_ID = "efb7b8c949ac4650a09736fc376e9aee";
/** A rule may redirect to another path as well. */
const TARGET = /^(?:https?:\/\/[^\s/]\S*|\/\S*)$/;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/**
 * Reads a file of invariants; `schema/invariants.schema.json` describes it for editors.
 * @throws Error with the place of the first mistake
 */
export function readInvariants(source: FileValues): readonly NamedInvariant[] {
  const { value } = source;
  const list = isObject(value) ? value.invariants : undefined;
  if (!isObject(value) || !Array.isArray(list))
    throw source.errorAt([], "must have a list `invariants` of { name, requests, must }");
  if (list.length === 0) throw source.errorAt(["invariants"], "is empty: write an invariant, or delete the file");
  source.rejectUnknownMembers(value, ["$schema", "invariants"], [], "a file of invariants");
  const reader = new Reader(source);
  const read = readEach(list as readonly unknown[], (item, index) => reader.invariant(item, ["invariants", index]));
  const names = read.map(({ name }) => name);
  names.forEach((name, index) => {
    if (names.indexOf(name) < index)
      throw source.errorAt(["invariants", index, "name"], `"${name}" is the name of two invariants`);
  });
  return read;
}

class Reader {
  constructor(private readonly source: FileValues) {}

  invariant(item: unknown, at: Steps): NamedInvariant {
    const entry = this.object(item, at, "with name, requests and must");
    this.source.rejectUnknownMembers(entry, ["name", "zones", "requests", "must", "except"], at, "an invariant");
    return {
      name: this.text(entry, "name", at, "is required: what must hold, in words"),
      zones: this.zones(entry.zones, [...at, "zones"]),
      requests: this.requests(entry, at),
      must: this.must(entry.must, [...at, "must"]),
      except: itemsAt(this.source, entry.except, [...at, "except"]).map(([one, place]) => this.exception(one, place)),
    };
  }

  private requests(entry: Readonly<Record<string, unknown>>, at: Steps): string {
    const text =
      entry.requests === true
        ? "true"
        : this.text(entry, "requests", at, "is required: a filter; `true` for all requests");
    const [error] = requestFaults(text);
    if (error !== undefined) throw this.source.errorAt([...at, "requests"], `${error.message}\n${error.excerpt}`);
    return text;
  }

  private zones(value: unknown, at: Steps): ZoneSelector {
    if (value === undefined || value === "all") return {};
    const entry = this.object(value, at, "with name and plan, or `all`");
    this.source.rejectUnknownMembers(entry, ["name", "plan"], at, "a choice of zones");
    return {
      ...(entry.name === undefined ? {} : { names: textsAt(this.source, entry.name, [...at, "name"]) }),
      ...(entry.plan === undefined ? {} : { plans: this.plans(entry.plan, [...at, "plan"]) }),
    };
  }

  private plans(value: unknown, at: Steps): readonly Plan[] {
    return textsAt(this.source, value, at).map((text) => {
      const plan = PLANS.find((known) => known === text);
      if (plan === undefined) throw this.source.errorAt(at, `must be ${PLANS.slice(0, -1).join(", ")} or enterprise`);
      return plan;
    });
  }

  private must(value: unknown, at: Steps): Requirement {
    if (isObject(value)) {
      if ("redirect" in value) return this.redirect(value, at);
      if ("reach-managed-rules" in value) {
        this.source.rejectUnknownMembers(value, ["reach-managed-rules"], at, "a requirement of managed rules");
        const ruleset = this.textLike(
          ID,
          value,
          "reach-managed-rules",
          at,
          `must be the ID of a managed ruleset, such as ${EXAMPLE_ID}`,
        );
        return { kind: "reach-managed-rules", ruleset };
      }
    }
    const kind = SIMPLE.find((known) => known === value);
    if (kind === undefined)
      throw this.source.errorAt(
        at,
        `must be one of ${SIMPLE.join(", ")}, or { redirect: { to, status } }, or { reach-managed-rules: <ruleset ID> }`,
      );
    return { kind };
  }

  private redirect(value: Readonly<Record<string, unknown>>, at: Steps): Requirement {
    this.source.rejectUnknownMembers(value, ["redirect"], at, "a requirement of a redirect");
    const place = [...at, "redirect"];
    const entry = this.object(value.redirect, place, "with to and status");
    this.source.rejectUnknownMembers(entry, ["to", "status"], place, "a redirect");
    const { status } = entry;
    if (status !== undefined && !REDIRECT_STATUSES.includes(status as number))
      throw this.source.errorAt([...place, "status"], `must be one of ${REDIRECT_STATUSES.join(", ")}`);
    return {
      kind: "redirect",
      ...(entry.to === undefined
        ? {}
        : { to: this.textLike(TARGET, entry, "to", place, "must be a URL, such as https://example.com/") }),
      ...(status === undefined ? {} : { status: status as number }),
    };
  }

  private exception(item: unknown, at: Steps): Exception {
    const entry = this.object(item, at, "with zone, until and reason");
    this.source.rejectUnknownMembers(entry, ["zone", "until", "reason"], at, "an exception");
    const { until } = entry;
    if (typeof until !== "string" || !isDay(until))
      throw this.source.errorAt([...at, "until"], "must be the last day of the exception, such as 2026-12-31");
    return {
      zone: this.text(entry, "zone", at, "is required: the name of a zone, in which `*` stands for any text, or an ID"),
      until,
      reason: this.text(entry, "reason", at, "is required: say why the invariant need not hold there"),
    };
  }

  private object(value: unknown, at: Steps, members: string): Readonly<Record<string, unknown>> {
    if (!isObject(value)) throw this.source.errorAt(at, `must be an object ${members}`);
    return value;
  }

  private textLike(form: RegExp, ...[entry, name, at, why]: Parameters<Reader["text"]>): string {
    const text = this.text(entry, name, at, why);
    if (!form.test(text)) throw this.source.errorAt([...at, name], why);
    return text;
  }

  private text(entry: Readonly<Record<string, unknown>>, name: string, at: Steps, why: string): string {
    const value = entry[name];
    if (typeof value !== "string" || value.trim() === "") throw this.source.errorAt([...at, name], why);
    return value;
  }
}
