import type { Pace } from "../certificates/model.js";

export const KINDS = ["ip", "redirect", "hostname", "asn"] as const;
export type Kind = (typeof KINDS)[number];

/** A list that rules refer to as `$name`. */
export interface List {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  /** The service leaves out an empty description. */
  readonly description?: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
}

/** An item; its value is stored under the name of the list's kind. */
export interface Item {
  readonly id: string;
  /** Identifies the item if it is sent again. */
  readonly key: string;
  readonly value: unknown;
  readonly comment?: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
}

/** A requested change of items. It completes asynchronously, and the items only change then. */
export interface BulkOperation {
  readonly id: string;
  readonly list: string;
  readonly since: number;
  readonly reads: number;
  readonly change: ItemChange;
  /** RFC 3339; missing while it is running. */
  readonly completed?: string;
}

export type ItemChange =
  | { readonly kind: "add" | "replace"; readonly items: readonly SentItem[] }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

export interface SentItem {
  readonly key: string;
  readonly value: unknown;
  readonly comment?: string;
}

/** How fast the operations of an account complete. */
export interface ListSettings {
  readonly pace: Pace;
}
