import type { ApiResult, Body, Owner } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse } from "../failure.js";
import type { ListsService } from "../lists/service.js";
import type { Store } from "../store/store.js";
import { planOf, type Plan } from "../zones/model.js";
import { tagsOf } from "./catalogue.js";
import type { RuleContext } from "./checks/check.js";
import { checkExecutedOnce } from "./checks/execute.js";
import { checkRule } from "./checks/rule.js";
import { checkNewBody, checkNewRuleset, checkReplacement } from "./checks/ruleset.js";
import { entryKind, rulesetResult, ownerText, summaryResult, type Ruleset, type StoredRule } from "./model.js";
import { ACCOUNT_CUSTOM_RULES, maxRules } from "./quotas.js";
import { makeRule, makeRules, placeRule, type RuleDefaults } from "./rules.js";
import type { ManagedRulesets } from "./managed.js";
import type { StoredRulesets } from "./stored.js";
import { VisibleRulesets } from "./visible.js";

/** The rulesets operations. Every write is checked first, then adds a version. */
export class RulesetsService {
  private readonly visible: VisibleRulesets;

  constructor(
    private readonly store: Store,
    private readonly stored: StoredRulesets,
    private readonly clock: EmulatorClock,
    private readonly lists: ListsService,
    /** Rejects rules that are not allowed in a phase yet. */
    private readonly guard: (owner: Owner, phase: string, rules: readonly StoredRule[]) => void,
  ) {
    this.visible = new VisibleRulesets(store, stored);
  }

  get managed(): ManagedRulesets {
    return this.stored.managed;
  }

  list(owner: Owner): ApiResult[] {
    return this.visible.list(owner).map((ruleset) => summaryResult(ruleset, this.stored.newest(ruleset)));
  }

  get(owner: Owner, id: string): ApiResult {
    return this.full(this.visible.get(owner, id));
  }
  getEntrypoint(owner: Owner, phase: string): ApiResult {
    return this.full(this.visible.entrypoint(owner, phase));
  }

  versions(owner: Owner, id: string): ApiResult[] {
    return this.summaries(this.visible.get(owner, id));
  }
  entrypointVersions(owner: Owner, phase: string): ApiResult[] {
    const found = this.stored.entrypoint(owner, phase);
    return found === undefined ? [] : this.summaries(found);
  }
  version(owner: Owner, id: string, number: string): ApiResult {
    return this.atVersion(this.visible.get(owner, id), number);
  }
  entrypointVersion(owner: Owner, phase: string, number: string): ApiResult {
    return this.atVersion(this.visible.entrypoint(owner, phase), number);
  }

  byTag(owner: Owner, id: string, number: string, tag: string): ApiResult {
    const ruleset = this.visible.get(owner, id);
    if (ruleset.kind !== "managed") throw refuse(400, undefined, "only managed rulesets have tags");
    const result = this.atVersion(ruleset, number);
    const rules = (result.rules as readonly StoredRule[]).filter((rule) => tagsOf(rule).includes(tag));
    return { ...result, rules };
  }

  create(owner: Owner, body: Body): ApiResult {
    checkNewBody(body);
    return this.add(owner, body);
  }

  replace(owner: Owner, id: string, body: Body): ApiResult {
    const ruleset = this.visible.getOwn(owner, id);
    const { name, kind, phase } = ruleset;
    checkReplacement(body, { name, kind, phase, zone_id: zoneOf(owner) });
    return this.update(owner, ruleset, body);
  }

  replaceEntrypoint(owner: Owner, phase: string, body: Body): ApiResult {
    const kind = entryKind(owner);
    checkReplacement(body, { kind, phase, zone_id: zoneOf(owner) });
    const found = this.stored.entrypoint(owner, phase);
    const { name } = body as { name?: string };
    if (found !== undefined) return this.update(owner, name === undefined ? found : { ...found, name }, body);
    return this.add(owner, { ...body, name: name ?? "default", kind, phase });
  }

  addRule(owner: Owner, id: string, { position, ...body }: Body): ApiResult {
    const ruleset = this.visible.getOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    const context = this.contextOf(owner, ruleset);
    checkRule(body, context, "");
    checkRefs([...rules, body], () => "/ref");
    const placed = placeRule(rules, makeRule(body, undefined, this.maker(owner)), position);
    checkExecutedOnce(placed, context);
    return this.write(owner, ruleset, description, placed);
  }

  /** Changes the definition, the position, or both. */
  updateRule(owner: Owner, id: string, ruleId: string, { position, ...body }: Body): ApiResult {
    const ruleset = this.visible.getOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    const old = findRule(rules, ruleId);
    const onlyMoves = position !== undefined && Object.keys(body).length === 0;
    const context = this.contextOf(owner, ruleset);
    if (!onlyMoves) checkRule(body, context, "");
    if (body.ref !== undefined && body.ref !== "" && body.ref !== old.ref)
      throw refuse(400, undefined, "the ref field cannot be modified", "/ref");
    const rule = onlyMoves ? old : makeRule(body, old, this.maker(owner));
    const placed = placeRule(rules, rule, position);
    if (onlyMoves && placed.every((each, index) => each === rules[index]))
      throw refuse(400, 20011, `the rule ${ruleId} is at that position already`, "/position");
    checkExecutedOnce(placed, context);
    return this.write(owner, ruleset, description, placed);
  }

  deleteRule(owner: Owner, id: string, ruleId: string): ApiResult {
    const ruleset = this.visible.getOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    findRule(rules, ruleId);
    const rest = rules.filter((rule) => rule.id !== ruleId);
    return this.write(owner, ruleset, description, rest);
  }

  delete(owner: Owner, id: string): void {
    const ruleset = this.visible.getOwn(owner, id);
    if (this.isExecuted(ruleset)) throw inUse(ruleset);
    this.stored.remove(owner, ruleset);
  }

  /** The newest version of a deployed ruleset cannot be deleted: an entry point, or a ruleset that a rule executes. */
  deleteVersion(owner: Owner, id: string, number: string): void {
    const ruleset = this.visible.getOwn(owner, id);
    this.atVersion(ruleset, number);
    const isDeployed = ruleset.kind !== "custom" || this.isExecuted(ruleset);
    if (ruleset.version === number && isDeployed) {
      const text = `version ${number} is the latest version of a deployed ruleset and cannot be deleted`;
      throw refuse(400, undefined, text);
    }
    this.stored.deleteVersion(owner, ruleset, number);
  }

  private add(owner: Owner, body: Body): ApiResult {
    const named = checkNewRuleset(owner, body, { stored: this.stored, plan: this.plan(owner) });
    const id = this.store.ids.next();
    const blank: Ruleset = { id, ...named, owner: ownerText(owner), last: 0, version: "", executes: [], lists: [] };
    const rules = body.rules === undefined ? [] : this.rules(owner, blank, body.rules);
    return this.write(owner, blank, (body.description as string | undefined) ?? "", rules);
  }

  private update(owner: Owner, ruleset: Ruleset, body: Body): ApiResult {
    const before = this.stored.newest(ruleset);
    const rules = body.rules === undefined ? before.rules : this.rules(owner, ruleset, body.rules, before.rules);
    return this.write(owner, ruleset, (body.description as string | undefined) ?? "", rules);
  }

  private write(owner: Owner, ruleset: Ruleset, description: string, rules: readonly StoredRule[]): ApiResult {
    this.guard(owner, ruleset.phase, rules);
    const plan = this.plan(owner) ?? planOf(owner.id, this.store.zones.in(""));
    refuseBeyond(maxRules(owner.level, ruleset.phase, plan), rules.length, ruleset);
    refuseBeyond(ACCOUNT_CUSTOM_RULES, rules.length + this.customRulesBeside(owner, ruleset), ruleset);
    const content = { description, last_updated: this.clock.timestamp(), rules };
    return this.full(this.stored.write(owner, ruleset, content));
  }

  /** Rules in the account's other custom rulesets, which share a quota. */
  private customRulesBeside({ level, id }: Owner, { id: own, kind, phase }: Ruleset): number {
    if (level !== "accounts" || kind !== "custom") return 0;
    const others = this.stored
      .in({ level, id })
      .filter((other) => other.kind === "custom" && other.phase === phase && other.id !== own);
    return others.reduce((sum, other) => sum + this.stored.newest(other).rules.length, 0);
  }

  private rules(owner: Owner, ruleset: Ruleset, sent: unknown, old: readonly StoredRule[] = []): StoredRule[] {
    if (!Array.isArray(sent)) throw invalidValue(sent, "rules", "it must be a list", { pointer: "/rules" });
    const context = this.contextOf(owner, ruleset);
    const byId = new Map(old.map((rule) => [rule.id, rule]));
    const rules = (sent as unknown[]).map((rule, index) => {
      const kept = keptRule(rule, byId);
      if (kept === undefined) checkRule(rule, context, `/rules/${String(index)}`);
      return kept ?? rule;
    });
    checkRefs(rules as Body[]);
    checkExecutedOnce(rules as Body[], context);
    return makeRules(rules as Body[], old, this.maker(owner));
  }

  private contextOf(owner: Owner, { kind, phase }: Ruleset): RuleContext {
    const find = (id: string): Ruleset | undefined => this.visible.find(owner, id);
    const account = this.visible.accountOf(owner)?.id ?? owner.id;
    const listKind = (name: string) => this.lists.named(account, name)?.kind;
    const belongs: RuleContext["belongs"] = (rulesetId, ruleId) => this.managed.locate(rulesetId, ruleId);
    return { level: owner.level, kind, phase, plan: this.plan(owner), find, belongs, listKind };
  }

  private maker(owner: Owner): RuleDefaults {
    const allowsThrottling = [undefined, "enterprise"].includes(this.plan(owner));
    return { nextId: () => this.store.ids.next(), timestamp: this.clock.timestamp(), allowsThrottling };
  }

  private plan(owner: Owner): Plan | undefined {
    return owner.level === "zones" ? this.store.zones.get("", owner.id)?.plan : undefined;
  }

  private full(ruleset: Ruleset): ApiResult {
    return rulesetResult(ruleset, this.stored.newest(ruleset));
  }

  private summaries(ruleset: Ruleset): ApiResult[] {
    return this.stored.versionsOf(ruleset).map((version) => summaryResult(ruleset, version));
  }

  private atVersion(ruleset: Ruleset, number: string): ApiResult {
    const wanted = this.stored.version(ruleset, number === "latest" ? ruleset.version : number);
    if (wanted === undefined) throw refuse(404, 10003, `could not find version ${number} of ruleset ${ruleset.id}`);
    return rulesetResult(ruleset, wanted);
  }

  private isExecuted(ruleset: Ruleset): boolean {
    return this.stored.executing(ruleset.id).length > 0;
  }
}

function zoneOf({ level, id }: Owner): string | undefined {
  return level === "zones" ? id : undefined;
}

function refuseBeyond(max: number, count: number, { phase }: Ruleset): void {
  if (count <= max) return;
  const text = `exceeded the maximum number of rules in the phase ${phase}: ${String(count)} out of ${String(max)}`;
  throw refuse(400, 50001, text);
}

function inUse(ruleset: Ruleset) {
  return refuse(400, 20119, `ruleset ${ruleset.id} cannot be deleted because it is referenced by another ruleset`);
}

/**
 * The existing rule that a whole update keeps by naming only its ID:
 * https://developers.cloudflare.com/waf/account/custom-rulesets/create-api/
 */
function keptRule(sent: unknown, byId: ReadonlyMap<string, StoredRule>): StoredRule | undefined {
  if (typeof sent !== "object" || sent === null || Object.keys(sent).join() !== "id") return undefined;
  return byId.get(String((sent as Body).id));
}

function findRule(rules: readonly StoredRule[], id: string): StoredRule {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw refuse(404, 10003, `could not find rule ${id}`);
  return found;
}

/** Refs are unique within a ruleset. */
function checkRefs(rules: readonly Body[], pointer = (index: number) => `/rules/${String(index)}/ref`): void {
  const seen = new Set<unknown>();
  rules.forEach((rule, index) => {
    const { ref } = rule;
    if (ref === undefined || ref === "") return;
    if (seen.has(ref))
      throw invalidValue(ref, "ref", "it is used by another rule of the ruleset", {
        pointer: pointer(index),
      });
    seen.add(ref);
  });
}
