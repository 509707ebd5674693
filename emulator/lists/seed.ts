import { nonEmpty, listOf, oneOf, string } from "../body.js";
import { anyObject, exactly, type SeedPart } from "../seed-part.js";
import { KINDS } from "./model.js";

/** A list that rules refer to as `$name`. */
interface ListSeed {
  /** Name or id of the account. @default the first one */
  readonly account?: string;
  readonly name: string;
  readonly kind: "ip" | "redirect" | "hostname" | "asn";
  readonly description?: string;
  /** Items as the service accepts them, such as `{ "ip": "192.0.2.0/24" }`. */
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

export interface ListsSeed {
  readonly lists?: readonly ListSeed[];
}

const list = exactly<ListSeed>(
  { account: nonEmpty, name: nonEmpty, kind: oneOf(...KINDS), description: string, items: listOf(anyObject) },
  ["name", "kind"],
);

export const listsSeed: SeedPart<ListsSeed> = {
  properties: { lists: listOf(list) },
  zoneProperties: {},
  unique: ({ lists = [] }) => ({
    lists: lists.map(({ name, account = "" }) => ({ id: `${account}/${name}`, name: `${account}/${name}` })),
  }),
};
