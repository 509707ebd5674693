import type { Pace } from "../certificates/model.js";

export const KINDS = ["ip", "redirect", "hostname", "asn"] as const;
export type Kind = (typeof KINDS)[number];

/** A list that rules name as `$name`. */
export interface List {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly description: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
}

/** An item: its value stands under the name of the list's kind. */
export interface Item {
  readonly id: string;
  /** What makes it the same item when it is sent again. */
  readonly key: string;
  readonly value: unknown;
  readonly comment?: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
}

/** A change of items that was asked for. It comes about by itself, and only then are the items others. */
export interface Operation {
  readonly id: string;
  readonly list: string;
  readonly since: number;
  readonly reads: number;
  readonly change: Change;
  /** RFC 3339; missing while it is under way. */
  readonly completed?: string;
}

export type Change =
  | { readonly kind: "add" | "replace"; readonly items: readonly SentItem[] }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

export interface SentItem {
  readonly key: string;
  readonly value: unknown;
  readonly comment?: string;
}

/** How fast operations come about in an account. */
export interface ListSettings {
  readonly pace: Pace;
}
