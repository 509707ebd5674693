import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ObservedResponse } from "../../client/index.js";
import { compareReads, readAll, ReadShapes } from "../../tools/cli/verify/reads.js";
import { startWitness } from "../../tools/cli/verify/witness.js";
import { whenDone } from "../support/cleanup.js";
import { root } from "./support.js";

const READS = /method: "GET"|\b(?:allPages|readPage|pages|pagesByCursor)\(\s*this\.transport|this\.summaries\(|\("GET"/;

/** Methods of the client that send a GET, as `RulesetsClient.list`. */
function readsOfClient(): string[] {
  const folder = join(root, "client");
  return readdirSync(folder, { encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      const [, name] = /^export class (\w+)Client /m.exec(text) ?? [];
      if (name === undefined) return [];
      const methods = text.split(/^ {2}(?=(?:private )?(?:async )?\*?[a-z]\w*\()/m).slice(1);
      const isRead = (one: string): boolean => READS.test(one) && !one.startsWith("private ");
      return methods.filter(isRead).map((one) => `${name}.${/\w+(?=\()/.exec(one)?.[0] ?? ""}`);
    })
    .sort();
}

/** What reads the same as another method, or cannot be read without a change. */
const OTHERS: Readonly<Record<string, string>> = {
  "CustomHostnames.pages": "page by page",
  "CustomHostnames.search": "the same list by a name",
  "Lists.operation": "only a change of a list begins one",
  "Zones.pages": "page by page",
};

/** A client that notes which methods are called. */
function noting(client: Client, called: Set<string>): Client {
  const group = (part: object, name: string): object =>
    new Proxy(part, {
      get: (target, key) => {
        called.add(`${name}.${String(key)}`);
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  return new Proxy(client, {
    get: (target, key) => {
      const part = Reflect.get(target, key) as object;
      return group(part, part.constructor.name.replace("Client", ""));
    },
  });
}

describe("the reads that are compared", () => {
  test("are all that the client has, each with an answer", async () => {
    const shapes = new ReadShapes();
    const witness = await startWitness("enterprise", shapes.observe);
    whenDone(() => witness.close());
    const called = new Set<string>();
    for (const zone of witness.full) {
      expect(await readAll(noting(witness.client, called), zone)).toEqual([]);
      await noting(witness.client, called).tokens.verify(zone.accountId);
    }
    const reads = readsOfClient();
    expect(reads.length).toBeGreaterThan(30);
    expect(reads.filter((one) => !called.has(one) && !(one in OTHERS))).toEqual([]);
    expect(Object.keys(OTHERS).filter((one) => called.has(one) || !reads.includes(one))).toEqual([]);
    expect(shapes.reads.size).toBeGreaterThan(35);
  });

  const answer = (result: unknown, headers: readonly string[] = []): ObservedResponse => ({
    call: { method: "GET", path: `/zones/${"a".repeat(32)}/firewall/waf/overrides` },
    ...{ status: 200, headers, quotas: [], text: JSON.stringify({ result }) },
  });
  const compared = (found: ObservedResponse, expected: ObservedResponse) => {
    const [service, emulator] = [new ReadShapes(), new ReadShapes()];
    service.observe(found);
    emulator.observe(expected);
    return [...compareReads(service.reads, emulator.reads)].flatMap(([route, lines]) =>
      lines.map((line) => `${route}: ${line}`),
    );
  };

  test.each([
    [{ a: 1, b: 2 }, { a: 1 }, "result.b is not known"],
    [{ a: 1 }, { a: 1, b: 2 }, "result.b is missing"],
    [{ a: null }, { a: "x" }, "result.a is null, expected string"],
    [{ b: 1, a: 1 }, { a: 1, b: 1 }, "result has its keys in another order"],
    [[{ a: 1 }, {}], [{ a: 1 }], "result[].a is missing in some"],
    // Keys that are content.
    [{ "shop.example.com": 1, a: 1 }, { a: 1 }, "result.{} is not known"],
    [{ ["0123456789abcdef".repeat(2)]: 1, a: 1 }, { a: 1 }, "result.{} is not known"],
    [{ rules: { "100015": "disable" } }, { rules: { "981176": "block" } }, undefined],
  ])("%j differs from %j", (found, expected, line) => {
    expect(compared(answer(found), answer(expected))).toEqual(
      line === undefined ? [] : [`GET /zones/{}/firewall/waf/overrides: ${line}`],
    );
  });

  test("a header that the client reads is named where it is missing; others say nothing", () => {
    expect(compared(answer({}, ["cf-ray", "server"]), answer({}, ["cf-ray", "ratelimit", "connection"]))).toEqual([
      "GET /zones/{}/firewall/waf/overrides: the header ratelimit is missing",
    ]);
  });
});
