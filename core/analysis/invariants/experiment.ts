import { fromBytes } from "../../language/bytes.js";
import { makeRequest, parseExpression, type RequestInput } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import type { ZoneInput } from "../../simulator/input.js";
import {
  compileProgram,
  simulate,
  type Limits,
  type Program,
  type Simulation,
  type TraceEntry,
} from "../../simulator/index.js";
import type { ListsInput } from "../../simulator/lists.js";
import { readNumber } from "../../simulator/read-property.js";
import { managedRulesetWords } from "../../simulator/managed-rulesets.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import type { Model } from "../solve/model.js";
import { buildRequest } from "../witness/build-request.js";
import { describeRequest } from "../witness/describe-request.js";
import type { Invariant, Open } from "./invariant.js";
import type { RulePlace } from "../../simulator/place.js";
import { endingsOf, isMet, isMissing, type Requirement } from "./requirement.js";

/** The phase as which `requests` of an invariant is read: the URL is normalised, and no rule has rewritten it. */
export const SCOPE_PHASE = "http_request_transform";

/** A request that misses what is required. */
export interface Shown {
  readonly input: RequestInput;
  /** `GET https://shop.example.com/admin from 203.0.113.9` */
  readonly request: string;
  /** The request and what happens to it: `GET https://shop.example.com/admin from 203.0.113.9: allowed`. */
  readonly text: string;
  /** What each rule does with it. */
  readonly trace: readonly TraceEntry[];
}

interface Surroundings {
  readonly rulesets: readonly RulesetInput[];
  readonly zone: ZoneInput;
  readonly host: string | undefined;
  /** In seconds since 1970. */
  readonly now: number | undefined;
  /** The lists whose items are known. */
  readonly lists: ListsInput;
  /** The fields that rules and the invariant read. */
  readonly uses: ReadonlySet<string>;
}

/** The maximum number of requests sent to exceed a limit. */
const MOST_REQUESTS = 20_000;

/** The origin's response, so that response phases run. */
const ANSWER = { status: 200 };

/** Runs requests through the simulator, to see whether they miss what is required. */
export class Experiment {
  /** What the rules do; undefined if they cannot be run. */
  private readonly program: Program | undefined;
  /** Matches the requests that the invariant is about. */
  private readonly scope: Program;
  private readonly repeats: number;

  constructor(
    private readonly invariant: Invariant,
    private readonly surroundings: Surroundings,
  ) {
    const { rulesets, lists } = surroundings;
    this.program = attempt(() => compileProgram(rulesets));
    this.scope = compileProgram([
      { kind: "zone", phase: SCOPE_PHASE, lists, rules: [{ action: "log", expression: invariant.requests }] },
    ]);
    const limits = rulesets.flatMap(({ rules }) =>
      rules.map(({ ratelimit }) => readNumber(ratelimit, "requestsPerPeriod")),
    );
    this.repeats = Math.max(0, ...limits.map((limit) => limit ?? 0));
  }

  /** @param how.repeats whether the request has to be sent until a limit is exceeded */
  try(model: Model, how: { readonly repeats: boolean }): { readonly shown?: Shown; readonly open: readonly Open[] } {
    if (this.program === undefined) return { open: [INVALID] };
    const { host, zone } = this.surroundings;
    let open: readonly Open[] = [];
    for (const one of new Set([host ?? zone.name, undefined])) {
      const input = this.realise(model, one);
      if (input === undefined) continue;
      for (const written of [input, ...otherPaths(input, model)]) {
        const found = this.run(written, how);
        const shown = found.shown === undefined ? undefined : this.simplest(found.shown, how);
        const guessed = shown === undefined ? [] : guessedFacts(shown);
        if (shown !== undefined && guessed.length === 0) return { shown, open: [] };
        if (open.length === 0) open = shown === undefined ? found.open : guessed;
      }
    }
    return { open: open.length === 0 ? [NO_REQUEST] : open };
  }

  /** The request that was shown, for another host; undefined if that one misses nothing. */
  atHost(shown: Shown, host: string): Shown | undefined {
    return this.run({ ...shown.input, url: atHost(shown.input.url.toString(), host) }, { repeats: true }).shown;
  }

  private realise(model: Model, host: string | undefined): RequestInput | undefined {
    try {
      // Lists are left out: what depends on their items is not known.
      return buildRequest(model, { fields: this.surroundings.uses, lists: [] }, host);
    } catch {
      return undefined;
    }
  }

  private run(
    input: RequestInput,
    { repeats }: { readonly repeats: boolean },
  ): { readonly shown?: Shown; readonly open: readonly Open[] } {
    const { zone, now = 0 } = this.surroundings;
    const program = this.program as Program;
    const request = makeRequest(withoutLists(input));
    const [scope] = simulate({ program: this.scope, request, zone: { ...zone, id: undefined } }).trace;
    if (scope?.status !== "matched")
      return {
        open: [
          { why: OUTSIDE, decidedBy: scope === undefined || scope.status === "not matched" ? SIMPLER : scope.why },
        ],
      };
    const most = repeats ? Math.min(this.repeats, MOST_REQUESTS) : 0;
    let limits: Limits | undefined;
    for (let sent = 1; ; sent += 1) {
      const simulation: Simulation = simulate({ program, request, zone, limits, response: ANSWER, clock: now * 1000 });
      limits = simulation.limits;
      const met = isMet(this.invariant.must, simulation);
      if (met === "violated") return { shown: this.shownBy(withoutLists(input), simulation, sent), open: [] };
      if (sent > most) return { open: met === "unknown" ? reasonsOf(simulation) : [NO_REQUEST] };
    }
  }

  private shownBy(input: RequestInput, simulation: Simulation, sent: number): Shown {
    const after = sent === 1 ? "" : ` at request ${String(sent)}`;
    const request = describeRequest(input, { showsDraw: true, now: this.surroundings.now });
    const text = `${request}: ${endingWords(simulation, this.invariant.must)}${after}`;
    return { input, request, text, trace: simulation.trace };
  }

  /** Leaves out what the request does not need to have. */
  private simplest(shown: Shown, how: { readonly repeats: boolean }): Shown {
    let best = shown;
    for (const change of SIMPLER_REQUESTS) {
      for (let left = change(best.input); left.length > 0;) {
        const found = firstOf(left, (input) => attempt(() => this.run(input, how).shown));
        if (found === undefined) break;
        best = found;
        left = change(best.input);
      }
    }
    return best;
  }
}

/** What the request assumes about the zone: whether the zone is like that is not known. */
function guessedFacts({ input: { fields = {} } }: Shown): readonly Open[] {
  return Object.keys(fields).flatMap((name) => {
    const [, fact] = /^cf\.zone\.(.+)$/.exec(name) ?? [];
    if (fact === undefined) return [];
    const decidedBy = fact === "plan" ? "--plan, or --zone" : "--zone";
    return [{ why: `it depends on the ${fact} of the zone, which is not known`, decidedBy }];
  });
}

/**
 * The request with its path as clients may write it, where the path that rules see differs before and after it is normalised.
 */
function otherPaths(input: RequestInput, model: Model): readonly RequestInput[] {
  const paths = new Set(
    model.entries().flatMap(([{ operand }, value]) => {
      const isPath = operand?.kind === "field" && /^(?:raw\.)?http\.request\.uri\.path$/.test(operand.name);
      return isPath && typeof value === "string" ? (fromBytes(value) ?? []) : [];
    }),
  );
  const [, start, query = ""] = /^(https?:\/\/[^/?]*)[^?]*(\?.*)?$/.exec(input.url.toString()) ?? [];
  if (paths.size < 2 || start === undefined) return [];
  return Array.from(paths).flatMap((path) =>
    ["", "/", "/.", "/x/.."].map((before) => ({ ...input, url: `${start}${before}${path}${query}` })),
  );
}

const OUTSIDE = "the request that was found may be outside of those that the invariant is about";
const SIMPLER = "a simpler expression in `requests`";
const INVALID: Open = {
  why: "an expression of a rule is invalid, so no request can be run",
  decidedBy: "`rules check`",
};
const LISTS = "the items of the list, which `rules prove --zone` reads and a file of rulesets can have in `lists`";
const OWN_LISTS = "naming the list in `requests` as well: nobody can read the items of Cloudflare's own lists";
const NO_REQUEST: Open = {
  why: "no request has the values that would show a violation",
  decidedBy: "simpler expressions: a function, a hash or a list may depend on what is not known here",
};

/** Ways to leave something out of a request; none if it has nothing of the kind. */
const SIMPLER_REQUESTS: readonly ((input: RequestInput) => readonly RequestInput[])[] = [
  ({ headers = {}, ...input }) =>
    Object.keys(headers).map((name) => ({
      ...input,
      headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
    })),
  ({ fields = {}, ...input }) =>
    Object.keys(fields).map((name) => ({
      ...input,
      fields: Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name)),
    })),
  (input) => (input.url.toString().includes("?") ? [{ ...input, url: input.url.toString().replace(/\?.*$/, "") }] : []),
  ({ method, ...input }) => (method === undefined ? [] : [input]),
  ({ botScore, ...input }) => (botScore === undefined ? [] : [input]),
  ({ bodySize, ...input }) => (bodySize === undefined ? [] : [input]),
  ({ draw, ...input }) => (draw === undefined ? [] : [input]),
];

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A URL at another host. A path that is not normalised stays as it is written. */
export function atHost(url: string, host: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*/, `$1${host}`);
}

/** The host that a request is for. */
export function hostOf({ input }: Pick<Shown, "input">): string {
  return new URL(input.url.toString()).hostname;
}

function withoutLists({ lists: _, ...input }: RequestInput): RequestInput {
  return input;
}

/** What happens to the request, in words. */
function endingWords(simulation: Simulation, must: Requirement): string {
  const { outcomeWithoutManaged: outcome, decision, managed, skips } = simulation;
  if (outcome === "unknown" && must.kind !== "not-be-skipped") {
    const endings = (endingsOf(simulation) ?? []).map(
      (one) => one.outcome + (one.name === undefined ? "" : ` by ${one.name}`),
    );
    return `${Array.from(new Set(endings)).join(" or ")}, which depends on what is not known`;
  }
  const by = decision === undefined ? "" : ` by ${decision.rule.name}`;
  const to = outcome === "redirected" ? ` to ${String(simulation.response?.headers.location)}` : "";
  const mayStop =
    managed.some(({ canStop }) => canStop) && outcome === "allowed" ? ", unless a managed rule stops it" : "";
  switch (must.kind) {
    case "reach-managed-rules":
      return `${outcome}, and no managed ruleset sees it`;
    case "be-limited":
      return `${outcome}${mayStop}, and no rate limit applies to it`;
    case "be-logged":
      return `${outcome}${by}${mayStop}, and no rule logs it`;
    case "not-be-skipped":
      return `skipped by ${skips.map(({ rule }) => rule).join(", ")}`;
    default:
      return `${outcome}${by}${to}${mayStop}`;
  }
}

/** That a rule executes a ruleset that is not given. */
export function missingRuleset({ name }: Pick<RulePlace, "name">, ruleset: string): Open {
  return { why: `${name} executes the ruleset ${ruleset}, which is not given`, decidedBy: "the rules of that ruleset" };
}

function deciding(expression: string | undefined): string {
  const parsed = expression === undefined ? undefined : parseExpression(expression);
  const lists = parsed === undefined || "fault" in parsed ? [] : Array.from(usesOf(parsed.expression).lists);
  if (lists.length === 0) return "rules that do not depend on it";
  return lists.every((name) => name.startsWith("cf.")) ? OWN_LISTS : LISTS;
}

/** What a simulation could be given is not for a proof. */
const GIVEN = /; pass (?:it|them|where) .*$/;

function reasonsOf({ undecided, managed, decision }: Simulation): readonly Open[] {
  const rules = undecided.map(({ rule, because }) => ({
    why: `it depends on ${rule.name}: ${because.map((one) => one.replace(GIVEN, "")).join("; ")}`,
    decidedBy: deciding(rule.expression),
  }));
  const missing = managed
    .filter(({ rule }) => isMissing(rule.phase))
    .map(({ ruleset, rule }) => missingRuleset(rule, ruleset));
  if (missing.length > 0) return missing;
  const seen = managed
    .filter(({ canStop }) => canStop)
    .map(({ ruleset, rule }) => ({
      why: `${rule.name} executes ${managedRulesetWords(ruleset)}, whose rules may stop it`,
      decidedBy: "a skip rule for these requests before it",
    }));
  return rules.length > 0 || decision !== undefined ? rules : seen;
}
