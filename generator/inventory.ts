import type { Scope } from "../provider/model/ids.js";

/** A rule as a program writes it; what the service gave it stands beside that, where there is any. */
export type FoundRule = object & { readonly id?: string; readonly ref?: string };

/** A resource of the vendor's package that becomes one of this package's. */
export interface Predecessor {
  readonly type: string;
  readonly name: string;
}

/** A ruleset to be written as a program. */
export interface FoundRuleset {
  /** The service's ID; missing for one that is to be created. */
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  readonly rules: readonly FoundRule[];
  readonly predecessor?: Predecessor;
  /** What a person should know who reads the program, a sentence each. */
  readonly notes?: readonly string[];
}

/** Which authority issues the certificate of a custom hostname. */
export interface FoundHostname {
  readonly id: string;
  readonly hostname: string;
  readonly certificateAuthority: string;
}

/** What was found in a zone or in an account. */
export interface FoundScope {
  readonly scope: Scope;
  /** The zone's name; that of an account, where it is known. */
  readonly name: string;
  readonly rulesets: readonly FoundRuleset[];
  readonly hostnames: readonly FoundHostname[];
  /** The authority of Total TLS, where that is on. */
  readonly totalTls?: string;
}

/** What a program does not say, and why. */
export interface LeftOut {
  /** The zone or the account, as a person calls it. */
  readonly where: string;
  readonly what: string;
  readonly reason: string;
}

/** Everything a program is made of. */
export interface Inventory {
  readonly scopes: readonly FoundScope[];
  readonly leftOut: readonly LeftOut[];
  /** Names of rulesets that rules may execute and that the program does not declare, by ID. */
  readonly knownNames?: ReadonlyMap<string, string>;
}

/** A zone or an account as a person calls it. */
export function scopeLabel({ scope, name }: Pick<FoundScope, "scope" | "name">): string {
  if (scope.level === "accounts") return `account ${name}`;
  return name === scope.id ? `zone ${name}` : name;
}

/** A ruleset as a person calls it. */
export function rulesetLabel({ kind, name, phase }: Pick<FoundRuleset, "kind" | "name" | "phase">): string {
  return kind === "custom" ? `custom ruleset ${JSON.stringify(name)} (${phase})` : phase;
}
