import type { Body, Owner } from "../call.js";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { listsIn } from "./checks/lists.js";
import { ManagedRulesets } from "./managed.js";
import { ownerText, type Ruleset, type StoredRule, type Version } from "./model.js";

/** Stored rulesets by owner, with their versions. */
export class StoredRulesets {
  readonly managed: ManagedRulesets;
  private readonly rulesets: Collection<Ruleset>;
  private readonly versions: Collection<Version>;

  constructor(
    private readonly store: Store,
    /** How many versions of a ruleset to keep. */
    private readonly kept: number,
  ) {
    this.managed = new ManagedRulesets(store);
    this.rulesets = store.collection("rulesets", namesOf);
    this.versions = store.collection("versions");
  }

  in(owner: Owner): readonly Ruleset[] {
    return this.rulesets.in(owner.id);
  }

  find(owner: Owner, id: string): Ruleset | undefined {
    return this.rulesets.get(owner.id, id);
  }

  entrypoint(owner: Owner, phase: string): Ruleset | undefined {
    return this.rulesets.named(entryName(ownerText(owner), phase))[0];
  }

  /** Rulesets with a rule that executes this one. */
  executing(id: string): Ruleset[] {
    return this.rulesets.named(executesName(id));
  }

  /** Rulesets with a rule that uses a list of an account. */
  naming(account: string, list: string): Ruleset[] {
    return this.rulesets.named(listName(account, list));
  }

  /** Oldest first. */
  versionsOf({ id }: Ruleset): readonly Version[] {
    const managed = this.managed.get(id);
    return managed === undefined ? this.versions.in(id) : [managed.version];
  }

  version({ id }: Ruleset, number: string): Version | undefined {
    const managed = this.managed.get(id)?.version;
    return managed === undefined ? this.versions.get(id, number) : managed.version === number ? managed : undefined;
  }

  newest(ruleset: Ruleset): Version {
    const found = this.version(ruleset, ruleset.version);
    if (found === undefined) throw new Error(`ruleset ${ruleset.id} has no version`);
    return found;
  }

  /** Adds a version and deletes the oldest ones beyond the limit. */
  write(owner: Owner, ruleset: Ruleset, content: Omit<Version, "version">): Ruleset {
    const last = ruleset.last + 1;
    const version = { version: String(last), ...content };
    const written = { ...ruleset, last, version: version.version, ...this.references(owner, content.rules) };
    this.rulesets.put(owner.id, ruleset.id, written);
    this.versions.put(ruleset.id, version.version, version);
    const surplus = this.versions.count(ruleset.id) - this.kept;
    for (const old of surplus > 0 ? this.versions.in(ruleset.id).slice(0, surplus) : []) {
      this.versions.delete(ruleset.id, old.version);
    }
    return written;
  }

  /** Stores a ruleset with its versions, oldest first. */
  add(ruleset: Omit<Ruleset, "version" | keyof References>, versions: readonly Version[]): void {
    const newest = versions.at(-1);
    if (newest === undefined) return;
    const [level, id = ""] = ruleset.owner.split("/");
    const owner: Owner = { level: level === "zones" ? "zones" : "accounts", id };
    const references = this.references(owner, newest.rules);
    this.rulesets.put(id, ruleset.id, { ...ruleset, version: newest.version, ...references });
    for (const version of versions.slice(-this.kept)) this.versions.put(ruleset.id, version.version, version);
  }

  deleteVersion(owner: Owner, ruleset: Ruleset, number: string): void {
    this.versions.delete(ruleset.id, number);
    const newest = this.versions.in(ruleset.id).at(-1);
    if (newest === undefined) {
      this.rulesets.delete(owner.id, ruleset.id);
      return;
    }
    const references = this.references(owner, newest.rules);
    this.rulesets.put(owner.id, ruleset.id, { ...ruleset, version: newest.version, ...references });
  }

  remove(owner: Owner, ruleset: Ruleset): void {
    this.rulesets.delete(owner.id, ruleset.id);
    this.versions.clear(ruleset.id);
  }

  private references(owner: Owner, rules: readonly StoredRule[]): References {
    const account = owner.level === "zones" ? this.store.zones.get("", owner.id)?.account.id : owner.id;
    const names = [...new Set(rules.flatMap(listsOf))];
    return { executes: executed(rules), lists: names.map((name) => `${account ?? ""}/${name}`) };
  }
}

type References = Pick<Ruleset, "executes" | "lists">;

function namesOf({ kind, owner, phase, executes, lists }: Ruleset): string[] {
  const entry = kind === "zone" || kind === "root" ? [entryName(owner, phase)] : [];
  return [...entry, ...executes.map(executesName), ...lists.map((list) => `names ${list}`)];
}
const entryName = (owner: string, phase: string): string => `entry point ${owner}/${phase}`;
const executesName = (id: string): string => `executes ${id}`;
const listName = (account: string, list: string): string => `names ${account}/${list}`;

function executed(rules: readonly StoredRule[]): string[] {
  const ids = rules.flatMap(({ action, action_parameters }) =>
    action === "execute" ? [String((action_parameters as { id?: unknown } | undefined)?.id)] : [],
  );
  return [...new Set(ids)];
}

/** The lists that a rule uses in its expressions, or for redirects. */
function listsOf({ expression, ratelimit, action_parameters }: StoredRule): string[] {
  const { counting_expression: counting = "" } = (ratelimit ?? {}) as Body;
  const { name } = ((action_parameters as Body | undefined)?.from_list ?? {}) as Body;
  return [...listsIn(expression ?? ""), ...listsIn(counting), ...(typeof name === "string" ? [name] : [])];
}
