import { levelOfKind, type Scope } from "../../core/model/ids.js";
import { rulesetName } from "../../core/model/names.js";
import type { Items } from "../../core/lists/item.js";
import type { NameOf } from "../../core/managed/rulesets.js";

/** A rule in a program's notation, together with the ID and ref from the service, if any. */
export type FoundRule = object & { readonly id?: string; readonly ref?: string };

/** A resource of `@pulumi/cloudflare` that is replaced by one of this package. */
interface Predecessor {
  readonly type: string;
  readonly name: string;
}

/** A ruleset to generate code for. */
export interface FoundRuleset {
  /** The service's ID; missing if the ruleset is to be created. */
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  readonly rules: readonly FoundRule[];
  readonly predecessor?: Predecessor;
  /** Notes for readers of the program, one sentence each. */
  readonly notes?: readonly string[];
  /** Paths of fields of another tool's state that this version does not know. */
  readonly unknown?: readonly string[];
  /** Names of lists that its rules use and that the program creates. */
  readonly newLists?: readonly string[];
}

/** The certificate authority chosen for a custom hostname. */
export interface FoundHostname {
  readonly id: string;
  readonly hostname: string;
  readonly certificateAuthority: string;
}

/** A list of an account with all of its items. */
export interface FoundList {
  /** The service's ID; missing if the list is to be created. */
  readonly id?: string;
  readonly name: string;
  /** A `ListKind`, or one that this version does not know. */
  readonly kind: string;
  /** Empty if it has none. */
  readonly description: string;
  readonly items: Items;
  /** Whether the list has other items too, which the program leaves alone. @default false */
  readonly shared?: boolean;
  /** Notes for readers of the program, one sentence each. */
  readonly notes?: readonly string[];
}

/** What was found in a zone or in an account. */
export interface FoundScope {
  readonly scope: Scope;
  /** The name of the zone, or of the account if known. */
  readonly name: string;
  readonly rulesets: readonly FoundRuleset[];
  readonly hostnames: readonly FoundHostname[];
  /** @default none */
  readonly lists?: readonly FoundList[];
  /** The certificate authority of Total TLS, if enabled. */
  readonly totalTls?: string;
}

/** Why the authority of a hostname cannot be declared if its owner uploaded the certificate. */
export const UPLOADED = "its certificate was uploaded, so there is no authority to choose";

/** Something that the program does not contain, and why. */
export interface LeftOut {
  /** The display name of the zone or account. */
  readonly where: string;
  readonly what: string;
  readonly reason: string;
}

/** Everything the program is generated from. */
export interface Inventory {
  readonly scopes: readonly FoundScope[];
  readonly leftOut: readonly LeftOut[];
  /** Names of rulesets that rules may execute but the program does not declare, by ID. */
  readonly knownNames?: ReadonlyMap<string, string>;
  /** Whether the service returned it: what another tool's state has may have been read wrongly. @default false */
  readonly isServices?: boolean;
  /** Names of managed rules that were read. @default those that this package knows */
  readonly managedNames?: NameOf;
}

/** The display name of a zone or an account. */
export function scopeLabel({ scope, name }: Pick<FoundScope, "scope" | "name">): string {
  if (scope.level === "accounts") return `account ${name}`;
  return name === scope.id ? `zone ${name}` : name;
}

/** The display name of a ruleset: the phase is enough for an entry point. */
export function rulesetLabel({ kind, name, phase }: Pick<FoundRuleset, "kind" | "name" | "phase">): string {
  if (levelOfKind(kind) !== undefined) return phase;
  return `${kind === "custom" ? rulesetName({ kind, name, phase }) : `ruleset "${name}" of kind ${kind}`} (${phase})`;
}

/** The display name of a list. */
export function listLabel({ name }: Pick<FoundList, "name">): string {
  return `list ${name}`;
}
