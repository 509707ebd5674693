import * as pulumi from "@pulumi/pulumi";
import { RulesList, type RulesListArgs, type RulesListRedirect } from "../../../provider/index.js";

/* The compiler checks these types: `npm run types` fails if an expected error is missing. */

declare const text: pulumi.Output<string>;
declare const moves: RulesListRedirect[];
declare const anyKind: "ip" | "redirect";
const list = { accountId: "a", name: "a" };
const move = { source: "a.example/", target: "https://b.example/" };

export const ACCEPTED = [
  (): unknown => new RulesList("a", { ...list, kind: "ip", items: ["192.0.2.1", { value: text, comment: "a" }, text] }),
  (): unknown => new RulesList("a", { ...list, kind: "redirect", items: [{ ...move, status: 302 }] }),
  (): unknown => new RulesList("a", { ...list, kind: "redirect", items: moves }),
  (): unknown => new RulesList("a", { ...list, kind: "redirect", items: pulumi.output(moves) }),
  (): unknown =>
    new RulesList("a", {
      ...list,
      kind: "hostname",
      items: ["a.example", { value: "*.b.example", excludeExactHostname: false }],
    }),
  (): unknown =>
    new RulesList("a", { ...list, kind: "asn", items: [64500, "AS64501", { value: 64502, comment: "a" }] }),
  (): unknown => new RulesList("a", { ...list, kind: anyKind, itemsFile: "a.csv" }),
  (): unknown =>
    new RulesList("a", { ...list, kind: pulumi.output("newer"), items: [{ wire: { newer: "a" } }, { wire: {} }] }),
  (args: RulesListArgs): unknown => new RulesList("a", { ...args, description: "more" }),
];

export const REFUSED = [
  // @ts-expect-error a redirect in a list of addresses
  (): unknown => new RulesList("a", { ...list, kind: "ip", items: [move] }),
  // @ts-expect-error a number in a list of addresses
  (): unknown => new RulesList("a", { ...list, kind: "ip", items: [64500] }),
  // @ts-expect-error an address in a list of redirects
  (): unknown => new RulesList("a", { ...list, kind: "redirect", items: ["192.0.2.1"] }),
  // @ts-expect-error a redirect without a target
  (): unknown => new RulesList("a", { ...list, kind: "redirect", items: [{ source: "a.example/" }] }),
  // @ts-expect-error a switch of hostnames in a list of addresses
  (): unknown => new RulesList("a", { ...list, kind: "ip", items: [{ value: "a", excludeExactHostname: true }] }),
  // @ts-expect-error items of a kind that is not known here
  (): unknown => new RulesList("a", { ...list, kind: anyKind, items: ["192.0.2.1"] }),
  // @ts-expect-error a misspelled kind
  (): unknown => new RulesList("a", { ...list, kind: "ips", items: [] }),
];

test("the compiler reports items that are not of the kind of their list", () => {
  expect([ACCEPTED.length, REFUSED.length]).toEqual([9, 7]);
});
