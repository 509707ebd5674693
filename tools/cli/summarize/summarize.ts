import type { Weakens } from "../../../core/analysis/index.js";
import { isObject, pick, sameJson, type JsonObject } from "../../../core/model/json.js";
import { knownText } from "../../../core/model/unknown.js";
import { NO_RULES } from "../../../core/rules/keyed.js";
import { rulesOfState } from "./deployed-rules.js";
import { REFRESH, separateDrift } from "./drift-steps.js";
import { judgeChange, notJudgedAtAll, withNotJudged, type JudgedChange } from "./effect.js";
import { notJudgedIn } from "./not-judged.js";
import { namesInLine } from "../../../core/managed/names.js";
import { rulesetName } from "../../../core/model/names.js";
import type { NameOf } from "../../../core/managed/rulesets.js";
import { effectOfList, listsEdit, notTold, usedAfterDelete, type ListSteps } from "./lists.js";
import { nameOfManaged } from "../managed-names.js";
import { asRuleset, isMoved, placedRows } from "./one-rule.js";
import { isInSameRuleset, withMoves, type MovedStep } from "./moves.js";
import { failuresIn, withoutLevel, type Diagnostic, type Preview, type ResourceState, type Step } from "./preview.js";
import { changedValues, ruleRows } from "./rule-rows.js";
import { secretChanges } from "./secret-changes.js";
import { descriptionOf, isInfrastructure, isSingleRule } from "./own-resource.js";
import { nameIn, ownType, stackIn } from "../../../core/model/urn.js";
import { isAboutChange, type NotJudged } from "../../../provider/validation/published-effect.js";
import {
  isCritical,
  isDrift,
  RULE_CHANGES,
  weakensBy,
  worstOf,
  type Effect,
  type FieldChange,
  type PlannedRequest,
  type OtherSummary,
  type ResourceSummary,
  type RuleChange,
  type RulesetSummary,
  type Summary,
  type ZoneNames,
} from "./summary.js";

/** The IDs of the zones in which a preview changes something of this package. */
export function zonesIn({ steps }: Preview): string[] {
  const own = steps.filter(({ urn, op }) => ownType(urn) !== undefined && opOf(op) !== undefined);
  return own.map(({ before, after }) => knownText((after ?? before)?.inputs.zoneId)).filter((id) => id !== "");
}

/** The names of the zones that the program declares, by ID, as far as the preview shows them. */
export function zoneNamesIn({ steps }: Preview): [string, string][] {
  return steps.flatMap(({ urn, before, after }): [string, string][] => {
    const { id, outputs } = after?.id === undefined ? (before ?? {}) : after;
    const name = knownText(outputs?.name);
    return id === undefined || name === "" || !/:Zone::[^:]*$/.test(urn) ? [] : [[id, name]];
  });
}

/**
 * Turns a preview into what a reviewer needs to know.
 * @param at when, in seconds since 1970; by default, rules apply at any time
 */
export function summarize(preview: Preview, zoneNames: ZoneNames = new Map(), at?: number): Summary {
  const { planned, drift } = separateDrift(preview.steps);
  const changing = planned.filter(({ op }) => opOf(op) !== undefined);
  const steps = withMoves(changing.map(inOneForm), preview.plans);
  const nameOf = nameOfManaged(managedRulesIn(preview.diagnostics));
  const listSteps = usingLists(preview);
  const context = { diagnostics: preview.diagnostics, nameOf, zoneNames, at, listSteps };
  const resources = steps.flatMap((step) =>
    summarizeStep(step, context).filter((resource) => step.moves.length > 0 || hasChanged(resource)),
  );
  const found = drift.flatMap((step) => describeDrift(step, { nameOf, zoneNames, at }).filter(hasChanged));
  const errors = failuresIn(preview);
  const elsewhere = steps.filter(
    ({ urn, op }) => ownType(urn) === undefined && op !== "read" && !isInfrastructure(urn),
  );
  const left = [...resources, ...leftDrift(found, resources)];
  const failed: readonly Weakens[] = errors.length > 0 ? ["unknown"] : [];
  const counted = resources.flatMap((resource) => (resource.kind === "ruleset" ? resource.rules : []));
  return {
    stack: stackOf(preview),
    resources: [...resources].sort((a, b) => compareTexts(sortKey(a), sortKey(b))),
    counts: Object.fromEntries(
      RULE_CHANGES.map((change) => [change, counted.filter((row) => row.change === change).length]),
    ) as Record<RuleChange, number>,
    lists: resources.filter(({ urn }) => isUsedByRules(urn)).length,
    drift: found,
    elsewhere: elsewhere.length,
    errors,
    weakens: worstOf([...left.map(weakensBy), ...failed]),
    removes: worstOf([...left.map(({ removes = "no" }) => removes), ...failed]),
    isDriftUnknown: isDriftUnknown(preview, planned),
  };
}

type AnySummary = RulesetSummary | OtherSummary;

/** Changes of others that the preview leaves in force. Of those that it undoes, only what is left in the end counts. */
function leftDrift(drift: readonly AnySummary[], resources: readonly AnySummary[]): readonly AnySummary[] {
  const undone = new Set(resources.map(({ urn }) => urn));
  return drift.filter(({ urn }) => !undone.has(urn));
}

/** What somebody else changed in a resource of this package, from the step that read it again, even if nothing differs. */
export function describeDrift(
  step: Step,
  context: Omit<StepContext, "diagnostics">,
): (RulesetSummary | OtherSummary)[] {
  const alone = { moves: [], released: new Set<string>(), changesUnknown: false };
  return summarizeStep({ ...inOneForm(step), ...alone }, { ...context, diagnostics: [] });
}

/** A step on a single rule as one on a ruleset. */
function inOneForm(step: Step): Step {
  return isSingleRule(step.urn) ? asRuleset(step) : step;
}

/** Whether the stack has resources, and the preview did not read them again, or not all of those that it shows. */
function isDriftUnknown({ steps, counts }: Preview, planned: readonly Step[]): boolean {
  const read = new Set(steps.flatMap(({ op, urn }) => (op === REFRESH && !isInfrastructure(urn) ? [urn] : [])));
  // Steps that change nothing may be hidden.
  if (read.size === 0)
    return steps.some(({ before }) => before !== undefined) || Object.keys(counts).some((op) => !NEW.has(op));
  return planned.some(({ urn, before }) => before !== undefined && ownType(urn) !== undefined && !read.has(urn));
}

/** Steps of resources that were not in the stack, or that were just read. */
const NEW: ReadonlySet<string> = new Set(["create", "read"]);

function stackOf({ steps, diagnostics }: Preview): string {
  const urns = [...steps, ...diagnostics].map(({ urn = "" }) => stackIn(urn));
  return urns.find((stack) => stack !== undefined) ?? "";
}

function opOf(op: string, hasObject = true): ResourceSummary["op"] | undefined {
  switch (op) {
    case "create":
    case "update":
    case "delete":
    case "read":
    case "replace":
      return op;
    case "import":
      return "create";
    case REFRESH:
      return hasObject ? "changed by others" : "gone";
    default:
      return undefined;
  }
}

/** What the steps are interpreted with. */
interface StepContext {
  readonly listSteps?: ListSteps;
  readonly diagnostics: readonly Diagnostic[];
  readonly nameOf: NameOf;
  readonly zoneNames: ZoneNames;
  /** When it is summarized, in seconds since 1970. */
  readonly at?: number | undefined;
}

/** Whether rules use resources of this kind, as they do lists. */
function isUsedByRules(urn: string): boolean {
  return (descriptionOf(urn)?.usedByRules ?? []).length > 0;
}

function usingLists({ steps, listEffects }: Preview): ListSteps {
  const own = steps.filter(({ urn, op }) => ownType(urn) !== undefined && op !== REFRESH);
  return {
    lists: own.filter(({ urn }) => isUsedByRules(urn)),
    rulesets: own.filter(({ urn }) => descriptionOf(urn)?.hasRules === true).map(inOneForm),
    listEffects,
  };
}

function summarizeStep(step: MovedStep, context: StepContext): (RulesetSummary | OtherSummary)[] {
  const type = ownType(step.urn);
  const op = opOf(step.op, step.after !== undefined);
  if (type === undefined || op === undefined) return [];
  const inputs = step.after?.inputs ?? step.before?.inputs ?? {};
  const shared = {
    urn: step.urn,
    resource: nameIn(step.urn),
    type,
    op,
    scope: scopeOf(inputs),
    notes: [...step.moves, ...notesOf(step.urn, context)],
    ...(needsPlan(step, op) && step.plan === undefined ? { hasUnknownWrites: true as const } : {}),
  };
  return descriptionOf(step.urn)?.hasRules === true
    ? [ofRuleset(shared, step, context)]
    : [ofOther(shared, step, context)];
}

type Shared = Omit<ResourceSummary, "writes">;

function ofRuleset(shared: Shared, step: MovedStep, { nameOf, zoneNames, at, listSteps }: StepContext): RulesetSummary {
  const { op } = shared;
  const inputs = step.after?.inputs ?? step.before?.inputs ?? {};
  const [old, now] = [
    rulesOfState(op === "create" && step.moves.length === 0 ? undefined : step.before),
    rulesOfState(op === "delete" ? undefined : step.after),
  ];
  const pending = old === undefined || now === undefined;
  const [before, after] = [old?.keyed ?? NO_RULES, now?.keyed ?? NO_RULES];
  const foreign = new Set([...(old?.foreign ?? []), ...(now?.foreign ?? [])]);
  const phase = knownText(inputs.phase);
  const isCustom = inputs.kind === "custom";
  const secrets = secretChanges(step);
  const isSingle = isSingleRule(shared.urn);
  // The rules of a resource that is deleted, or created again in another place, no longer run there, unless they are kept.
  const isKept = op === "delete" && inputs.onDelete === "keep";
  const isGone = op === "replace" && !isInSameRuleset(step.before, step.after);
  const unseen = needsPlan(step, op) ? notJudgedIn(step) : [];
  const { effect, rules: judged } = judgeStep(pending || phase === "" ? undefined : unseen, {
    phase: isGone ? knownText(step.before?.inputs.phase) : phase,
    kind: isCustom ? "custom" : "zone",
    before,
    after: isKept ? before : isGone ? NO_RULES : after,
    secrets,
    isPart: isSingle || inputs.ownership === "shared",
    moved: isSingle && isMoved(step) ? after.order : [],
    host: zoneNames.get(knownText(inputs.zoneId)),
    nameOf,
    lists: listsEdit(listSteps?.lists ?? []),
    at,
  });
  const changes = pending ? [] : ruleRows({ before, after, foreign, secrets, judged, nameOf, at });
  const rules = isSingle ? placedRows(changes, step) : changes;
  return {
    ...shared,
    kind: "ruleset",
    phase,
    title: isCustom ? customTitle(inputs) : phase,
    rules,
    pending,
    removes: rules.some(({ change }) => change === "removed")
      ? "yes"
      : unseen.length > 0 || (pending && before.order.length > 0) || mayReplace(step, op)
        ? "unknown"
        : "no",
    ...(isDrift(op) ? { fields: changedValues(labelsOf(step.before), labelsOf(step.after), nameOf) } : {}),
    ...(op === "read" ? {} : { effect }),
    writes: writesOf(op, step),
  };
}

/** Judges a change, unless its rules are not known. */
function judgeStep(unseen: readonly NotJudged[] | undefined, change: Parameters<typeof judgeChange>[0]): JudgedChange {
  const unknown = (what: string): Effect =>
    notJudgedAtAll({
      what,
      why: "they are not known before `pulumi up`",
      decidedBy: "a preview once the values exist that they are made of",
    });
  if (unseen === undefined) return { effect: unknown("the rules of this ruleset"), rules: new Map() };
  const { effect, rules } = judgeChange(change);
  return { effect: withNotJudged(effect, unseen), rules };
}

/** What a ruleset has besides rules. One that is gone has nothing to compare. */
function labelsOf(state: ResourceState | undefined): JsonObject {
  return pick(state?.inputs ?? {}, ["name", "description"]);
}

/** A `RulesetRule` refers to its ruleset by ID. */
function customTitle({ name, rulesetId, phase }: JsonObject): string {
  return rulesetName({ kind: "custom", name: knownText(name), id: knownText(rulesetId), phase: knownText(phase) });
}

/** Outputs of a migration that are too long for one line; the report has its own command. */
const LONG: ReadonlySet<string> = new Set(["retrievedConfig", "plannedRules", "report", "rules", "adjustments"]);

/** Of a kind without rules, whose effect on requests nobody judges, a missing plan only hides the writes. */
const NO_PLAN = "the preview has no plan for this resource, so its requests are not known";

function ofOther(shared: Shared, step: MovedStep, { nameOf, listSteps }: StepContext): OtherSummary {
  const [before, after] = [plainInputs(step.before), plainInputs(step.after)];
  const { op } = shared;
  const fields = op === "read" ? [] : changedValues(before, after, nameOf);
  const description = descriptionOf(shared.urn);
  const title = description?.title?.(step.after?.inputs ?? step.before?.inputs ?? {}) ?? shared.type;
  const isUsedOtherwise =
    op !== "read" && (description?.usedByRules ?? []).some((name) => !sameJson(before[name], after[name]));
  const notes = [
    ...shared.notes,
    ...(isUsedOtherwise ? usedAfterDelete(step, listSteps?.rulesets ?? []) : []),
    ...(shared.hasUnknownWrites === true ? [NO_PLAN] : []),
  ];
  if (description === undefined && op !== "read") return { ...unknownKind(shared), fields };
  return {
    ...shared,
    ...(isUsedOtherwise
      ? {
          effect:
            (listSteps === undefined ? undefined : effectOfList(step, listSteps)) ?? notJudgedAtAll(notTold(title)),
        }
      : {}),
    notes,
    kind: "other",
    title,
    fields: fields.map((field) => (LONG.has(field.field) ? { field: field.field } : asItem(field, before, after))),
    writes: writesOf(op, step),
  };
}

/** Marks the change of an item that only one of two lists has. */
function asItem(change: FieldChange, ...lists: readonly JsonObject[]): FieldChange {
  const item = change.field.slice(ITEMS.length);
  const isItem =
    change.field.startsWith(ITEMS) && lists.some(({ items }) => isObject(items) && Object.hasOwn(items, item));
  const isOneSided = change.before === undefined || change.after === undefined;
  return isItem && isOneSided ? { ...change, item } : change;
}

const ITEMS = "items.";

/** A resource of a kind that only another version of this package has. */
function unknownKind(shared: Shared): Omit<OtherSummary, "fields"> {
  const { type } = shared;
  const effect = notJudgedAtAll({
    what: "this resource",
    why: `this version of pulumi-rulesets does not know the kind ${type}`,
    decidedBy: "the version of pulumi-rulesets that the program uses",
  });
  return { ...shared, kind: "other", title: type, removes: "unknown", effect, hasUnknownWrites: true, writes: [] };
}

/** Whether a new resource deletes the rules of others, if there are any: the preview has not looked. */
function mayReplace({ after, plan }: MovedStep, op: ResourceSummary["op"]): boolean {
  const { onExisting = "fail" } = after?.inputs ?? {};
  if (op !== "create" || onExisting === "fail" || onExisting === "adopt") return false;
  return plan?.writes.some(({ unless }) => unless !== undefined) ?? true;
}

/** Whether a preview has to say what `pulumi up` does to a resource. Of a delete, the state says it; an import writes nothing. */
function needsPlan(step: Step, op: ResourceSummary["op"]): boolean {
  return step.op !== "import" && (op === "create" || op === "update" || op === "replace");
}

/** The requests of a step: as its plan says, and of a delete, about which the engine asks nobody, as the state says. */
function writesOf(op: ResourceSummary["op"], step: MovedStep): readonly PlannedRequest[] {
  const { urn, before, released } = step;
  const deletes = (op === "delete" || op === "replace") && before !== undefined;
  return [
    ...(needsPlan(step, op) ? (step.plan?.writes ?? []) : []),
    ...(deletes ? (descriptionOf(urn)?.plannedDelete?.({ ...before, released }) ?? []) : []),
  ];
}

function plainInputs(state: ResourceState | undefined): JsonObject {
  return Object.fromEntries(Object.entries(state?.inputs ?? {}).filter(([name]) => !name.startsWith("__")));
}

/** Internal values in the state of this package are not changes that need review. */
export function hasChanged(resource: RulesetSummary | OtherSummary): boolean {
  if (resource.op !== "read" && resource.op !== "update" && resource.op !== "changed by others") return true;
  if (resource.op === "read") return false;
  if (resource.kind === "other") return resource.fields.length > 0 || resource.writes.length > 0;
  if ((resource.fields ?? []).length > 0) return true;
  if ((resource.effect?.notJudged ?? []).length > 0) return true;
  return resource.pending || resource.writes.length > 0 || resource.rules.some(({ change }) => change !== "unchanged");
}

/**
 * Names of managed rules from a preview's diagnostics. They have a line of their own there; here they are shown next to the
 * IDs.
 */
function managedRulesIn(diagnostics: readonly Diagnostic[]): Readonly<Record<string, string>> {
  const own = diagnostics.filter(({ urn = "" }) => ownType(urn) !== undefined);
  return Object.fromEntries(own.flatMap(({ message }) => Object.entries(namesInLine(withoutLevel(message)) ?? {})));
}

/** Whether a message repeats what the table of rules shows: what the change does to requests. Warnings say something else. */
function repeatsTable({ severity, message }: Diagnostic): boolean {
  return severity !== "warning" && isAboutChange(withoutLevel(message));
}

function notesOf(urn: string, { diagnostics }: StepContext): string[] {
  const hasTable = descriptionOf(urn)?.hasRules === true;
  const isSaid = (one: Diagnostic): boolean =>
    (hasTable && repeatsTable(one)) || namesInLine(withoutLevel(one.message)) !== undefined;
  const own = diagnostics.filter((one) => one.urn === urn && one.severity !== "error" && !isSaid(one));
  return [...new Set(own.map(({ message }) => withoutLevel(message)))];
}

function scopeOf({ zoneId, accountId }: JsonObject): string {
  if (knownText(zoneId) !== "") return `zone ${knownText(zoneId)}`;
  return knownText(accountId) === "" ? "" : `account ${knownText(accountId)}`;
}

/** Changes that remove protection first, then rulesets by scope and phase, then everything else. */
function sortKey(resource: RulesetSummary | OtherSummary): readonly string[] {
  return [
    isCritical(resource) ? "0" : resource.kind === "ruleset" ? "1" : "2",
    resource.scope,
    resource.title,
    resource.resource,
  ];
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  if (sameJson(a, b)) return 0;
  const index = a.findIndex((text, place) => text !== b[place]);
  return (a[index] ?? "") < (b[index] ?? "") ? -1 : 1;
}
