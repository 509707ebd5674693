import type { ClaimsOfRun } from "../../engine/claims.js";
import type { Removal } from "../../ownership/removal.js";
import type { Words } from "../../ownership/words.js";
import type { RulesetState } from "./description.js";
import { ruleKeysIn, type Target } from "./desired.js";
import { Rule } from "../../rules/rule.js";
import { ownValue, pick, sameJson } from "../../model/json.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { heldIds, identityOf, releasedFrom, releasedHere, type ReleasedRule, type RulesetRecord } from "./records.js";
import type { RunRecord } from "./run-record.js";

/** A rule at the service. Resources of a program claim it by its ref, by its ID, or by both. */
export type NamedRule = Pick<DeployedRule, "id" | "ref">;

/** The resource that asks: its URN, and the one in its state, which is another after a rename with `aliases`. */
export interface Asker {
  readonly urn: string | undefined;
  readonly formerUrn?: string | undefined;
}

/** One that is a list of rules, or a single rule. */
export interface ManagingAsker extends Asker {
  readonly words: Pick<Words, "manages">;
}

/** What the state of a resource that is deleted says of its rules. */
export type DeletedState = Pick<
  RulesetState,
  "rulesetId" | "version" | "ruleIds" | "__takenOver" | "__takenOverRules" | "__released"
>;

/** A ruleset whose rules have owners. */
export interface Place {
  readonly target: Target;
}

/**
 * Who owns a rule, as one resource sees it.
 *
 * - `mine`: this run has written the rule for the resource, or its state has it. After a run that stopped halfway, the state
 *   of another resource can have it too.
 * - `other`: another resource of the stack. `pending`: the program declares the rule there, and that resource has not written
 *   it yet. `applied`: it has. `recorded`: only its state says so; this run neither checks nor has deleted it, as with `--target`.
 * - `released`: a resource of the stack had the rule and no longer declares it, so it has no owner. With `rule`, an earlier run
 *   released it for another resource, which had not written it by then.
 * - `foreign`: nobody in this stack.
 */
export type Owner =
  | { readonly kind: "mine"; readonly alsoOwnedBy?: string }
  | { readonly kind: "other"; readonly urn: string; readonly standing: "pending" | "applied" | "recorded" }
  | { readonly kind: "released"; readonly by: string; readonly rule?: ReleasedRule }
  | { readonly kind: "foreign" };

/** What the states of the stack say about one ruleset. */
export interface StackRecords {
  /** Of the resources that manage rules in it, in the order in which they are named. */
  readonly records: readonly RulesetRecord[];
  /** Whether the state of the stack can be read. If not, only resources that this run deleted first are known. */
  readonly isRead: boolean;
  /** Whether a resource that manages rules exists, in any ruleset. */
  readonly exists: (urn: string) => boolean;
}

/** Where a ledger reads. */
interface LedgerSources {
  /** The keys of the ruleset within the run; none where it is known by its ID alone, and what the program claims there is not. */
  readonly rulesets: readonly string[];
  readonly rulesetId: string;
  readonly claims: ClaimsOfRun;
  readonly run: RunRecord;
  /** Whether this run has checked a resource: if it still declares a rule, it claims it. */
  readonly isChecked: (urn: string) => boolean;
  /** Undefined for a ledger of the program alone. */
  readonly stack?: StackRecords;
}

/**
 * Who owns the rules of one ruleset, in one run: the one place that knows. It reads what the program claims, what this run has
 * applied, and what the state of the stack says. Pure.
 */
export class Ledger {
  private readonly owning: ReadonlyMap<string, readonly RulesetRecord[]>;
  private readonly releasing: ReadonlyMap<string, readonly RulesetRecord[]>;

  constructor(private readonly sources: LedgerSources) {
    this.owning = byRule(this.records, ({ owned }) => owned);
    this.releasing = byRule(this.records, ({ released }) => released.map(({ id }) => id));
  }

  private get records(): readonly RulesetRecord[] {
    return this.sources.stack?.records ?? [];
  }

  /** Whether the state of the stack is known. */
  get isRead(): boolean {
    return this.sources.stack?.isRead === true;
  }

  private keysOf(...names: readonly string[]): readonly string[] {
    return ruleKeysIn(this.sources.rulesets, names);
  }

  /** Another resource of the program that declares a rule. */
  claimantOf({ id, ref }: NamedRule, { urn }: Asker): string | undefined {
    return this.sources.claims.other(this.keysOf(id, ref), urn);
  }

  ownerOf(rule: NamedRule, asker: Asker): Owner {
    const { run } = this.sources;
    const { id } = rule;
    const claimant = this.claimantOf(rule, asker);
    if (claimant !== undefined)
      return { kind: "other", urn: claimant, standing: this.isApplied(claimant, id) ? "applied" : "pending" };
    const owning = this.owning.get(id) ?? [];
    const theirs = owning.filter(({ urn }) => !isAsker(urn, asker));
    const recorded = theirs.find(({ urn }) => !this.isSettled(urn));
    if (theirs.length < owning.length || (asker.urn !== undefined && run.applied.get(id) === asker.urn))
      return { kind: "mine", ...(recorded === undefined ? {} : { alsoOwnedBy: recorded.urn }) };
    if (recorded !== undefined) return { kind: "other", urn: recorded.urn, standing: "recorded" };
    const [before] = theirs;
    if (before !== undefined) return { kind: "released", by: before.urn };
    const [record] = this.releasing.get(id) ?? [];
    const left = record?.released.findLast((each) => each.id === id);
    return record === undefined || left === undefined
      ? { kind: "foreign" }
      : { kind: "released", by: record.urn, rule: left };
  }

  isMine(rule: NamedRule, asker: Asker): boolean {
    return this.ownerOf(rule, asker).kind === "mine";
  }

  /** The same of a resource that is created again; where the state of the stack cannot be read, by what it declared before. */
  isMineAgain(rule: DeployedRule, asker: Asker & Place): boolean {
    if (this.isMine(rule, asker)) return true;
    if (this.isRead) return false;
    return ownValue(this.sources.run.rulesBefore(asker)?.rules ?? {}, rule.ref)?.meansSameAs(Rule.of(rule)) === true;
  }

  /**
   * Whether a rule belongs to the stack and may become the asking resource's: a resource released it, or only the state of one
   * that this run does not check has it.
   */
  isInherited(rule: NamedRule, asker: Asker): boolean {
    const owner = this.ownerOf(rule, asker);
    return owner.kind === "released" || (owner.kind === "other" && owner.standing === "recorded");
  }

  /** Whether nobody has changed a rule since a resource of the stack last read it. */
  isUnchanged({ id, version }: Pick<DeployedRule, "id" | "version">): boolean {
    const records = [...(this.owning.get(id) ?? []), ...(this.releasing.get(id) ?? [])];
    return version !== "" && records.some(({ versions }) => versions.get(id) === version);
  }

  /** Whether this run has written a rule for a resource, or a state of the stack has it. */
  isOwned({ id }: Pick<NamedRule, "id">): boolean {
    return this.sources.run.applied.has(id) || (this.isRead && this.owning.has(id));
  }

  /** Whether another resource of the program declares a rule, or the new object of the one that asks has it again. */
  isClaimed(rule: NamedRule, asker: Asker): boolean {
    return this.sources.claims.has(this.keysOf(rule.id), asker.urn) || this.claimantOf(rule, asker) !== undefined;
  }

  /** Whether this run knows what a resource does: it has checked or deleted it, so what it still has is claimed. */
  private isSettled(urn: string): boolean {
    return this.sources.isChecked(urn) || this.sources.run.deleted.has(urn);
  }

  /** Whether a state has a rule that a resource of the program claims. */
  private isApplied(urn: string, id: string): boolean {
    const { run } = this.sources;
    if (run.applied.get(id) === urn || run.unchanged.has(urn)) return true;
    return this.isRead && (this.owning.get(id) ?? []).some((record) => record.urn === urn);
  }

  /** The resource of the stack that a rule belongs to, other than the one that asks; undefined if there is none. */
  otherOwnerOf(rule: NamedRule, asker: Asker): string | undefined {
    const owner = this.ownerOf(rule, asker);
    if (owner.kind === "other") return owner.urn;
    return owner.kind === "mine" ? owner.alsoOwnedBy : undefined;
  }

  /**
   * Leaves out of a removal what other resources of the program have.
   * @param moved by ID, the owners of rules that are known to move
   */
  withoutReleased(removal: Removal, asker: Asker, moved: ReadonlyMap<string, string> = new Map()): Removal {
    const released = removal.removed.flatMap((rule) => {
      const to = this.claimantOf(rule, asker) ?? moved.get(rule.id);
      return to === undefined ? [] : [{ rule, to }];
    });
    if (released.length === 0) return removal;
    const staying = new Set(released.map(({ rule }) => rule));
    return { ...removal, removed: removal.removed.filter((rule) => !staying.has(rule)), released };
  }

  /** The resource of the stack that had or has a rule by a state of the stack, other than the one that asks. */
  previousOwnerOf({ id }: Pick<NamedRule, "id">, asker: Asker): string | undefined {
    const records = [...(this.owning.get(id) ?? []), ...(this.releasing.get(id) ?? [])];
    return records.find(({ urn }) => !isAsker(urn, asker))?.urn;
  }

  /** The rules that another resource of the program declares and has not written yet. */
  pendingAmong(rules: readonly NamedRule[], asker: Asker): readonly PendingMove[] {
    return rules.flatMap(({ id, ref }) => {
      const owner = this.ownerOf({ id, ref }, asker);
      return owner.kind === "other" && owner.standing === "pending" ? [{ id, ref, to: owner.urn }] : [];
    });
  }

  /** Another resource of the program that claims the whole ruleset. */
  otherHolder({ urn }: Asker): string | undefined {
    const { claims, rulesets } = this.sources;
    return claims.other(rulesets, urn);
  }

  /** Whether other resources of the program claim the ruleset or rules of it. */
  hasOthers({ urn }: Asker): boolean {
    const { claims, rulesets } = this.sources;
    return claims.other(rulesets, urn, "any") !== undefined;
  }

  /** Whether a resource claims rules of the ruleset, among those of others. */
  private isSharedBy({ urn = "" }: Asker): boolean {
    const { claims, rulesets } = this.sources;
    return claims.has(rulesets, urn, "parts");
  }

  /**
   * The resource because of which a delete of the whole ruleset must keep it: one that claims it, or one that shares it if all that
   * share it have every rule. The one that asks if it is created again.
   */
  keeperOfWhole(rules: readonly NamedRule[], asker: Asker): string | undefined {
    const { claims, rulesets } = this.sources;
    const isGone = this.isSharedBy(asker) || rules.every((rule) => this.claimantOf(rule, asker) !== undefined);
    return claims.keeper(rulesets, asker.urn, isGone ? "any" : "whole");
  }

  /**
   * The same where a resource shares the ruleset: one that claims the whole of it, or those that have its rules; the one that asks
   * if it is created again over its own rules.
   */
  keeperOfShared(state: DeletedState, asker: ManagingAsker): string | undefined {
    const { claims, rulesets } = this.sources;
    const { urn = "" } = asker;
    const whole = claims.keeper(rulesets, urn);
    // The create then takes over its rules.
    const isRecreated = this.isSharedBy(asker) && this.isDeletedFirst(state, asker);
    if (whole !== undefined || isRecreated) return whole ?? urn;
    const keeper = this.keeperOfRules(state, asker);
    // The rules that it released are still deleted.
    return keeper === urn || releasedHere(state.__released).length === 0 ? keeper : undefined;
  }

  /** A resource other than the one that asks, if others claim every rule; that one if it is one rule and is created again. */
  keeperOfRules({ ruleIds }: Pick<DeletedState, "ruleIds">, asker: ManagingAsker): string | undefined {
    const rules = Object.entries(ruleIds).map(([ref, id]) => ({ id, ref }));
    const owners = rules.map((rule) => this.claimantOf(rule, asker));
    if (owners.length > 0 && !owners.includes(undefined)) return owners[0];
    if (asker.words.manages !== "rule") return undefined;
    return rules.some(({ id, ref }) => this.sources.claims.has(this.keysOf(ref, id), asker.urn))
      ? asker.urn
      : undefined;
  }

  /**
   * Whether a delete comes before this run creates the resource again, as with `deleteBeforeReplace`. An old object that an
   * earlier run replaced is no longer in the state of the stack; where that cannot be read, it is not told apart.
   */
  isDeletedFirst(state: DeletedState, { urn = "" }: Asker): boolean {
    if (!this.sources.run.toCreate.has(urn)) return false;
    const identity = identityOf({ ...state });
    return !this.isRead || this.records.some((each) => each.urn === urn && sameJson(each.identity, identity));
  }

  /**
   * IDs of the rules that the new object of a resource has or has released, if an earlier run replaced the resource and did not
   * delete its old object: what happens to them is for the new one to decide.
   * @param state that of the object that is deleted
   */
  heldByNewer(state: DeletedState, { urn = "" }: Asker): ReadonlySet<string> {
    if (!this.sources.isChecked(urn)) return new Set();
    const newest = this.records.find((each) => each.urn === urn && each.identity !== undefined);
    if (newest === undefined) return new Set();
    const old = { identity: identityOf({ ...state }), released: releasedFrom({ ...state }, this.sources.rulesetId) };
    // In the run that replaces it, the state of the stack still is the old one.
    if (sameJson(pick(newest, ["identity", "released"]), old)) return new Set();
    return new Set([...newest.owned, ...newest.released.map(({ id }) => id)]);
  }

  /** The rules of a resource that is deleted which others of the program are to have, and have not written yet. */
  pendingOnDelete(
    rules: readonly NamedRule[],
    state: DeletedState,
    asker: Asker,
  ): readonly Pick<PendingMove, "ref" | "to">[] {
    const held = new Set(heldIds({ ...state }));
    const mine = rules.filter(({ id }) => held.has(id));
    const whole = this.pendingWhole(asker);
    return whole === undefined ? this.pendingAmong(mine, asker) : mine.map(({ ref }) => ({ ref, to: whole }));
  }

  /**
   * The resource that managed the ruleset by the state of the stack, preferring one that owned it over one that only took it
   * over. One that shared the ruleset owned only its own rules.
   */
  previousHolder(rules: readonly Pick<DeployedRule, "id">[]): PreviousHolder | undefined {
    const lists = this.records.filter(({ list }) => list !== undefined);
    const holders = lists.map(({ urn, list, isTakenOver, owned, released }): PreviousHolder => {
      const held = new Set([...owned, ...released.map(({ id }) => id)]);
      return { urn, owned: !isTakenOver && (list === "exclusive" || rules.every(({ id }) => held.has(id))) };
    });
    return holders.find(({ owned }) => owned) ?? holders[0];
  }

  /** Another resource of the program that claims the whole ruleset and has not written it yet. */
  pendingWhole(asker: Asker): string | undefined {
    const { rulesetId, run } = this.sources;
    const whole = this.otherHolder(asker);
    if (whole === undefined || run.appliedWhole.get(rulesetId) === whole || run.unchanged.has(whole)) return undefined;
    const isRecorded = this.records.some((record) => record.urn === whole && record.list === "exclusive");
    return this.isRead && isRecorded ? undefined : whole;
  }

  /** Released rules that nobody has taken over: whose they are now. */
  orphansAmong(released: readonly ReleasedRule[], asker: Asker): OrphanedRules {
    if (!this.isRead || released.length === 0) return NO_ORPHANS;
    const free = released.filter((rule) => {
      const owner = this.ownerOf(rule, asker);
      return (
        (owner.kind === "released" && owner.rule !== undefined) || owner.kind === "foreign" || owner.kind === "mine"
      );
    });
    // What was reported to stay in force stays, also if that resource is created later without it.
    const isMine = ({ to, reported }: ReleasedRule): boolean =>
      this.sources.stack?.exists(to) === true && reported !== true;
    const mine = free.filter(isMine);
    return { mine: new Map(mine.map((rule) => [rule.id, rule])), unclear: free.filter((rule) => !isMine(rule)) };
  }

  /**
   * What happens to rules that a resource released, when it is deleted. Where the state of the stack cannot be read, they stay for
   * the resource that they were released for, and are deleted with that one, unless this run has already deleted it.
   */
  releasedOnDelete({ __released }: Pick<DeletedState, "__released">, asker: Asker): ReleasedOnDelete {
    const { rulesetId, run } = this.sources;
    const toThis = (run.releasedTo.get(asker.urn ?? "") ?? []).filter((rule) => rule.rulesetId === rulesetId);
    // The old object of a resource that is replaced may have released what the new one has.
    const released = releasedHere(__released).filter((rule) => !this.isClaimed(rule, asker));
    const { mine, unclear } = this.orphansAmong(released, asker);
    const unread = this.isRead ? [] : released;
    const isFree = ({ to }: ReleasedRule): boolean => run.deleted.has(to);
    return {
      mine: new Map([...toThis, ...mine.values(), ...unread.filter(isFree)].map((rule) => [rule.id, rule])),
      unclear,
      withOthers: unread.filter((rule) => !isFree(rule)),
    };
  }

  /**
   * The rules that a resource had before a write and no longer has, and that the resource of the program that declares them
   * now has not written yet.
   * @param gone the existing rules that it no longer has
   * @param had by ID, these rules as it knew them
   * @param released those that an earlier run had released
   */
  openReleases(
    gone: readonly DeployedRule[],
    had: ReadonlyMap<string, Omit<ReleasedRule, "to">>,
    released: readonly ReleasedRule[],
    asker: Asker,
  ): OpenReleases {
    const pending = this.pendingAmong(gone, asker);
    const { mine, unclear } = this.orphansAmong(released, asker);
    const versions = new Map(gone.map(({ id, version }) => [id, version]));
    const pendingIds = new Set(pending.map(({ id }) => id));
    const isPending = ({ id }: ReleasedRule): boolean => pendingIds.has(id);
    const isUnchanged = ({ id, version }: ReleasedRule): boolean => versions.get(id) === version;
    const isOpen = (rule: ReleasedRule): boolean => isUnchanged(rule) && !isPending(rule);
    const free = [...mine.values(), ...unclear].filter((rule) => !isPending(rule) && versions.has(rule.id));
    return {
      pending: pending.map((rule) => {
        const { version = "", secretPaths } = had.get(rule.id) ?? {};
        return { ...rule, version, ...(secretPaths === undefined ? {} : { secretPaths }) };
      }),
      unclear: unclear.filter(isOpen),
      edited: free.filter((rule) => !isUnchanged(rule)),
      unread: this.isRead ? [] : released.filter(isOpen),
    };
  }

  /**
   * Rules that are about to be deleted, and that the program declares in another resource under another ref, as after a
   * rename without `aliases`: if that resource was not written, nothing else does what they do. Or that the new object of the same
   * resource declares: rules that it already has are not deleted, so it was not written.
   */
  unwrittenAmong(
    rules: readonly DeployedRule[],
    isDeleted: (rule: DeployedRule) => boolean,
    { urn = "" }: Asker,
  ): readonly Pick<PendingMove, "ref" | "to">[] {
    const { run, rulesets } = this.sources;
    const declared = run.declaredIn(rulesets);
    if (declared.length === 0) return [];
    const own = new Set(declared.flatMap((each) => each.refsOf(urn)));
    const staying = rules.filter((rule) => !isDeleted(rule));
    const refs = new Set(staying.map(({ ref }) => ref));
    return rules.filter(isDeleted).flatMap((rule) => {
      if (own.has(rule.ref)) return [{ ref: rule.ref, to: urn }];
      const { effect } = Rule.of(rule);
      const same = declared.flatMap((each) => each.withEffect(effect)).filter((each) => each.urn !== urn);
      const [first] = same;
      // Most are there under their refs, which costs less to find out than what each rule does.
      if (first === undefined || same.some(({ ref }) => refs.has(ref))) return [];
      return staying.some((other) => Rule.of(other).effect === effect) ? [] : [{ ref: rule.ref, to: first.urn }];
    });
  }
}

/** A resource of this stack that managed a ruleset before another one takes it over. */
interface PreviousHolder {
  readonly urn: string;
  /** Whether deleting it would have deleted the ruleset. */
  readonly owned: boolean;
}

/** What can be asked where the state of the stack is not read: the program and this run alone decide it. */
export type ProgramLedger = Pick<Ledger, "claimantOf" | "otherHolder" | "withoutReleased">;

/** A rule that moves to another resource of the program. */
interface PendingMove {
  readonly id: string;
  readonly ref: string;
  readonly to: string;
}

/** Released rules that no other resource owns or will own. */
export interface OrphanedRules {
  /** By ID, those whose new owner exists without them: the resource that released them deletes them. */
  readonly mine: ReadonlyMap<string, ReleasedRule>;
  /**
   * Those whose new owner does not exist: it may never have been created, or it had the rule and was removed while the rule
   * stayed. Nobody deletes them.
   */
  readonly unclear: readonly ReleasedRule[];
}

/** Rules that a resource had released, when it is deleted. */
export interface ReleasedOnDelete {
  /** By ID, those that are deleted with it. */
  readonly mine: ReadonlyMap<string, ReleasedRule>;
  /** Those whose new owner does not exist. */
  readonly unclear: readonly ReleasedRule[];
  /** Those that their new owner may have: in a `destroy` the state of the stack cannot be read. */
  readonly withOthers: readonly ReleasedRule[];
}

/** Rules that a resource has released. */
interface OpenReleases {
  /** Those that their new owner has not written yet. */
  readonly pending: readonly ReleasedRule[];
  /** Those of which it is not known whether that resource ever had them. */
  readonly unclear: readonly ReleasedRule[];
  /** Those that nobody took over, and that somebody has changed since. */
  readonly edited: readonly ReleasedRule[];
  /** Those of an earlier run, where the state of the stack cannot be read: another resource may have them since. */
  readonly unread: readonly ReleasedRule[];
}

export const NO_ORPHANS: OrphanedRules = { mine: new Map(), unclear: [] };

function isAsker(owner: string, { urn, formerUrn }: Asker): boolean {
  return owner === urn || owner === formerUrn;
}

function byRule(
  records: readonly RulesetRecord[],
  idsIn: (record: RulesetRecord) => Iterable<string>,
): ReadonlyMap<string, readonly RulesetRecord[]> {
  const found = new Map<string, RulesetRecord[]>();
  for (const record of records)
    for (const id of idsIn(record)) {
      const known = found.get(id);
      if (known === undefined) found.set(id, [record]);
      else known.push(record);
    }
  return found;
}
