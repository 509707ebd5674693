import type { Answer, Body, Owner } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse, shown, type ServiceError } from "../failure.js";
import type { Store } from "../store/store.js";
import type { Plan } from "../zones/model.js";
import { managedRulesets } from "./catalogue.js";
import { entryKind, full, ownerText, summary, type Ruleset, type StoredRule } from "./model.js";
import { phaseFacts } from "./phases.js";
import { maxRules, ZONE_CUSTOM_RULESETS } from "./quotas.js";
import { makeRule, makeRules, place, type RuleMaker } from "./rules.js";
import type { StoredRulesets } from "./stored.js";
import { checkRefs, checkRule, type RuleContext } from "./validate.js";

/** The rulesets operations (spec 4.1), on the store. Every write first checks, then replaces the ruleset as a whole. */
export class RulesetsService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredRulesets,
    private readonly clock: EmulatorClock,
    /** Refuses rules that may not stand in a phase yet. */
    private readonly guard: (owner: Owner, phase: string, rules: readonly StoredRule[]) => void,
  ) {}

  list(owner: Owner): Answer[] {
    const managed = [...managedRulesets.values()].map(({ ruleset }) => ruleset);
    const account = this.accountOf(owner);
    const ofAccount = account === undefined ? [] : this.stored.in(account);
    return [...managed, ...ofAccount, ...this.stored.in(owner)]
      .filter((ruleset) => this.isVisible(ruleset, owner))
      .map((ruleset) => summary(ruleset, this.stored.newest(ruleset)));
  }

  get(owner: Owner, id: string): Answer {
    return this.full(this.find(owner, id));
  }
  getEntrypoint(owner: Owner, phase: string): Answer {
    return this.full(this.entrypoint(owner, phase));
  }

  versions(owner: Owner, id: string): Answer[] {
    const ruleset = this.find(owner, id);
    return this.stored.versionsOf(ruleset).map((version) => summary(ruleset, version));
  }
  entrypointVersions(owner: Owner, phase: string): Answer[] {
    const found = this.stored.entrypoint(owner, phase);
    return found === undefined ? [] : this.stored.versionsOf(found).map((version) => summary(found, version));
  }
  version(owner: Owner, id: string, number: string): Answer {
    return this.atVersion(this.find(owner, id), number);
  }
  entrypointVersion(owner: Owner, phase: string, number: string): Answer {
    return this.atVersion(this.entrypoint(owner, phase), number);
  }

  byTag(owner: Owner, id: string, number: string, tag: string): Answer {
    const ruleset = this.find(owner, id);
    if (ruleset.kind !== "managed") throw refuse(400, undefined, "only managed rulesets have tags");
    const answer = this.atVersion(ruleset, number);
    const rules = (answer.rules as readonly StoredRule[]).filter((rule) => (rule.categories as string[]).includes(tag));
    return { ...answer, rules };
  }

  create(owner: Owner, body: Body): Answer {
    const kind = this.checkNew(owner, body);
    const { name, phase } = body as { name: string; phase: string };
    const blank: Ruleset = {
      id: this.store.ids.next(),
      name,
      kind,
      phase,
      owner: ownerText(owner),
      last: 0,
      version: "",
      executes: [],
    };
    return this.write(owner, blank, text(body.description) ?? "", this.rules(owner, blank, body.rules ?? []));
  }

  replace(owner: Owner, id: string, body: Body): Answer {
    const ruleset = this.findOwn(owner, id);
    if (body.name !== undefined && body.name !== ruleset.name) {
      throw refuse(
        400,
        undefined,
        `the name field cannot be modified: got ${shown(body.name)}, want ${ruleset.name}`,
        "/name",
      );
    }
    for (const field of ["kind", "phase"] as const) {
      if (body[field] !== undefined && body[field] !== ruleset[field]) {
        throw refuse(
          400,
          undefined,
          `the ${field} field cannot be modified: got ${shown(body[field])}, want ${ruleset[field]}`,
          `/${field}`,
        );
      }
    }
    return this.update(owner, ruleset, body);
  }

  replaceEntrypoint(owner: Owner, phase: string, body: Body): Answer {
    if (body.kind !== undefined) throw refuse(400, undefined, 'invalid JSON: unknown field "kind"');
    const found = this.stored.entrypoint(owner, phase);
    const name = text(body.name);
    if (found !== undefined) return this.update(owner, name === undefined ? found : { ...found, name }, body);
    return this.create(owner, { ...body, name: name ?? "default", kind: entryKind(owner), phase });
  }

  addRule(owner: Owner, id: string, body: Body): Answer {
    const ruleset = this.findOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    this.checkRule(owner, ruleset, body, "");
    checkRefs([...rules, body]);
    return this.write(
      owner,
      ruleset,
      description,
      place(rules, makeRule(body, undefined, this.maker()), body.position),
    );
  }

  updateRule(owner: Owner, id: string, ruleId: string, body: Body): Answer {
    const ruleset = this.findOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    const old = findRule(rules, ruleId);
    const onlyMoves = Object.keys(body).every((key) => key === "position");
    if (!onlyMoves) this.checkRule(owner, ruleset, body, "");
    const sameRef = body.ref === undefined || body.ref === "" || body.ref === old.ref;
    if (!sameRef) throw refuse(400, undefined, "the ref field cannot be modified", "/ref");
    const rule = onlyMoves ? old : makeRule(body, old, this.maker());
    return this.write(owner, ruleset, description, place(rules, rule, body.position));
  }

  deleteRule(owner: Owner, id: string, ruleId: string): Answer {
    const ruleset = this.findOwn(owner, id);
    const { rules, description } = this.stored.newest(ruleset);
    findRule(rules, ruleId);
    return this.write(
      owner,
      ruleset,
      description,
      rules.filter((rule) => rule.id !== ruleId),
    );
  }

  delete(owner: Owner, id: string): void {
    const ruleset = this.findOwn(owner, id);
    this.refuseWhenExecuted(ruleset);
    this.stored.remove(owner, ruleset);
  }

  deleteVersion(owner: Owner, id: string, number: string): void {
    const ruleset = this.findOwn(owner, id);
    this.atVersion(ruleset, number);
    if (ruleset.version === number) {
      throw refuse(400, undefined, `version ${number} is the latest version of the ruleset and cannot be deleted`);
    }
    this.stored.deleteVersion(owner, ruleset, number);
  }

  private update(owner: Owner, ruleset: Ruleset, body: Body): Answer {
    const before = this.stored.newest(ruleset);
    const rules = body.rules === undefined ? before.rules : this.rules(owner, ruleset, body.rules, before.rules);
    return this.write(owner, ruleset, text(body.description) ?? "", rules);
  }

  private write(owner: Owner, ruleset: Ruleset, description: string, rules: readonly StoredRule[]): Answer {
    this.guard(owner, ruleset.phase, rules);
    const max = owner.level === "zones" ? maxRules(ruleset.phase, this.plan(owner) ?? "enterprise") : 1000;
    if (rules.length > max) {
      const text = `exceeded the maximum number of rules in the phase ${ruleset.phase}: ${String(rules.length)} out of ${String(max)}`;
      throw refuse(400, 50001, text);
    }
    const content = { description, last_updated: this.clock.timestamp(), rules };
    return this.full(this.stored.write(owner, ruleset, content));
  }

  private rules(owner: Owner, ruleset: Ruleset, sent: unknown, old: readonly StoredRule[] = []): StoredRule[] {
    if (!Array.isArray(sent)) throw invalidValue(sent, "rules", "it must be a list", { pointer: "/rules" });
    const rules = sent as Body[];
    rules.forEach((rule, index) => {
      this.checkRule(owner, ruleset, rule, `/rules/${String(index)}`);
    });
    checkRefs(rules);
    return makeRules(rules, old, this.maker());
  }

  private checkRule(owner: Owner, ruleset: Ruleset, rule: Body, pointer: string): void {
    const context: RuleContext = {
      kind: ruleset.kind,
      phase: ruleset.phase,
      plan: this.plan(owner),
      canExecute: (id) => {
        const target = this.findVisible(owner, id);
        return target !== undefined && target.kind !== "zone" && target.kind !== "root";
      },
    };
    checkRule(rule, context, pointer);
  }

  private checkNew(owner: Owner, body: Body): Ruleset["kind"] {
    const { name, kind, phase } = body;
    if (typeof name !== "string" || name === "")
      throw invalidValue(name ?? "", "name", "it cannot be blank", { pointer: "/name" });
    const place = typeof phase === "string" ? phaseFacts(phase) : undefined;
    if (typeof phase !== "string" || place === undefined) {
      throw invalidValue(phase ?? "", "phase", "it is not a known phase", { pointer: "/phase" });
    }
    const own = entryKind(owner);
    if (kind !== "custom" && kind !== own)
      throw invalidValue(kind ?? "", "kind", `it is not possible at this level`, { pointer: "/kind" });
    if (kind === own && !(owner.level === "zones" ? place.zone : place.account)) {
      throw invalidValue(phase, "phase", "it does not exist at this level", { pointer: "/phase" });
    }
    if (kind === own && this.stored.entrypoint(owner, phase) !== undefined) {
      throw invalidValue(kind, "kind", `exceeded maximum number of ${own} rulesets for phase ${phase}`, {
        code: 20217,
        pointer: "/kind",
      });
    }
    if (kind === "custom" && owner.level === "zones") this.checkZoneCustom(owner, phase);
    return kind === "custom" ? "custom" : own;
  }

  private checkZoneCustom(owner: Owner, phase: string): void {
    if (phase !== "http_request_firewall_custom") {
      throw invalidValue("custom", "kind", `it is not possible in phase ${phase} of a zone`, { pointer: "/kind" });
    }
    const max = ZONE_CUSTOM_RULESETS[this.plan(owner) ?? "enterprise"];
    const count = this.stored.in(owner).filter((ruleset) => ruleset.kind === "custom").length;
    if (count >= max)
      throw refuse(
        400,
        50002,
        `exceeded the maximum number of custom rulesets: ${String(count + 1)} out of ${String(max)}`,
      );
  }

  private maker(): RuleMaker {
    return { nextId: () => this.store.ids.next(), timestamp: this.clock.timestamp() };
  }

  private plan(owner: Owner): Plan | undefined {
    return owner.level === "zones" ? this.store.zones.get("", owner.id)?.plan : undefined;
  }

  private accountOf(owner: Owner): Owner | undefined {
    const account = owner.level === "zones" ? this.store.zones.get("", owner.id)?.account : undefined;
    return account === undefined ? undefined : { level: "accounts", id: account.id };
  }

  /** Own rulesets, the vendor's, and in a zone also the custom ones of its account. */
  private isVisible(ruleset: Ruleset, owner: Owner): boolean {
    if (ruleset.owner === ownerText(owner)) return true;
    if (ruleset.kind === "managed") return owner.level === "accounts" || phaseFacts(ruleset.phase)?.zone === true;
    return ruleset.kind === "custom";
  }

  private findVisible(owner: Owner, id: string): Ruleset | undefined {
    const account = this.accountOf(owner);
    const found =
      managedRulesets.get(id)?.ruleset ??
      this.stored.find(owner, id) ??
      (account === undefined ? undefined : this.stored.find(account, id));
    return found !== undefined && this.isVisible(found, owner) ? found : undefined;
  }

  private find(owner: Owner, id: string): Ruleset {
    const found = this.findVisible(owner, id);
    if (found !== undefined) return found;
    throw refuse(404, 10003, `could not find ruleset ${id}`);
  }

  private findOwn(owner: Owner, id: string): Ruleset {
    const found = this.find(owner, id);
    if (found.kind === "managed") throw refuse(403, undefined, "managed rulesets cannot be modified");
    if (found.owner === ownerText(owner)) return found;
    throw refuse(404, 10003, `could not find ruleset ${id}`);
  }

  private entrypoint(owner: Owner, phase: string): Ruleset {
    const found = this.stored.entrypoint(owner, phase);
    if (found !== undefined) return found;
    throw refuse(404, 10003, `could not find entrypoint ruleset in the ${phase} phase`);
  }

  private full(ruleset: Ruleset): Answer {
    return full(ruleset, this.stored.newest(ruleset));
  }

  private atVersion(ruleset: Ruleset, number: string): Answer {
    const wanted = this.stored.version(ruleset, number === "latest" ? ruleset.version : number);
    if (wanted === undefined) throw refuse(404, 10003, `could not find version ${number} of ruleset ${ruleset.id}`);
    return full(ruleset, wanted);
  }

  private refuseWhenExecuted(ruleset: Ruleset): void {
    if (this.stored.executing(ruleset.id).length > 0) throw inUse(ruleset);
  }
}

function inUse(ruleset: Ruleset): ServiceError {
  return refuse(400, 20119, `ruleset ${ruleset.id} cannot be deleted because it is referenced by another ruleset`);
}

function findRule(rules: readonly StoredRule[], id: string): StoredRule {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw refuse(404, 10003, `could not find rule ${id}`);
  return found;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
