import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { omit, sameJson } from "../../../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { NOT_KNOWN, type Pending, valueIfKnown } from "../../../../core/model/unknown.js";
import { diffRules, isEmptyDiff, type RulesDiff } from "../../../../core/rules/diff.js";
import {
  fieldsOf,
  type KeyedRules,
  NO_RULES,
  type PendingFields,
  requireKnownRule,
} from "../../../../core/rules/keyed.js";
import type { Impossible, Unanchored } from "../../../../core/rules/placing/position.js";
import type { Step } from "../../../../core/rules/placing/steps.js";
import { isSameForm, isSameMeaning, Rule } from "../../../../core/rules/rule.js";
import { isSameText } from "../../../../core/rules/spelling.js";
import { type Conflict, contentById, findConflict, NO_CONFLICT, recogniseRules } from "../../../ownership/conflict.js";
import { reachOf } from "../../../ownership/reach.js";
import { findRemoved, type Removal } from "../../../ownership/removal.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { type Desired, desiredFrom, isOwnershipRequested, type Target } from "../desired.js";
import { There } from "../run.js";
import { type ParsedState, parseState, recordedDescription, serviceRefs } from "../state.js";

/** What a program changes of a resource since the last run, as its state and its inputs show it. */
export interface Edit {
  readonly recorded: ParsedState;
  readonly desired: Desired;
  /** How the rules differ; undefined while the rules are unknown. */
  readonly difference: RulesDiff | undefined;
  /** Whether something is to be written: the service stores something else, or a write with an unknown result is completed. */
  readonly writes: boolean;
  /** Whether the state differs in something that is never sent. */
  readonly changesState: boolean;
  /** Whether it changes between sharing the ruleset and owning the whole. */
  readonly switches: boolean;
  /** Whether a delete may remove what the resource manages from then on: it was asked to, or has not only taken it over. */
  readonly owned: boolean;
}

/** A request that may turn out to be unnecessary. */
interface Possible {
  /** The condition under which it is not sent, where it is not known what exists. */
  readonly unless?: string;
}

/** Creates a ruleset with its rules, or replaces it as a whole. */
interface WholeRequest extends Possible {
  readonly kind: "create" | "replace";
  readonly content: Content;
}

/** A request that changes something. */
export type Request = WholeRequest | (Step & Possible);

/** What leads from what was to what is wanted. What a preview shows of it is what `pulumi up` sends. */
export interface Change {
  /** What the stack recorded. */
  readonly recorded: ParsedState;
  readonly desired: Desired;
  readonly there: There;
  /** What is to be there: every rule of the resource, with the ref that it has at the service. */
  readonly after: Content;
  readonly requests: readonly Request[];
  readonly notes: Notes;
}

/** A change of a whole ruleset: at most one request. */
export interface WholeChange extends Change {
  readonly requests: readonly WholeRequest[];
}

/** The requests of a change that write single rules. */
export function stepsOf({ requests }: Change): readonly Step[] {
  return requests.filter((one): one is Step => one.kind !== "create" && one.kind !== "replace");
}

/** By ref of the program, the refs that its rules have at the service after a change. */
export function refsAfter({ desired, after }: Change): ReadonlyMap<string, string> {
  return new Map((desired.rules ?? NO_RULES).order.map((ref, index) => [ref, after.rules[index]?.ref ?? ref]));
}

/** What somebody should know of a change, or what stops it. */
export interface Notes {
  /** How what the program wants differs from what it wanted; undefined while that is unknown. */
  readonly difference: RulesDiff | undefined;
  /** What somebody else changed that the requests would undo. */
  readonly conflict: Conflict;
  /** By ref, rules of others that the program now also declares. */
  readonly recognised: ReadonlyMap<string, DeployedRule>;
  /** The rules that the requests remove. */
  readonly removal: Removal;
  /** Why a rule has a ref of the program that is not the resource's to change. */
  readonly refusal?: string | undefined;
  /** Why a rule cannot be where the program wants it. */
  readonly unplaced?: Unplaced | undefined;
  /** Set where the resource has its own rules among those of others. */
  readonly own?: OwnRules;
}

/** The own rules of a resource among those of others. */
export interface OwnRules {
  /** What the stack recorded, with what can be told from what is there, and without rules that moved to other resources. */
  readonly known: ParsedState;
  /** By ref, the IDs of those that exist. */
  readonly ids: ReadonlyMap<string, string>;
  /** Rules that were only taken over because they were equal, and that the program no longer declares: they stay. */
  readonly kept: readonly DeployedRule[];
  /** Refs of rules that were only taken over because they were equal, and that this stack has not written. */
  readonly takenOver: ReadonlySet<string>;
}

/** A rule that cannot have its position: it names a rule that does not exist, or contradicts others. */
export type Unplaced = Unanchored | ({ readonly kind: "impossible" } & Impossible);

/** A state and inputs, parsed. */
export function sidesOf(state: RulesetState, inputs: Pending<RulesetInputs>): Pick<Edit, "recorded" | "desired"> {
  const recorded = parseState(state);
  const isSameList = state.order === inputs.order && sameJson(state.rules, inputs.rules);
  return { recorded, desired: desiredFrom(inputs, isSameList ? recorded.declared : undefined) };
}

/** What the program changes. */
export function editOf({ recorded, desired }: Pick<Edit, "recorded" | "desired">): Edit {
  const { state } = recorded;
  const difference = desired.rules === undefined ? undefined : diffRules(recorded.declared, desired.rules);
  const isPending = Object.values(desired.rules?.rules ?? {}).some(({ pending }) => pending);
  const isEqual = difference !== undefined && isEmptyDiff(difference) && !isPending;
  const switches = desired.reach.isPart !== reachOf(state).isPart;
  const wasTakenOver = state.__takenOver !== undefined;
  const takesOwnership = wasTakenOver && isOwnershipRequested(desired.policy);
  const besides = desired.reach.isPart ? besidesOwnRules(recorded, desired) : besidesRules(recorded, desired);
  return {
    ...{ recorded, desired, difference, switches },
    writes: state.__incomplete === true || !isEqual || besides.writes,
    changesState: takesOwnership || switches || besides.changesState,
    owned: !wasTakenOver || takesOwnership,
  };
}

/** Whether anything of a whole ruleset differs that is not a rule of the program. */
function besidesRules({ state }: ParsedState, desired: Desired): Pick<Edit, "writes" | "changesState"> {
  const { name, description } = desired;
  const described = description === undefined ? (state.description ?? "") : recordedDescription(state);
  // Rules of others that a refresh has found are not to be there.
  const dropsForeign = !sameJson(state.foreignRules ?? {}, desired.foreignRules);
  const renames = name !== undefined && state.name !== name;
  return { writes: described !== (description ?? "") || renames || dropsForeign, changesState: false };
}

/** Nobody manages the name and description of a shared ruleset, or the rules of others. */
function besidesOwnRules(
  { state, positions: last }: ParsedState,
  { name, positions }: Desired,
): Pick<Edit, "writes" | "changesState"> {
  const dropsPosition = [...last.keys()].some((ref) => !positions.has(ref));
  return {
    writes: [...positions].some(([ref, position]) => !sameJson(last.get(ref), position)),
    changesState: name !== state.name || dropsPosition,
  };
}

/** What a change is planned from. */
export interface Planned extends Pick<Edit, "recorded" | "desired" | "difference"> {
  /** Whether the resource is new: what exists is then nothing that somebody else changed. @default false */
  readonly isNew?: boolean;
}

/** Plans a change of a resource that owns the whole of its ruleset. */
export function planWhole({ recorded, desired, difference, isNew = false }: Planned, there: There): WholeChange {
  const { isRead, deployed } = there;
  const common = { recorded, desired, there };
  if (deployed === undefined) {
    const after = contentToCreate(desired);
    const removal = removalBlindly(recorded, desired);
    const notes = { difference, conflict: NO_CONFLICT, recognised: new Map<string, DeployedRule>(), removal };
    const unless = "a ruleset with the same rules already exists and is taken over";
    const create: WholeRequest = { kind: "create", content: after, ...(isRead ? {} : { unless }) };
    const requests = isRead || isNew ? [create] : [{ kind: "replace", content: after } as const];
    return { ...common, after, requests, notes };
  }
  const description = wantedDescription(isNew ? undefined : recorded.state, desired, deployed);
  const rules = { ...(desired.rules ?? NO_RULES), description };
  const content = contentById(deployed);
  const recognises = !isNew && rules.order.length > 0;
  const recognised = recognises ? recogniseRules(recorded, rules, content.rules) : new Map<string, DeployedRule>();
  const after = contentFrom(desired, description, serviceRefs(recorded.ruleIds, deployed.rules, recognised));
  const isThere = (isNew ? meansSame : isUpToDate)(deployed, after, desired.target);
  return {
    ...common,
    after,
    requests: isThere ? [] : [{ kind: "replace", content: after }],
    notes: {
      ...{ difference, recognised },
      conflict: isNew ? NO_CONFLICT : findConflict(recorded, content, rules, recognised),
      removal: findRemoved(deployed.rules, after.rules),
    },
  };
}

/** What a whole change removes of the rules that were last read. */
function removalBlindly({ lastRuleset: { rules }, ruleIds }: ParsedState, desired: Desired): Removal {
  if (desired.rules === undefined) return { removed: [], before: rules.length };
  return findRemoved(rules, contentFrom(desired, "", serviceRefs(ruleIds, rules)).rules);
}

/** What is sent to the service: every rule with the ref that it has there. */
export interface Content {
  readonly name?: string;
  readonly description: string;
  readonly rules: readonly PendingFields[];
}

/** The content as it is sent. */
export function requireKnown<C extends Content>(content: C): C & { readonly rules: readonly RulesetRule[] } {
  return { ...content, rules: content.rules.map(requireKnownRule) };
}

export function contentFrom(
  { name, rules = NO_RULES }: Pick<Desired, "name"> & { readonly rules?: KeyedRules | undefined },
  description: string,
  refs: ReadonlyMap<string, string> = new Map(),
): Content {
  const written = rules.order.flatMap((ref) => {
    const rule = rules.rules[ref];
    return rule === undefined
      ? []
      : [Rule.of({ ...omit(fieldsOf(rule.fields), ["id"]), ref: refs.get(ref) ?? ref }, rule).fields];
  });
  return { ...(name === undefined || name === NOT_KNOWN ? {} : { name }), description, rules: written };
}

/** What is sent to create a ruleset. */
function contentToCreate(desired: Pick<Desired, "name" | "description" | "rules">): Content {
  return contentFrom(desired, valueIfKnown(desired.description) ?? "");
}

/** Whether the service already has exactly what would be sent: the same rules in the same form, refs and order. */
export function isUpToDate(deployed: Ruleset, content: Content, target: Target): boolean {
  return hasContent(deployed, content, target, isSameForm) && deployed.description === content.description;
}

/** Whether what the service has means the same as what would be sent: a takeover then sends nothing. */
function meansSame(deployed: Ruleset, content: Content, target: Target): boolean {
  return hasContent(deployed, content, target, isSameMeaning) && isSameText(deployed.description, content.description);
}

/** Whether a write is sent by the path of the phase: only so can an entry point be renamed. */
export function isRenamed(deployed: Ruleset | undefined, { name }: Content, { entrypoint }: Target): boolean {
  return entrypoint && name !== undefined && deployed !== undefined && !isSameText(name, deployed.name);
}

/** Whether every rule that would be sent is already there, possibly among others. */
export function containsRules(deployed: Ruleset, { rules }: Content): boolean {
  const byRef = new Map(deployed.rules.map((rule) => [rule.ref, rule]));
  return rules.every((rule) => isSameForm(byRef.get(rule.ref ?? "") ?? {}, rule));
}

function hasContent(deployed: Ruleset, content: Content, target: Target, same: typeof isSameForm): boolean {
  return (
    (!target.entrypoint || content.name === undefined || isSameText(deployed.name, content.name)) &&
    sameJson(
      deployed.rules.map(({ ref }) => ref),
      content.rules.map(({ ref }) => ref),
    ) &&
    deployed.rules.every((rule, index) => same(rule, content.rules[index] ?? {}))
  );
}

/**
 * The description to send: the declared one; empty if it was removed from the program; the existing one if none was
 * ever declared.
 */
function wantedDescription(
  before: { readonly description?: string } | undefined,
  { description }: Pick<Desired, "description">,
  deployed: Ruleset,
): string {
  if (typeof description === "string") return description;
  return before?.description === undefined ? deployed.description : "";
}
