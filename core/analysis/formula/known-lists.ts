import { createHash } from "node:crypto";
import type { Condition, ListName } from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";
import { lowerAscii, toBytes } from "../../language/bytes.js";
import { parseIpRange } from "../../language/ip.js";
import { withChildren, type Change } from "../../language/tree.js";
import { listTestsIn } from "../../language/uses.js";
import type { Bytes } from "../../language/value.js";
import { listNamed, type ListInput, type ListsInput } from "../../simulator/lists.js";
import { fromAddress } from "../values/addresses.js";
import { toIntervals, type Intervals } from "../values/intervals.js";

/** What a list contains, where its items are known. */
interface ListContents {
  /** Equal for equal items. */
  readonly version: string;
  /** Whatever its kind, nothing is in it. */
  readonly isEmpty: boolean;
  readonly values:
    | { readonly kind: "ip" | "integer"; readonly members: Intervals }
    /** In lower case; `suffixes` begin with a dot, and something comes before them. */
    | { readonly kind: "string"; readonly names: ReadonlySet<Bytes>; readonly suffixes: readonly Bytes[] }
    /** Redirects, whose conditions are not expressed. */
    | { readonly kind: "other" };
}

/** Each version of the rules has names of its own: the same list may have other items in the other version. */
const contents = new WeakMap<ListName, ListContents>();

/** The contents of a list in a condition; undefined if its items are not known. */
export function contentsOf(list: ListName): ListContents | undefined {
  return contents.get(list);
}

/** Tells conditions on lists of the same name and other items apart; empty if the items of none are known. */
export function versionsIn(condition: Condition): string {
  return listTestsIn(condition)
    .flatMap(({ list }) => contentsOf(list)?.version ?? [])
    .join(" ");
}

/** Several rulesets have the same lists, which are read once. */
const read = new WeakMap<ListInput, ListContents>();

/** Replaces the names of lists in conditions by names whose contents are known. */
export class ListResolver {
  constructor(private readonly lists: ListsInput) {}

  /** The version of a list, to tell its items from others. */
  versionOf(name: string): string | undefined {
    return this.find(name)?.version;
  }

  /** A condition with the lists in it that are known; the same one if none is. */
  resolve(condition: Condition): Condition {
    const isKnown = listTestsIn(condition).some(({ list }) => listNamed(this.lists, list.name) !== undefined);
    return isKnown ? this.resolved(condition) : condition;
  }

  private find(name: string): ListContents | undefined {
    const input = listNamed(this.lists, name);
    if (input === undefined) return undefined;
    const known = read.get(input) ?? readContents(input);
    read.set(input, known);
    return known;
  }

  private readonly resolved: Change = (argument) => {
    if (!isCondition(argument) && !isOperand(argument)) return argument;
    const own = withChildren(argument, this.resolved);
    const isListTest = own.kind === "comparison" && own.test.kind === "in" && own.test.right.kind === "list";
    return (isListTest ? { ...own, test: { ...own.test, right: this.named(own.test.right) } } : own) as typeof argument;
  };

  private named(list: ListName): ListName {
    const found = this.find(list.name);
    if (found === undefined) return list;
    const own = { ...list };
    contents.set(own, found);
    return own;
  }
}

/** The lists that rulesets of a zone know; without names whose items differ between them. */
export function listsIn(rulesets: readonly { readonly lists?: ListsInput }[]): ListsInput {
  const all = new Map<string, ListInput>();
  const differing = new Set<string>();
  for (const lists of new Set(rulesets.map((one) => one.lists ?? {}))) {
    const own = new ListResolver(lists);
    for (const [name, list] of Object.entries(lists)) {
      const other = all.get(name);
      if (other === undefined) all.set(name, list);
      else if (other !== list && own.versionOf(name) !== new ListResolver({ [name]: other }).versionOf(name))
        differing.add(name);
    }
  }
  return Object.fromEntries(Array.from(all).filter(([name]) => !differing.has(name)));
}

function readContents(input: ListInput): ListContents {
  const texts = input.items.map((item) => JSON.stringify(item)).sort();
  const version = createHash("sha256")
    .update(JSON.stringify([input.kind, texts]))
    .digest("base64");
  return { version, isEmpty: input.items.length === 0, values: valuesOf(input) };
}

function valuesOf(input: ListInput): ListContents["values"] {
  switch (input.kind) {
    case "redirect":
      return { kind: "other" };
    case "ip":
      return { kind: "ip", members: readAddresses(input) };
    case "asn":
      return { kind: "integer", members: toIntervals(input.items.map((item) => [BigInt(item), BigInt(item)])) };
    case "hostname": {
      const names = input.items.map((item) => lowerAscii(toBytes(String(item))));
      return {
        kind: "string",
        names: new Set(names.filter((name) => !name.startsWith("*."))),
        suffixes: names.filter((name) => name.startsWith("*.")).map((name) => name.slice(1)),
      };
    }
  }
}

/** The addresses in a list. */
export function readAddresses({ items }: Extract<ListInput, { kind: "ip" | "hostname" | "asn" }>): Intervals {
  return toIntervals(items.flatMap((item) => addresses(String(item))));
}

function addresses(text: string): readonly (readonly [bigint, bigint])[] {
  const parsed = parseIpRange(text);
  return "fault" in parsed ? [] : [[fromAddress(parsed.range.first), fromAddress(parsed.range.last)]];
}
