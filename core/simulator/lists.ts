import { makeList, type List } from "../language/index.js";
import { readRedirects, toList, type Redirect, type RedirectInput } from "./redirect-list.js";

/** The items of a list: addresses and prefixes, hostnames, numbers of autonomous systems, or redirects. */
export type ListInput =
  | {
      readonly kind: "ip" | "hostname" | "asn";
      /** As in an expression; `*.example.com` stands for all subdomains. */
      readonly items: readonly (string | number)[];
    }
  | { readonly kind: "redirect"; readonly items: readonly RedirectInput[] };

/** Lists of an account by name, without `$`. */
export type ListsInput = Readonly<Record<string, ListInput>>;

/** A list by its name; undefined if its items are not known. */
export function listNamed(lists: ListsInput | undefined, name: string): ListInput | undefined {
  return lists !== undefined && Object.hasOwn(lists, name) ? lists[name] : undefined;
}

interface Made {
  readonly list: List;
  /** Undefined for lists of another kind. */
  readonly redirects: readonly Redirect[] | undefined;
}

/** All rulesets of an account have the same lists, which are read once. */
const made = new WeakMap<ListInput, Made>();

/**
 * Lists ready to compare values with.
 * @throws TypeError on an invalid item
 */
export class KnownLists {
  constructor(private readonly lists: ListsInput) {}

  list(name: string): List | undefined {
    return this.find(name)?.list;
  }

  redirects(name: string): readonly Redirect[] | undefined {
    return this.find(name)?.redirects;
  }

  private find(name: string): Made | undefined {
    const input = listNamed(this.lists, name);
    if (input === undefined) return undefined;
    const known = made.get(input) ?? make(name, input);
    made.set(input, known);
    return known;
  }
}

function make(name: string, input: ListInput): Made {
  if (input.kind !== "redirect") return { list: makeList(input.items), redirects: undefined };
  const redirects = readRedirects(name, input.items);
  return { list: toList(redirects), redirects };
}
