import { nonEmpty, listOf } from "../body.js";
import { exactly, id, idFrom, type SeedPart } from "../seed-part.js";
import type { Account } from "../zones/model.js";

export interface AccountSeed {
  readonly id?: string;
  readonly name: string;
}

export interface AccountsSeed {
  readonly accounts?: readonly AccountSeed[];
}

const account = exactly<AccountSeed>({ id, name: nonEmpty }, ["name"]);

export const accountsSeed: SeedPart<AccountsSeed> = {
  properties: { accounts: listOf(account, { minItems: 1 }) },
  zoneProperties: {},
  unique: (seed) => ({ accounts: accountsOf(seed).slice(0, seed.accounts?.length ?? 0) }),
};

export const DEFAULT_ACCOUNTS: readonly AccountSeed[] = [{ name: "Example Ltd" }];

export function accountsOf({ accounts = DEFAULT_ACCOUNTS }: AccountsSeed): Account[] {
  return accounts.map((account) => ({ id: account.id ?? idFrom("account", account.name), name: account.name }));
}
