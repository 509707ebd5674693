import { compare, judge, type Comparison } from "../../../core/analysis/index";
import { makeRequest, type HttpRequest, type RequestInput } from "../../../core/language/index";
import {
  compileProgram,
  simulate,
  type Program,
  type RuleInput,
  type RulesetInput,
} from "../../../core/simulator/index";
import { SEED } from "../../support/fuzzing.js";
import { fc, runs } from "../../support/properties.js";
import { edited, request, rulesets } from "./arbitrary";

// What is said of an edit of which only a part is known holds whatever the rest is.

const numRuns = runs(12);

let compared = 0;
afterAll(() => {
  if (numRuns > 12) process.stdout.write(`${String(compared)} cases compared, seed ${String(SEED)}\n`);
});

const requests = fc.array(request, { minLength: 40, maxLength: 40 });
const edits = rulesets.chain((before) => fc.tuple(fc.constant(before), edited(before)));

const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };
const SETTINGS: Readonly<Record<string, readonly unknown[]>> = {
  bic: [false, true],
  securityLevel: ["off", "low", "high"],
};

interface Seen {
  readonly outcome: string;
  /** The phase and level of the rule that decided. */
  readonly by: string | undefined;
  readonly url: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

function see(program: Program, to: HttpRequest): Seen {
  const { outcome, rule, request: sent, settings } = simulate({ program, request: to });
  const by = rule === undefined ? undefined : `${rule.phase} ${rule.level} ${String(rule.ruleset)}`;
  return { outcome, by, url: sent.url, settings: { ...settings.http_config_settings } };
}

/** Which ways a request is treated differently, as far as its outcome and settings with an order say it. */
function waysOf(before: Seen, after: Seen): readonly ("looser" | "stricter")[] {
  const [was, is] = [RANKS[before.outcome], RANKS[after.outcome]];
  if (was === undefined || is === undefined) return [];
  if (was !== is) return [is > was ? "stricter" : "looser"];
  if (was !== 0) return [];
  return Object.entries(SETTINGS).flatMap(([name, order]) => {
    const [old, fresh] = [before.settings[name], after.settings[name]].map((value) => order.indexOf(value));
    if (old === undefined || fresh === undefined || old < 0 || fresh < 0 || old === fresh) return [];
    return [fresh > old ? ("stricter" as const) : ("looser" as const)];
  });
}

/** Throws if a comparison rules out how requests are treated. */
function check(
  found: Comparison,
  programs: readonly [Program, Program],
  inputs: readonly RequestInput[],
  given: readonly (readonly RulesetInput[])[],
  isLeftOut: (before: Seen, after: Seen) => boolean = () => false,
): void {
  for (const input of inputs) {
    const to = makeRequest(input);
    const [was, is] = [see(programs[0], to), see(programs[1], to)];
    compared += 1;
    if (isLeftOut(was, is)) continue;
    for (const way of waysOf(was, is))
      if (found[way] === "ruledOut")
        throw new Error(`${way}, though ruled out, for ${JSON.stringify(input)}\n${JSON.stringify(given)}`);
    if (found.verdict === "equivalent" && was.outcome === "allowed") expect(is).toEqual(was);
  }
}

test("what is said of a ruleset alone holds among all rulesets", () => {
  fc.assert(
    fc.property(edits, requests, ([before, after], inputs) => {
      const at = before.findIndex((ruleset, index) => JSON.stringify(ruleset) !== JSON.stringify(after[index]));
      const [old, fresh] = [before[at], after[at]];
      if (old === undefined || fresh === undefined) return;
      // A ruleset is judged by itself: whether what it stops, or executes, would be stopped by a later one is not asked.
      const isRewrite = old.phase === "http_request_transform";
      const isDecidedElsewhere = ({ by: was }: Seen, { by: is }: Seen): boolean =>
        !isRewrite && was !== undefined && is !== undefined && was !== is;
      const found = compare({ before: [old], after: [fresh] });
      check(found, [compileProgram(before), compileProgram(after)], inputs, [before, after], isDecidedElsewhere);
    }),
    { numRuns },
  );
});

/** How rules are hidden: not at all, their expressions, what they do, or behind a field whose meaning is not known. */
type Hiding = "no" | "expression" | "parameters" | "all" | "raw";
const hidings = fc.array(fc.constantFrom<Hiding>("no", "no", "no", "expression", "parameters", "all", "raw"), {
  minLength: 8,
  maxLength: 8,
});

/** What is known of a rule. What is hidden in it is equal where the rules are. */
function known(rule: RuleInput, hiding: Hiding): RuleInput {
  const { ref, action, expression, enabled, actionParameters, ratelimit } = rule;
  const [what, when] = [{ ref, action, actionParameters, ratelimit, enabled }, { expression }];
  switch (hiding) {
    case "no":
      return rule;
    case "raw":
      return { ...rule, wire: { newField: expression?.length ?? 0 } };
    case "expression":
      return { ...what, opaque: JSON.stringify(when) };
    case "parameters":
      // Whether a rule acts is hidden with what it skips, executes or counts.
      return action === "rewrite" || action === "redirect" || action === "set_config"
        ? { ref, action, enabled, expression, opaque: JSON.stringify(actionParameters) }
        : { ref, action: "unknown", expression, opaque: JSON.stringify(what) };
    case "all":
      return { ref, action: "unknown", opaque: JSON.stringify(rule) };
  }
}

/** What really happens: of rules with equal unknown fields, all act or none does. */
function real(rule: RuleInput, hiding: Hiding): RuleInput {
  if (hiding !== "raw") return rule;
  return (rule.expression?.length ?? 0) % 3 === 0 ? { ...rule, enabled: false } : rule;
}

function withRules(
  all: readonly RulesetInput[],
  hiding: readonly Hiding[],
  each: (rule: RuleInput, hiding: Hiding) => RuleInput,
): RulesetInput[] {
  const numberOf = (ref = ""): number => Array.from(ref).reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return all.map((ruleset) => ({
    ...ruleset,
    rules: ruleset.rules.map((rule) => each(rule, hiding[numberOf(rule.ref) % hiding.length] ?? "no")),
  }));
}

test("what is said of rules that are known in part holds for what they really are", () => {
  fc.assert(
    fc.property(edits, hidings, requests, ([before, after], hiding, inputs) => {
      const given = [before, after].map((all) => withRules(all, hiding, known)) as [RulesetInput[], RulesetInput[]];
      const found = compare({ before: given[0], after: given[1] });
      const programs = [before, after].map((all) => compileProgram(withRules(all, hiding, real)));
      check(found, programs as [Program, Program], inputs, given);
    }),
    { numRuns },
  );
});

test("what is said of some rules of a ruleset holds among its other rules", () => {
  fc.assert(
    fc.property(
      edits,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      requests,
      ([before, after], isOwn, inputs) => {
        const at = 2;
        const [old, fresh] = [before[at] as RulesetInput, after[at] as RulesetInput];
        const isMine = ({ ref = "" }: RuleInput): boolean => isOwn[Number(ref.slice(-1))] ?? true;
        // The rules of others stay as they are.
        const others = ({ rules }: RulesetInput): string => JSON.stringify(rules.filter((rule) => !isMine(rule)));
        if (others(old) !== others(fresh) || JSON.stringify(old) === JSON.stringify(fresh)) return;
        const refs = fresh.rules.filter(isMine).flatMap(({ ref }) => ref ?? []);
        const order = ({ rules }: RulesetInput): string =>
          JSON.stringify(rules.map(({ ref }) => ref).filter((ref) => fresh.rules.some((one) => one.ref === ref)));
        const isMoved = order({ ...old, rules: old.rules }) !== order({ ...fresh, rules: fresh.rules });
        const { comparison, weakens } = judge({
          phase: old.phase,
          isPart: true,
          before: old.rules.filter(isMine),
          after: fresh.rules.filter(isMine),
          moved: isMoved ? refs : [],
        });
        const alone = (one: RulesetInput): Program => compileProgram([one]);
        check(comparison, [alone(old), alone(fresh)], inputs, [[old], [fresh]]);
        if (weakens === "no") expect(comparison.looser).not.toBe("shown");
      },
    ),
    { numRuns },
  );
});
