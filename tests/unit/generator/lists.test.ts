import {
  generateProgram,
  handOverSteps,
  importFile,
  inventoryOf,
  readForeign,
  type FoundList,
} from "../../../tools/generator/index.js";
import { writeItems } from "../../../tools/generator/program/lists.js";
import { isUncheckedItem, writtenItem, type Details, type Items } from "../../../core/lists/item.js";
import type { ListKind } from "../../../core/lists/kind.js";
import { parseItems, parseItemsFile, writtenItems } from "../../../core/lists/parse.js";
import { mapFrom, type Json } from "../../../core/model/json.js";
import { terraformState, type Given } from "../../support/states.js";
import { formatted } from "../../support/typescript.js";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const listOf = (kind: ListKind, items: Items, more: Partial<FoundList> = {}): FoundList => ({
  id: "fedcba9876543210fedcba9876543210",
  name: "office",
  kind,
  description: "",
  items,
  ...more,
});
const program = (...lists: readonly FoundList[]) =>
  generateProgram({
    scopes: [{ scope: { level: "accounts", id: ACCOUNT }, name: ACCOUNT, rulesets: [], hostnames: [], lists }],
    leftOut: [],
  });
const many = (count: number, details = ""): Items => {
  const address = (index: number) => `10.0.${String(index >> 8)}.${String(index & 255)}`;
  return mapFrom(Array.from({ length: count }, (_, index) => [address(index), details] as const));
};

describe("lists in a generated program", () => {
  test("have their items in the program, in an order of their own", async () => {
    const { files, declared } = program(
      listOf("ip", { "198.51.100.7": "Berlin", "192.0.2.0/24": "" }, { description: "Offices" }),
      listOf("asn", { "64496": "" }, { id: "2", name: "partners" }),
    );
    expect(files.map(({ path }) => path)).toEqual(["index.ts"]);
    const text = files[0]?.text ?? "";
    expect(await formatted(text)).toBe(text);
    expect(text).toContain(`new RulesList("office", {
  accountId,
  name: "office",
  kind: "ip",
  description: "Offices",
  items: ["192.0.2.0/24", { value: "198.51.100.7", comment: "Berlin" }],
});`);
    expect(text).toContain("items: [64496],");
    expect(JSON.parse(importFile(declared))).toMatchObject({
      resources: [
        { type: "rulesets:index:RulesList", id: `accounts/${ACCOUNT}/lists/fedcba9876543210fedcba9876543210` },
        { type: "rulesets:index:RulesList", id: `accounts/${ACCOUNT}/lists/2` },
      ],
    });
  });

  test("have many items in a file beside it", () => {
    const { files } = program(listOf("ip", many(50, "a, b")));
    expect(files.map(({ path }) => path)).toEqual(["index.ts", "office.csv"]);
    expect(files[0]?.text).toContain('itemsFile: "office.csv",');
    expect(files[1]?.text.split("\n").slice(0, 2)).toEqual(["value,comment", '10.0.0.0,"a, b"']);
  });

  const quoted = ["one, two", "half \ud83d", 'says "hi"', " padded ", "two\nlines", "a\r\nb"];
  const tricky = [...quoted, "true", "#1", "ü", "=1+1"];
  test.each(tricky)("are read back from the file as they are: %j", (comment) => {
    const items = { ...many(50), "192.0.2.1": comment };
    const written = writeItems({ kind: "ip", items });
    if (written.kind !== "file") throw new Error("not in a file");
    const read = parseItemsFile(`items.${written.extension}`, written.text, []);
    expect(read.kind === "items" && parseItems("ip", read.items)).toMatchObject({ items, faults: [] });
    expect(written.extension).toBe(comment === "half \ud83d" ? "json" : "csv");
  });

  test("keep redirects with their switches in a file", () => {
    const items = mapFrom(
      Array.from({ length: 60 }, (_, index) => [
        `example.com/${String(index)}`,
        { target: "https://example.com/", ...(index === 7 ? { status: 302, subpathMatching: true } : {}) },
      ]),
    );
    const written = writeItems({ kind: "redirect", items });
    if (written.kind !== "file") throw new Error("not in a file");
    expect(written.text.split("\n")[0]).toBe("source,target,status,subpathMatching");
    const read = parseItemsFile("items.csv", written.text, []);
    expect(read.kind === "items" && parseItems("redirect", read.items)).toMatchObject({ items, faults: [] });
  });

  const refused = {
    redirect: {
      "example.com/a": { target: "no-scheme" },
      "example.com/b": { target: "https://b.example/", status: 399 },
    },
    hostname: { "*.b..example": "", "b.example": { wire: { newer: { deep: [1, null] } }, comment: "ours" } },
    ip: { "0.0.0.0/1": "x".repeat(501) },
  } as const;
  test.each(Object.entries(refused))(
    "have items of the kind %s that a preview refuses in `wire`",
    async (kind, items) => {
      const found = listOf(kind as ListKind, items);
      const { files, leftOut, unchecked } = program(found);
      expect(leftOut).toEqual([]);
      expect(unchecked.map(({ reason }) => reason.split(": ")[0]).sort()).toEqual(Object.keys(items).sort());
      const text = files[0]?.text ?? "";
      expect(await formatted(text)).toBe(text);
      expect(text).toContain("// In `wire` as the service has it, because a preview refuses it:");
      const given = Object.entries<Details>(items).map(
        ([key, details]) => writtenItem(found.kind, key, details) as Json,
      );
      expect(given.every(isUncheckedItem)).toBe(true);
      expect(parseItems(found.kind, writtenItems(given))).toMatchObject({ items, faults: [] });
    },
  );
});

const LIST = "11111111111111111111111111111111";
const list = (values: object) => ({
  type: "cloudflare_list",
  name: "office",
  values: {
    ...{ id: LIST, account_id: ACCOUNT, name: "office", kind: "ip", description: "Offices", num_items: 2 },
    ...values,
  },
});
const item = (name: string, values: object) => ({
  type: "cloudflare_list_item",
  name,
  values: { id: name, account_id: ACCOUNT, list_id: LIST, ...values },
});
const pulumi = (...resources: readonly (readonly [type: string, id: string, outputs: object])[]) => ({
  version: 3,
  deployment: {
    resources: resources.map(([type, id, outputs]) => ({
      ...{ id, type: `cloudflare:index/${type}`, outputs: { accountId: ACCOUNT, ...outputs } },
      urn: `urn:pulumi:prod::infra::cloudflare:index/${type}::${id}`,
    })),
  },
});
const readState = (...given: readonly Given[]) => read(terraformState(...given));
const read = (document: object) => {
  const resources = readForeign(JSON.parse(JSON.stringify(document))) ?? [];
  const inventory = inventoryOf(resources);
  return { resources, inventory, lists: inventory.scopes.flatMap(({ lists = [] }) => lists) };
};

describe("lists of another tool's state", () => {
  test("have the items in blocks of version 4 of Terraform's provider", () => {
    const redirect = (source_url: string, more: object = {}) => {
      const unset = { status_code: null, include_subdomains: null };
      const value = { source_url, target_url: "https://b.example/", ...unset, ...more };
      return { comment: null, value: [{ ip: null, asn: null, hostname: [], redirect: [value] }] };
    };
    const item = [
      redirect("example.com/a", { subpath_matching: "enabled", preserve_path_suffix: "disabled" }),
      redirect("example.com/b", { status_code: 302 }),
    ];
    const { lists } = readState(list({ kind: "redirect", item }));
    expect(lists).toMatchObject([
      {
        name: "office",
        kind: "redirect",
        description: "Offices",
        items: {
          "example.com/a": { target: "https://b.example/", subpathMatching: true, preservePathSuffix: false },
          "example.com/b": { target: "https://b.example/", status: 302 },
        },
      },
    ]);
    expect(lists[0]).not.toHaveProperty("shared");
  });

  test("have the items of version 5, in the list or as resources of their own", () => {
    const berlin = { ip: "192.0.2.1", comment: "Berlin", asn: null, hostname: null, redirect: null };
    const inList = readState(list({ items: [berlin, { ip: "192.0.2.2/32", comment: null }] }));
    const apart = readState(
      list({ items: null }),
      item("a", { ip: "192.0.2.1", comment: "Berlin" }),
      item("b", { ip: "192.0.2.2" }),
    );
    for (const { lists } of [inList, apart])
      expect(lists[0]?.items).toEqual({ "192.0.2.1": "Berlin", "192.0.2.2": "" });
    const items = [{ hostname: { url_hostname: "*.example.com", exclude_exact_hostname: false } }];
    const hosts = readState(list({ kind: "hostname", num_items: 1, items }));
    expect(hosts.lists[0]?.items).toEqual({ "*.example.com": { excludeExactHostname: false } });
  });

  test("of @pulumi/cloudflare have other names for the same", () => {
    const redirect = { sourceUrl: "example.com/a", targetUrl: "https://b.example/", statusCode: 308 };
    const { lists } = read(
      pulumi(
        ["list:List", LIST, { name: "moves", kind: "redirect", numItems: 1 }],
        ["listItem:ListItem", "a", { listId: LIST, redirect: { ...redirect, subpathMatching: true } }],
      ),
    );
    expect(lists[0]?.items).toEqual({
      "example.com/a": { target: "https://b.example/", status: 308, subpathMatching: true },
    });
  });

  test("of version 5 of @pulumi/cloudflare have blocks with names in the plural", () => {
    const listed = (kind: string, value: object) =>
      read(pulumi(["list:List", LIST, { name: "moves", kind, items: [{ comment: "", value }] }])).lists[0]?.items;
    const redirects = [{ sourceUrl: "example.com/a", targetUrl: "https://b.example/", subpathMatching: "enabled" }];
    expect(listed("redirect", { redirects })).toEqual({
      "example.com/a": { target: "https://b.example/", subpathMatching: true },
    });
    expect(listed("hostname", { hostnames: [{ urlHostname: "*.example.com" }] })).toHaveProperty(["*.example.com"]);
    expect(listed("ip", { ip: "192.0.2.1" })).toEqual({ "192.0.2.1": "" });
  });

  test("have what a preview refuses as the service has it", () => {
    const redirect = { source_url: "example.com/a", target_url: "no-scheme", status_code: 399, subpath_matching: null };
    const { inventory, lists } = readState(list({ kind: "redirect", num_items: 1, items: [{ redirect }] }));
    expect(inventory.leftOut).toEqual([]);
    expect(lists[0]?.items).toEqual({ "example.com/a": { target: "no-scheme", status: 399 } });
    expect(generateProgram(inventory)).toMatchObject({ leftOut: [], unchecked: [{ what: "list office" }] });
    const items = [{ hostname: { url_hostname: "a.test", newer: true } }];
    const newer = generateProgram(readState(list({ kind: "hostname", num_items: 1, items })).inventory);
    const reason = "a.test: this version does not know its newer";
    expect(newer).toMatchObject({ leftOut: [], unchecked: [{ reason }] });
    expect(newer.files[0]?.text).toContain('wire: { hostname: { url_hostname: "a.test", newer: true } }');
  });

  test("of a kind that this version does not know are left out: a state does not tell how the service spells them", () => {
    expect(readState(list({ kind: "geo" })).inventory.leftOut).toMatchObject([
      { reason: 'this version does not know the kind "geo". To continue: generate the list with --account' },
    ]);
  });

  test("with fewer items than the list has are shared; without any, they are left out", () => {
    const partly = readState(list({ num_items: 3 }), item("a", { ip: "192.0.2.1" }));
    expect(partly.lists[0]).toMatchObject({ shared: true });
    const [index] = generateProgram(partly.inventory).files;
    expect(index?.text).toContain('ownership: "shared"');
    expect(index?.text).toContain(
      "// The state has 1 of the 3 items of the list: the program leaves the others alone.",
    );
    expect(readState(list({})).inventory.leftOut).toMatchObject([
      { reason: "the state does not contain its 2 items. To continue: generate the list with --account" },
    ]);
    expect(readState(item("a", { ip: "192.0.2.1" })).inventory.leftOut).toEqual([
      {
        where: `account ${ACCOUNT}`,
        what: `1 item of the list ${LIST}`,
        reason: "the state does not contain the list",
      },
    ]);
  });

  test("are removed from that tool without deleting them, all items of one resource at once", () => {
    const { resources, inventory } = readState(
      list({}),
      { ...item("a", { ip: "192.0.2.1" }), index: 0 },
      { ...item("a", { ip: "192.0.2.2" }), index: 1 },
    );
    const steps = handOverSteps(resources, generateProgram(inventory)).join("\n");
    expect(steps.match(/^ {2}terraform state rm .*$/gm)).toEqual([
      "  terraform state rm cloudflare_list.office",
      "  terraform state rm cloudflare_list_item.a",
    ]);
    const kept = readState(list({ kind: "vlan" }), item("a", { ip: "192.0.2.1" }));
    expect(handOverSteps(kept.resources, generateProgram(kept.inventory))).toEqual([]);
  });
});
