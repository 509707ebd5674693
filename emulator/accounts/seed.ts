import { nonEmpty, listOf, string } from "../body.js";
import { exactly, id, idFrom, type SeedPart } from "../seed-part.js";
import type { Account } from "../zones/model.js";

export interface AccountSeed {
  readonly id?: string;
  readonly name: string;
}

/** An organization, with the names of its accounts. */
export interface OrganizationSeed {
  readonly id?: string;
  readonly name: string;
  readonly accounts: readonly string[];
}

export interface AccountsSeed {
  readonly accounts?: readonly AccountSeed[];
  readonly organizations?: readonly OrganizationSeed[];
}

const account = exactly<AccountSeed>({ id, name: nonEmpty }, ["name"]);

const organization = exactly<OrganizationSeed>({ id, name: nonEmpty, accounts: listOf(string) }, ["name", "accounts"]);

export const accountsSeed: SeedPart<AccountsSeed> = {
  properties: { accounts: listOf(account, { minItems: 1 }), organizations: listOf(organization) },
  zoneProperties: {},
  unique: (seed) => ({
    accounts: accountsOf(seed).slice(0, seed.accounts?.length ?? 0),
    organizations: organizationsOf(seed),
  }),
};

export const DEFAULT_ACCOUNTS: readonly AccountSeed[] = [{ name: "Example Ltd" }];

export function accountsOf({ accounts = DEFAULT_ACCOUNTS }: AccountsSeed): Account[] {
  return accounts.map((account) => ({ id: account.id ?? idFrom("account", account.name), name: account.name }));
}

export function organizationsOf({ organizations = [] }: AccountsSeed): Required<OrganizationSeed>[] {
  return organizations.map((one) => ({ ...one, id: one.id ?? idFrom("organization", one.name) }));
}
