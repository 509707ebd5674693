import type { Owner } from "../call.js";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { managedRulesets } from "./catalogue.js";
import { ownerText, type Ruleset, type StoredRule, type Version } from "./model.js";

/** What is stored of rulesets: each by its owner, its versions beside it. */
export class StoredRulesets {
  private readonly rulesets: Collection<Ruleset>;
  private readonly versions: Collection<Version>;

  constructor(
    store: Store,
    /** How many versions of a ruleset are kept. */
    private readonly kept: number,
  ) {
    this.rulesets = store.collection("rulesets", namesOf);
    this.versions = store.collection("versions");
  }

  in(owner: Owner): Ruleset[] {
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

  /** Oldest first. */
  versionsOf({ id }: Ruleset): Version[] {
    const managed = managedRulesets.get(id);
    return managed === undefined ? this.versions.in(id) : [managed.version];
  }

  version({ id }: Ruleset, number: string): Version | undefined {
    const managed = managedRulesets.get(id)?.version;
    return managed === undefined ? this.versions.get(id, number) : managed.version === number ? managed : undefined;
  }

  newest(ruleset: Ruleset): Version {
    const found = this.version(ruleset, ruleset.version);
    if (found === undefined) throw new Error(`ruleset ${ruleset.id} has no version`);
    return found;
  }

  /** Adds a version and forgets the oldest ones that are too many. */
  write(owner: Owner, ruleset: Ruleset, content: Omit<Version, "version">): Ruleset {
    const last = ruleset.last + 1;
    const version = { version: String(last), ...content };
    const written = { ...ruleset, last, version: version.version, executes: executed(content.rules) };
    this.rulesets.put(owner.id, ruleset.id, written);
    this.versions.put(ruleset.id, version.version, version);
    const surplus = this.versions.count(ruleset.id) - this.kept;
    for (const old of surplus > 0 ? this.versions.in(ruleset.id).slice(0, surplus) : []) {
      this.versions.delete(ruleset.id, old.version);
    }
    return written;
  }

  /** Takes over a ruleset with its versions, oldest first. */
  add(ruleset: Omit<Ruleset, "version" | "executes">, versions: readonly Version[]): void {
    const newest = versions.at(-1);
    if (newest === undefined) return;
    const owner = ruleset.owner.split("/")[1] ?? "";
    this.rulesets.put(owner, ruleset.id, { ...ruleset, version: newest.version, executes: executed(newest.rules) });
    for (const version of versions.slice(-this.kept)) this.versions.put(ruleset.id, version.version, version);
  }

  deleteVersion(owner: Owner, ruleset: Ruleset, number: string): void {
    this.versions.delete(ruleset.id, number);
    const newest = this.versions.in(ruleset.id).at(-1);
    if (newest === undefined) this.rulesets.delete(owner.id, ruleset.id);
    else
      this.rulesets.put(owner.id, ruleset.id, {
        ...ruleset,
        version: newest.version,
        executes: executed(newest.rules),
      });
  }

  remove(owner: Owner, ruleset: Ruleset): void {
    this.rulesets.delete(owner.id, ruleset.id);
    this.versions.clear(ruleset.id);
  }
}

function namesOf({ kind, owner, phase, executes }: Ruleset): string[] {
  const entry = kind === "zone" || kind === "root" ? [entryName(owner, phase)] : [];
  return [...entry, ...executes.map(executesName)];
}
const entryName = (owner: string, phase: string): string => `entry point ${owner}/${phase}`;
const executesName = (id: string): string => `executes ${id}`;

function executed(rules: readonly StoredRule[]): string[] {
  const ids = rules.flatMap(({ action, action_parameters }) =>
    action === "execute" ? [String((action_parameters as { id?: unknown } | undefined)?.id)] : [],
  );
  return [...new Set(ids)];
}
