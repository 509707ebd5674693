import { judge, type JudgedRule, type Judgement } from "../../core/analysis/index.js";
import { coreWords } from "../../core/previous-waf/readiness/words.js";
import { isList, isObject, mapFrom, pick, type Json, type JsonObject } from "../../core/model/json.js";
import { shortRulesetId } from "../../core/model/ids.js";
import { quotedRuleName } from "../../core/model/names.js";
import { HIDDEN } from "../../core/model/secret.js";
import { judgedRule } from "../../core/model/judged-rule.js";
import type { RuleInput } from "../../core/simulator/index.js";
import { isProtective } from "./phases.js";
import type {
  ManagedRun,
  Report,
  RuleLine,
  RulesetLine,
  UnjudgedChange,
  UnreadPart,
  Regression,
  Where,
} from "./report.js";
import { findingKey, ruleKey, whereOfAccount, whereOfZone } from "./scope.js";

/** What the rules do less than before, and changes of which that is not known. */
interface RuleRegressions {
  readonly worse: readonly Regression[];
  readonly notJudged: readonly UnjudgedChange[];
}

interface Scope extends Pick<Report["zones"][number], "rulesets" | "unread"> {
  readonly where: Where;
}

/** Judges every ruleset that changed. What a finding already reports about a rule is not repeated. */
export function ruleRegressions(now: Report, before: Report, findings: readonly Regression[]): RuleRegressions {
  const known: KnownFindings = {
    at: Date.parse(now.createdAt) / 1000,
    reported: new Set(findings.flatMap(({ key }) => (key === undefined ? [] : [key.slice(0, key.lastIndexOf("/"))]))),
    messages: new Map(now.findings.map(({ key, message }) => [key, message])),
  };
  const old = new Map(scopesOf(before).map((scope) => [scope.where.id, scope]));
  const found = scopesOf(now).flatMap(({ where, rulesets, unread }) => {
    const was = old.get(where.id);
    if (was === undefined) return [];
    // A part without a phase stands for all phases.
    const [open, unreadThen] = [phasesOf(unread), phasesOf(was.unread)];
    const lost = notJudgedFor(unread, { where, rulesets: was.rulesets, by: NOW });
    if (open.has(undefined)) return [{ worse: [], notJudged: lost }];
    const isComparable = ({ phase }: RulesetLine): boolean => isProtective(phase) && !open.has(phase);
    const earlier = was.rulesets.filter(isComparable);
    const isNew = (line: RulesetLine): boolean =>
      isComparable(line) && !earlier.some((one) => isSame(one, line)) && !unreadThen.has(line.phase);
    const added = unreadThen.has(undefined) ? [] : rulesets.filter(isNew);
    return [
      { worse: [], notJudged: lost },
      { worse: [], notJudged: notJudgedFor(was.unread, { where, rulesets, by: THEN }) },
      ...[...earlier, ...added.map(asEmpty)].map((line) =>
        new RulesetComparison(where, line, rulesets, known).result(),
      ),
    ];
  });
  return {
    worse: found.flatMap(({ worse }) => worse),
    notJudged: found.flatMap(({ notJudged }) => notJudged),
  };
}

function scopesOf({ zones, accounts }: Report): Scope[] {
  return [
    ...zones.flatMap((zone) => (zone.failure === undefined ? [{ ...zone, where: whereOfZone(zone) }] : [])),
    ...accounts.map((account) => ({ ...account, where: whereOfAccount(account) })),
  ];
}

/** A ruleset before it existed. */
function asEmpty(line: RulesetLine): RulesetLine {
  return { ...line, version: "", managed: [], rules: [] };
}

/** One of the two reports, and what would decide what it could not read. */
interface Reader {
  readonly name: string;
  readonly decides: string;
}

const THEN: Reader = { name: "the baseline", decides: "a baseline that could" };
const NOW: Reader = { name: "this run", decides: "a run that can" };

/** The phases whose rules could not be read; undefined stands for all. */
function phasesOf(unread: readonly UnreadPart[]): ReadonlySet<string | undefined> {
  return new Set(unread.flatMap(({ of, phase }) => (of === undefined ? [phase] : [])));
}

/** Rulesets that have nothing to be compared with, because one of the two reports could not read them. */
function notJudgedFor(
  unread: readonly UnreadPart[],
  { where, rulesets, by }: { readonly where: Where; readonly rulesets: readonly RulesetLine[]; readonly by: Reader },
): UnjudgedChange[] {
  return unread.flatMap(({ of, phase, what, reason }) =>
    rulesets
      .filter((line) => of === undefined && isProtective(line.phase) && (phase === undefined || line.phase === phase))
      .map((line) => ({
        where,
        phase: line.phase,
        ruleset: pick(line, ["id", "name"]),
        message: `what changed is not known, because ${by.name} could not read ${what}: ${reason}. What would decide it: ${by.decides}`,
      })),
  );
}

/** What the report says already. */
interface KnownFindings {
  /** When it was made, in seconds since 1970. */
  readonly at: number;
  /** The rules that findings report already. */
  readonly reported: ReadonlySet<string>;
  /** The messages of all findings, by key. */
  readonly messages: ReadonlyMap<string, string>;
}

/** Compares a ruleset with its state in the baseline. */
class RulesetComparison {
  private readonly now: RulesetLine;
  /** The rules now, under the refs of the baseline if they were created again. */
  private readonly rules: readonly RuleLine[];
  private readonly judgement: Judgement;

  constructor(
    private readonly where: Where,
    private readonly was: RulesetLine,
    rulesets: readonly RulesetLine[],
    private readonly known: KnownFindings,
  ) {
    const gone: RulesetLine = { ...was, id: "", version: "", managed: [], rules: [] };
    this.now = rulesets.find((one) => isSame(one, was)) ?? gone;
    this.rules = withOldRefs(was.rules, this.now.rules);
    const { phase, kind } = was;
    const isUntouched = this.now.id === was.id && this.now.version === was.version;
    this.judgement = judge({
      phase,
      kind: kind === "custom" ? kind : "zone",
      before: isUntouched ? [] : was.rules.map((rule) => inputOf(rule, was, "before")),
      after: isUntouched ? [] : this.rules.map((rule) => inputOf(rule, this.now, "now")),
      ...(where.level === "zone" ? { host: where.name } : {}),
      now: known.at,
    });
  }

  result(): RuleRegressions {
    const { phase, where } = this;
    const worse = this.judgement.rules.flatMap((rule): Regression[] => {
      const line = this.lineOf(rule);
      if (rule.weakens !== "yes" || line === undefined || this.isReported(line)) return [];
      const run = this.was.managed.find((one) => one.rule.ref === rule.ref);
      const severity = run === undefined ? "warning" : "error";
      const about = run === undefined ? { rule: pick(line, ["ref", "action", "description", "expression"]) } : {};
      return this.lossOf(rule, line, run).map((message) => ({ where, phase, severity, ...about, message }));
    });
    return { worse, notJudged: this.judgement.weakens === "unknown" ? this.unjudged() : [] };
  }

  private get phase(): string {
    return this.was.phase;
  }

  private lineOf({ ref }: JudgedRule): RuleLine | undefined {
    return [...this.was.rules, ...this.rules].find((rule) => rule.ref === ref);
  }

  private isReported({ ref }: RuleLine): boolean {
    return this.known.reported.has(ruleKey(this.where, this.now.id === "" ? this.was : this.now, ref));
  }

  private unjudged(): UnjudgedChange[] {
    const { where, phase } = this;
    const ruleset = pick(this.was, ["id", "name"]);
    return this.judgement.notJudged.map(({ rule, why, decidedBy = DECIDED_BY }) => ({
      ...{ where, phase, ruleset },
      message: `rule ${rule} changed, and ${this.was.rules.some(isOld) ? OLD_BASELINE : why}. What would decide it: ${decidedBy}`,
    }));
  }

  /** What a rule does less than before. */
  private lossOf(judged: JudgedRule, line: RuleLine, run: ManagedRun | undefined): string[] {
    const was = this.was.rules.find(({ ref }) => ref === judged.ref);
    const is = this.rules.find(({ ref }) => ref === judged.ref);
    if (run !== undefined && is === undefined) return [`no rule executes ${run.name} anymore`];
    // A managed ruleset that is off is a finding.
    const name = run?.name ?? `the rule ${quotedRuleName(line)} (${line.action})`;
    if (is === undefined) return [`${name} was removed`];
    const finding = this.known.messages.get(findingKey(this.where, this.now, "skip", is.ref));
    const narrowed = was !== undefined && was.expression !== is.expression;
    if (is.action === "skip" && finding !== undefined && narrowed)
      return [`${finding}; before, when ${was.expression}`];
    const levels = run === undefined ? undefined : this.levelsOf(run);
    const reasons = judged.reasons.filter(({ fields }) => fields !== undefined).map(({ text }) => text);
    const weaker = levels ?? (reasons.length === 0 ? undefined : `is weaker: ${reasons.join(", ")}`);
    const words = [
      ...(weaker === undefined ? [] : [weaker]),
      ...(narrowed && judged.reasons.some(({ fields }) => fields === undefined)
        ? [
            `no longer applies to all requests it used to: it now applies to ${is.expression}, and applied to ${was.expression} before`,
          ]
        : []),
    ];
    return words.length === 0 ? [`${name} ${this.placeWords(judged)}`] : words.map((one) => `${name} ${one}`);
  }

  /** How the OWASP core ruleset is set, if that changed. */
  private levelsOf(was: ManagedRun): string | undefined {
    const is = this.now.managed.find(({ id }) => id === was.id);
    if (was.paranoiaLevel === undefined || is === undefined || levelWords(is) === levelWords(was)) return undefined;
    return `was set to ${levelWords(was)}, and is now set to ${levelWords(is)}`;
  }

  /** For a rule that weakens others by its place: a request that shows it. */
  private placeWords({ isMoved }: JudgedRule): string {
    const shown = this.judgement.comparison.witnesses.find(({ direction }) => direction === "looser");
    const what = isMoved ? "moved" : "changed, or is new";
    return shown === undefined ? what : `${what}: ${shown.text}`;
  }
}

const OLD_BASELINE = "the baseline does not contain what the rules do";
const DECIDED_BY = "`npx pulumi-rulesets versions diff`, or a baseline written by this version";

/** A recreated entry point is the same ruleset. */
function isSame(a: RulesetLine, b: RulesetLine): boolean {
  return a.kind === "custom" || b.kind === "custom" ? a.id === b.id : a.phase === b.phase;
}

function levelWords({ paranoiaLevel = 0, scoreThreshold, action }: ManagedRun): string {
  return coreWords({ paranoiaLevel, scoreThreshold, action });
}

/** Whether a line comes from a version that recorded only what it showed. */
function isOld({ version }: RuleLine): boolean {
  return version === undefined;
}

/** A rule as it is judged. If a secret in it is the same, its rule has not been written since. */
function inputOf(line: RuleLine, { id, phase }: RulesetLine, side: "before" | "now"): RuleInput {
  const { ref, version, lastUpdated, description, ...rule } = line;
  const part = isOld(line) ? side : JSON.stringify([id, ref, version, lastUpdated]);
  const isIncomplete =
    isOld(line) && (rule.action === "skip" || rule.action === "execute" || phase === "http_ratelimit");
  const known = withWholeSecrets(rule) as JsonObject;
  return { ...judgedRule(isIncomplete ? { ...known, action: HIDDEN } : known, part, ref), description };
}

/** A value in which all of a text is secret that contains a secret. */
function withWholeSecrets(value: Json): Json {
  const isHiding = (text: string): boolean => text.includes(HIDDEN);
  if (typeof value === "string") return isHiding(value) ? HIDDEN : value;
  if (isList(value)) return value.map(withWholeSecrets);
  if (!isObject(value)) return value;
  if (Object.keys(value).some(isHiding)) return HIDDEN;
  return mapFrom(Object.entries(value).map(([name, item]) => [name, withWholeSecrets(item ?? null)] as const));
}

/** Recognises rules that were created again under another ref. */
function withOldRefs(before: readonly RuleLine[], now: readonly RuleLine[]): readonly RuleLine[] {
  const [old, fresh] = [before, now].map((rules) => new Set(rules.map(({ ref }) => ref)));
  const lost = new Map<string, RuleLine[]>();
  for (const rule of before) {
    if (fresh?.has(rule.ref) === true) continue;
    const key = contentKey(rule);
    lost.set(key, [...(lost.get(key) ?? []), rule]);
  }
  return now.map((rule) => {
    if (old?.has(rule.ref) === true) return rule;
    const same = lost.get(contentKey(rule))?.shift();
    return same === undefined ? rule : { ...rule, ref: same.ref };
  });
}

function contentKey({ action, description, expression, actionParameters }: RuleLine): string {
  const executed = action === "execute" ? actionParameters?.id : undefined;
  return JSON.stringify([
    action,
    description,
    expression,
    typeof executed === "string" ? shortRulesetId(executed) : "",
  ]);
}
