import { phaseResourceId } from "../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { valueIfKnown } from "../../../core/model/unknown.js";
import { type KeyedRules, NO_RULES } from "../../../core/rules/keyed.js";
import { claim, claimParts, type Claims, claimsOf } from "../../engine/claims.js";
import { perRun, type Session } from "../../engine/session.js";
import type { Reach } from "../../ownership/reach.js";
import type { Removal } from "../../ownership/removal.js";
import { type Desired, objectKeys, ruleKeysIn } from "./desired.js";
import { ownRules, type ParsedState } from "./state.js";

/** What this run knows of a ruleset that it writes rule by rule. */
export class WritesOfRun {
  /** By ref, the rules that this run deleted. */
  readonly deleted = new Map<string, DeployedRule>();
  /** IDs of the rules that this run placed. */
  readonly placed = new Set<string>();
  /** By URN, how often a part was written again. */
  readonly repeats = new Map<string, number>();

  /** @param last the ruleset as this run has just read it, or as a write returned it */
  constructor(public last: Ruleset) {}
}

/** A write of one rule, as far as it matters for what the run knows. */
type NotedWrite =
  | { readonly kind: "add"; readonly rule: { readonly ref: string } }
  | { readonly kind: "change" | "move"; readonly id: string; readonly position?: object }
  | { readonly kind: "delete"; readonly id: string };

const NOTHING_WRITTEN = { placed: new Set<string>(), deleted: new Map<string, DeployedRule>() };

/** What the resources of one program do with rules in one run. Rules have one ID in all rulesets. */
class RunRecord {
  /** By ID, the rules of resources that this run changes or deletes. */
  readonly held = new Map<string, HeldRule>();
  /** By rule ID, the resource that deletes the rule, unless another one claims it before that. */
  readonly dropped = new Map<string, string>();
  /** IDs of the rules that this run has deleted one by one. */
  readonly deleted = new Set<string>();
  /** By URN, what the resources checked in this run wanted in the last run, parsed once. Those that do not change are dropped. */
  readonly wantedBefore = new Map<string, { readonly from: object; readonly desired: Desired }>();
  /** By ruleset ID, what resources that this run created found there, and what their writes have made of it. */
  readonly takeovers = new Map<string, { readonly before: Ruleset; readonly after: Ruleset }>();
  /** By ruleset ID, what this run has written to shared rulesets. */
  readonly writes = new Map<string, WritesOfRun>();
  private readonly states = new Map<string, ParsedState>();
  /** By ruleset, a resource whose create failed there. */
  private readonly failedCreates = new Map<string, string>();

  /** Records the state of a resource that this run changes or deletes. */
  noteState(urn = "", recorded: ParsedState): void {
    if (urn === "") return;
    this.states.set(urn, recorded);
    for (const { id, version } of ownRules(recorded)) this.held.set(id, { urn, version });
  }

  /** Records the write of a new resource to a ruleset that existed. */
  noteTakeover(found: Ruleset, after: Ruleset): void {
    this.takeovers.set(after.id, { before: this.takeovers.get(after.id)?.before ?? found, after });
  }

  /** Records a ruleset that others share, as this run has just read it, or as a write returned it. */
  noteSeen(ruleset: Ruleset): void {
    const known = this.writes.get(ruleset.id);
    if (known === undefined) this.writes.set(ruleset.id, new WritesOfRun(ruleset));
    else if (!(Number(ruleset.version) < Number(known.last.version))) known.last = ruleset;
  }

  /** Records a write of one rule. */
  noteWrite(before: Ruleset, after: Ruleset, op: NotedWrite): void {
    this.noteSeen(after);
    const written = this.writes.get(after.id);
    if (op.kind === "delete") {
      this.deleted.add(op.id);
      const rule = before.rules.find(({ id }) => id === op.id);
      if (rule !== undefined) written?.deleted.set(rule.ref, rule);
      return;
    }
    const isIt = (rule: DeployedRule): boolean => (op.kind === "add" ? rule.ref === op.rule.ref : rule.id === op.id);
    const rule = after.rules.find(isIt);
    if (rule === undefined) return;
    written?.deleted.delete(rule.ref);
    if (op.kind !== "change" || op.position !== undefined) written?.placed.add(rule.id);
  }

  /** Whether this run has placed a rule of a ruleset; without one, whether it has added, moved or deleted any. */
  wasPlaced(rulesetId: string, ruleId?: string): boolean {
    const { placed, deleted } = this.writes.get(rulesetId) ?? NOTHING_WRITTEN;
    return ruleId === undefined ? placed.size + deleted.size > 0 : placed.has(ruleId);
  }

  /** What a resource that is created again recorded of a ruleset. */
  stateOf(urn = "", rulesetId: string): ParsedState | undefined {
    const recorded = this.states.get(urn);
    return recorded?.state.rulesetId === rulesetId ? recorded : undefined;
  }

  /** Runs a create, and records its failure. */
  async creating<T>(desired: Placed, create: () => Promise<T>): Promise<T> {
    try {
      return await create();
    } catch (error) {
      for (const key of placesOf(desired)) this.failedCreates.set(key, desired.urn ?? "");
      throw error;
    }
  }

  /** A resource that this run failed to create in a ruleset: it may be what replaces the one that asks. */
  failedCreateIn(desired: Placed, rulesetId: string): string | undefined {
    return placesOf(desired, rulesetId)
      .map((key) => this.failedCreates.get(key))
      .find((urn) => urn !== undefined);
  }

  /** The rules that a resource declared before this run replaced it in the same place: they do not belong to others. */
  rulesBefore({ urn = "", target }: Pick<Desired, "urn" | "target">): KeyedRules | undefined {
    const before = this.wantedBefore.get(urn)?.desired;
    if (before === undefined || before.target.scope.id !== target.scope.id) return undefined;
    const isSame = objectKeys(before.target).join() === objectKeys(target).join();
    return isSame ? (before.rules ?? NO_RULES) : undefined;
  }
}

/** What a program wants, as far as it says in which ruleset. */
type Placed = Pick<Desired, "urn" | "target" | "name">;

/** The names of a ruleset within a run. A custom ruleset that does not exist yet has no ID. */
function placesOf({ target, name }: Placed, rulesetId?: string): readonly string[] {
  const byName = target.entrypoint
    ? []
    : [`${phaseResourceId(target.scope, target.phase)} ${valueIfKnown(name) ?? ""}`];
  return [...objectKeys(target, rulesetId), ...byName];
}

/** What this run does with rules. */
export const runRecord = perRun(() => new RunRecord());

/** Records that a resource manages a ruleset, alone or sharing it. Returns another resource that conflicts with it. */
export function claimRuleset(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  { isPart }: Pick<Reach, "isPart">,
): string | undefined {
  return isPart ? claimParts(session, urn, keys) : claim(session, urn, keys);
}

/** What the resource that is checked wanted in the last run; undefined if it is new. */
export function lastWanted<Inputs extends object>(
  { session, urn, olds }: { readonly session: Session; readonly urn: string; readonly olds: Inputs | undefined },
  desiredOf: (olds: Inputs) => Desired,
): Desired | undefined {
  if (olds === undefined) return undefined;
  const { wantedBefore } = runRecord(session);
  const known = wantedBefore.get(urn);
  if (known?.from === olds) return known.desired;
  const desired = desiredOf(olds);
  wantedBefore.set(urn, { from: olds, desired });
  return desired;
}

/** Who owns the rules of a ruleset, as a resource sees it. */
export function ownersOf(
  session: Session,
  { target, urn }: { readonly target: Desired["target"]; readonly urn?: string | undefined },
  rulesetId: string,
): Owners {
  return new Owners(objectKeys(target, rulesetId), claimsOf(session), runRecord(session).held, urn);
}

/** What exists where a resource is, and what this run knows of it. */
export function thereFor(session: Session, desired: Desired, deployed: Ruleset): There & { readonly deployed: Ruleset };
export function thereFor(session: Session, desired: Desired, deployed: Ruleset | undefined, rulesetId?: string): There;
export function thereFor(session: Session, desired: Desired, deployed: Ruleset | undefined, rulesetId = ""): There {
  const recorded = deployed === undefined ? undefined : runRecord(session).stateOf(desired.urn, deployed.id);
  return { ...unreadThere(session, desired, deployed?.id ?? rulesetId), isRead: true, deployed, recorded };
}

/** What this run knows of the place of a resource where it is not known what exists. */
export function unreadThere(session: Session, desired: Desired, rulesetId = ""): There {
  const wasPlaced = (ruleId?: string) => runRecord(session).wasPlaced(rulesetId, ruleId);
  const owners = ownersOf(session, desired, rulesetId);
  return { isRead: false, deployed: undefined, recorded: undefined, owners, wasPlaced };
}

/** A rule at the service. Resources of a program claim it by its ref, by its ID, or by both. */
type NamedRule = Pick<DeployedRule, "id" | "ref">;

/** A rule that a resource has by its state. */
interface HeldRule {
  readonly urn: string;
  /** The version that the rule had when the state was written. */
  readonly version: string;
}

/** The resource that has a rule. */
interface Owner {
  readonly urn: string;
  /** Whether it is another one that declares the rule. Otherwise its state had it before this run, also if it is the one that asks. */
  readonly declares: boolean;
  /** The version of the rule in that state. */
  readonly version?: string;
}

/**
 * Who owns the rules of one ruleset, as the resource sees that asks, and as far as this run knows: what the program claims, and
 * what resources had that this run changes or deletes. Everything else is somebody else's. Pure.
 */
export class Owners {
  constructor(
    /** The keys of the ruleset within the run. */
    private readonly rulesets: readonly string[],
    private readonly claims: Claims,
    /** By ID, rules of resources that this run changes or deletes. */
    private readonly held: ReadonlyMap<string, HeldRule>,
    /** The URN of the resource that asks. */
    private readonly urn: string | undefined,
  ) {}

  /** The resource of the program that has a rule; undefined if none is known to have it. */
  ownerOf({ id, ref }: NamedRule): Owner | undefined {
    const other = this.claims.other(ruleKeysIn(this.rulesets, [id, ref]), this.urn);
    if (other !== undefined) return { urn: other, declares: true };
    const held = this.held.get(id);
    return held === undefined ? undefined : { ...held, declares: false };
  }

  /** Another resource of the program that declares a rule. */
  claimantOf(rule: NamedRule): string | undefined {
    const owner = this.ownerOf(rule);
    return owner?.declares === true ? owner.urn : undefined;
  }

  /** The resource because of which a delete must leave a rule: another one, or the one that asks if the program declares it again. */
  keeperOf({ id, ref }: NamedRule): string | undefined {
    return this.claims.keeper(ruleKeysIn(this.rulesets, [id, ref]), this.urn);
  }

  /** The resource that had every rule of the ruleset before this run, alone or with others. */
  previousHolder(rules: readonly NamedRule[]): string | undefined {
    const owners = rules.map((rule) => this.ownerOf(rule));
    return owners.every((owner) => owner?.declares === false) ? owners[0]?.urn : undefined;
  }

  /** Leaves out of a removal what other resources of the program have. */
  withoutReleased(removal: Removal): Removal {
    const released = removal.removed.flatMap((rule) => {
      const to = this.claimantOf(rule);
      return to === undefined ? [] : [{ rule, to }];
    });
    if (released.length === 0) return removal;
    const staying = new Set(released.map(({ rule }) => rule));
    return { ...removal, removed: removal.removed.filter((rule) => !staying.has(rule)), released };
  }

  /** Another resource of the program that claims the whole ruleset, or any of it. */
  otherHolder(extent: "whole" | "any" = "whole"): string | undefined {
    return this.claims.other(this.rulesets, this.urn, extent);
  }

  /**
   * The resource because of which a delete of the whole ruleset must keep it: one that claims it, or one that shares it if all that
   * share it have every rule. The one that asks if it is created again.
   */
  keeperOfWhole(rules: readonly NamedRule[]): string | undefined {
    const isShared = this.claims.has(this.rulesets, this.urn, "parts");
    const isGone = isShared || rules.every((rule) => this.claimantOf(rule) !== undefined);
    return this.claims.keeper(this.rulesets, this.urn, isGone ? "any" : "whole");
  }

  /** Where a resource shares the ruleset, one that claims the whole of it, or one that has a rule if all have owners. */
  keeperOfRules(rules: readonly NamedRule[]): string | undefined {
    const whole = this.claims.keeper(this.rulesets, this.urn);
    const keepers = rules.map((rule) => this.keeperOf(rule));
    return whole ?? (keepers.includes(undefined) ? undefined : keepers[0]);
  }
}

/** What is known of the place where a change goes, and of what this run does there. */
export interface There {
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  /** What is at the service; undefined if nothing is, or if that is not known. */
  readonly deployed: Ruleset | undefined;
  /** What the resource recorded of that ruleset, if this run creates it again. */
  readonly recorded: ParsedState | undefined;
  readonly owners: Owners;
  /** Whether this run has placed a rule; without one, whether it has added, moved or deleted any. */
  readonly wasPlaced: (ruleId?: string) => boolean;
}
