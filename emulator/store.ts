import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { IdSource } from "./ids.js";
import { managedRulesets } from "./rulesets/catalogue.js";
import type { Certificates, Hostname } from "./certificates/model.js";
import { certificatesOf } from "./certificates/seed.js";
import type { PreviousWaf } from "./previous-waf/model.js";
import { previousWafOf } from "./previous-waf/seed.js";
import type { StoredRuleset } from "./rulesets/model.js";
import { accountsOf, DEFAULT_SEED, zonesOf, type Account, type Seed, type Zone } from "./seed.js";

interface Saved {
  readonly format: 1;
  readonly seed: Seed;
  readonly ids: number;
  readonly rulesets: readonly StoredRuleset[];
  /** By zone. Missing in files of older versions. */
  readonly previousWafs?: readonly (readonly [string, PreviousWaf])[];
  /** By zone, with hostnames as a list. */
  readonly certificates?: readonly (readonly [string, SavedCertificates])[];
}

type SavedCertificates = Omit<Certificates, "hostnames"> & {
  readonly hostnames: readonly (readonly [string, Hostname])[];
};

/** Everything the service knows. Values are replaced whole, never changed in place, so a map is its own snapshot. */
export class Store {
  seed: Seed = {};
  accounts: readonly Account[] = [];
  zones: readonly Zone[] = [];
  ids = new IdSource("");
  rulesets: ReadonlyMap<string, StoredRuleset> = new Map();
  /** By zone. */
  previousWafs: ReadonlyMap<string, PreviousWaf> = new Map();
  private certificates: ReadonlyMap<string, Certificates> = new Map();
  private stateFile: string | undefined;

  constructor(seed: Seed, stateFile?: string) {
    this.stateFile = stateFile;
    this.load(seed, stateFile === undefined ? undefined : readSaved(stateFile));
  }

  /** Forgets everything and starts from a seed. */
  reset(seed: Seed): void {
    this.stateFile = undefined;
    this.load(seed, undefined);
  }

  private load(seed: Seed, saved: Saved | undefined): void {
    this.seed = saved?.seed ?? seed;
    this.accounts = accountsOf(this.seed);
    this.zones = zonesOf(this.seed, this.accounts);
    this.ids = new IdSource(this.seed.ids ?? DEFAULT_SEED.ids ?? "", saved?.ids ?? 0);
    const own = saved?.rulesets ?? [];
    this.rulesets = new Map([...managedRulesets, ...own].map((ruleset) => [ruleset.id, ruleset]));
    const seeded = this.zones.map((zone) => [zone.id, previousWafOf(zone, zone.previousWaf)] as const);
    this.previousWafs = new Map([...seeded, ...(saved?.previousWafs ?? [])]);
    const issued = this.zones.map((zone) => [zone.id, certificatesOf(zone, zone.certificates)] as const);
    const kept = (saved?.certificates ?? []).map(
      ([zone, item]) => [zone, { ...item, hostnames: new Map(item.hostnames) }] as const,
    );
    this.certificates = new Map([...issued, ...kept]);
  }

  put(ruleset: StoredRuleset): void {
    this.rulesets = new Map(this.rulesets).set(ruleset.id, ruleset);
  }

  putPreviousWaf(zone: string, waf: PreviousWaf): void {
    this.previousWafs = new Map(this.previousWafs).set(zone, waf);
  }

  certificatesIn(zone: string): Certificates {
    const found = this.certificates.get(zone);
    if (found === undefined) throw new Error(`there is no zone ${zone}`);
    return found;
  }
  putCertificates(zone: string, certificates: Certificates): void {
    this.certificates = new Map(this.certificates).set(zone, certificates);
  }

  remove(id: string): void {
    const rest = new Map(this.rulesets);
    rest.delete(id);
    this.rulesets = rest;
  }

  /** Runs a write and takes it back, as `dry_run=true` asks. */
  rehearse(write: () => void): void {
    const { rulesets, previousWafs, certificates } = this;
    const { count } = this.ids;
    try {
      write();
    } finally {
      this.rulesets = rulesets;
      this.previousWafs = previousWafs;
      this.certificates = certificates;
      this.ids.count = count;
    }
  }

  /** Writes the state file, if there is one, beside the old one and then over it. */
  save(): void {
    if (this.stateFile === undefined) return;
    const own = [...this.rulesets.values()].filter(({ kind }) => kind !== "managed");
    const previousWafs = [...this.previousWafs];
    const certificates = [...this.certificates].map(
      ([zone, item]) => [zone, { ...item, hostnames: [...item.hostnames] }] as const,
    );
    const saved: Saved = { format: 1, seed: this.seed, ids: this.ids.count, rulesets: own, previousWafs, certificates };
    writeFileSync(`${this.stateFile}.new`, JSON.stringify(saved));
    renameSync(`${this.stateFile}.new`, this.stateFile);
  }
}

function readSaved(path: string): Saved | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const saved = JSON.parse(text) as Saved;
    if ((saved.format as number) === 1) return saved;
  } catch {
    // falls through to the one message for every unreadable file
  }
  throw new Error(`${path} is not a state file of the emulator; name another file, or delete it to start anew`);
}
