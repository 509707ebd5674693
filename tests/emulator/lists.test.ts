import type { Emulator } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { freshEmulator } from "../support/emulators.js";
import { Service } from "../support/emulator.js";

type Kind = "ip" | "hostname" | "redirect";

describe("lists", () => {
  let emulator: Emulator;
  let caller: Caller;
  let lists: string;
  beforeAll(async () => {
    emulator = await freshEmulator();
    caller = new Caller(emulator);
    lists = `/accounts/${await new Service(emulator).account()}/rules/lists`;
    for (const kind of ["ip", "hostname", "redirect"]) await caller.result("POST", lists, { name: kind, kind });
  });

  const itemsOf = async (kind: Kind): Promise<string> => {
    const all = await caller.result<{ id: string; name: string }[]>("GET", lists);
    return `${lists}/${all.find(({ name }) => name === kind)?.id ?? ""}/items`;
  };
  /** How an item is returned, or why it is refused. */
  const stored = async (kind: Kind, item: object): Promise<unknown> => {
    const path = await itemsOf(kind);
    const answer = await caller.send("PUT", path, [item]);
    if (answer.status !== 200) return codes(answer);
    return (await caller.result<Record<Kind, unknown>[]>("GET", path))[0]?.[kind];
  };

  test.each([
    ["10.0.0.1", "10.0.0.1"],
    ["10.0.0.1/32", "10.0.0.1"],
    ["10.0.0.1/24", "10.0.0.0/24"],
    ["192.0.0.0/2", "192.0.0.0/2"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2803:9810:4831:6d10:cda2:5eab:0b9a:8fd2", "2803:9810:4831:6d10:cda2:5eab:b9a:8fd2"],
    ["2001:db8:0:0:1::/64", "2001:db8::/64"],
    ["2001:db8:0:0:0:1:0:9/96", "2001:db8::1:0:0/96"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2000::/12", "2000::/12"],
  ])("store the address %s as %s", async (ip, expected) => {
    expect(await stored("ip", { ip })).toBe(expected);
  });

  test.each(["128.0.0.0/1", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8", "2001:db8::1/129", "2000::/11"])(
    "refuse the range %s",
    async (ip) => {
      expect(await stored("ip", { ip })).toEqual([400, 10_001]);
    },
  );

  const long = (bytes: number) => `https://a.example/${"x".repeat(bytes - "https://a.example/".length)}`;
  test.each([
    ["example.com/", "https://a.example"],
    ["https://example.com/blog/", "https://user:password@www.example.com:443/search?q=term#results"],
    ["HTTP://münchen.example/ü", "magnet:?xt=urn:btih:2bd9d334e8d1e5bd7768755173222db5c6dea13b"],
    [long(32 * 1024), long(32 * 1024)],
  ])("keep a redirect from %.40s to %.40s", async (source_url, target_url) => {
    expect(await stored("redirect", { redirect: { source_url, target_url } })).toMatchObject({
      source_url,
      target_url,
    });
  });

  test.each([
    ["not a url", "https://a.example"],
    ["ftp://example.com/", "https://a.example"],
    ["https://user@example.com/", "https://a.example"],
    ["https://example.com:443/", "https://a.example"],
    ["https://example.com/?a=b", "https://a.example"],
    ["https://example.com/#a", "https://a.example"],
    ["/blog", "https://a.example"],
    ["*.example.com/", "https://a.example"],
    [long(32 * 1024 + 1), "https://a.example"],
    ["example.com", "a.example"],
    ["example.com", "/blog"],
    ["example.com", "https://a b.example"],
    ["example.com", long(32 * 1024 + 1)],
  ])("refuse a redirect from %.40s to %.40s", async (source_url, target_url) => {
    expect(await stored("redirect", { redirect: { source_url, target_url } })).toEqual([400, 10_001]);
  });

  test("store the source of a redirect with a path: without one, with a slash and in capitals are the same", async () => {
    const redirect = { source_url: "https://example.com", target_url: "https://a.example" };
    expect(await stored("redirect", { redirect })).toMatchObject({ source_url: "https://example.com/" });
    const path = await itemsOf("redirect");
    for (const source_url of ["https://example.com", "https://example.com/", "https://Example.com/"])
      await caller.result("POST", path, [{ redirect: { ...redirect, source_url } }]);
    expect(await caller.result<object[]>("GET", path)).toHaveLength(1);
  });

  test("refuse a query string in the target of a redirect that keeps the one of the request", async () => {
    const redirect = { source_url: "example.com/", target_url: "https://a.example/?a=b" };
    expect(await stored("redirect", { redirect: { ...redirect, preserve_query_string: true } })).toEqual([400, 10_001]);
    expect(await stored("redirect", { redirect })).toMatchObject(redirect);
  });

  test("contain domain names, which can begin with a wildcard", async () => {
    const label = "a".repeat(63);
    for (const url_hostname of ["example.com", "API.example.com", "*.example.com", `${label}.example.com`])
      expect(await stored("hostname", { hostname: { url_hostname } })).toEqual({ url_hostname });
    const long = [`${label}a.example.com`, `${label}.`.repeat(4) + "com"];
    for (const url_hostname of ["https://example.com", "example.com/path", "a.*.example.com", "a b.example", ...long])
      expect(await stored("hostname", { hostname: { url_hostname } })).toEqual([400, 10_001]);
  });

  test("have a description only if they were given one", async () => {
    const created = await caller.result("POST", lists, { name: "described", kind: "ip" });
    const read = () => caller.result("GET", `${lists}/${created.id}`);
    expect([Object.keys(created), Object.keys(await read())]).not.toContainEqual(
      expect.arrayContaining(["description"]),
    );
    await caller.result("PUT", `${lists}/${created.id}`, { description: "ours" });
    expect(await read()).toMatchObject({ description: "ours" });
    await caller.result("PUT", `${lists}/${created.id}`, {});
    expect(Object.keys(await read())).not.toContain("description");
    // What Cloudflare's Terraform provider sends for none.
    const empty = await caller.result("POST", lists, { name: "empty", kind: "ip", description: "" });
    expect(Object.keys(empty)).not.toContain("description");
    await caller.result("PUT", `${lists}/${empty.id}`, { description: "ours" });
    await caller.result("PUT", `${lists}/${empty.id}`, { description: "" });
    expect(Object.keys(await caller.result("GET", `${lists}/${empty.id}`))).not.toContain("description");
  });

  test("have names of letters, digits and underscores", async () => {
    const create = async (name: string) => codes(await caller.send("POST", lists, { name, kind: "ip" }));
    expect([await create("My_List_9"), await create("a".repeat(50))]).toEqual([[200], [200]]);
    for (const name of ["", "a-b", "a b", "é", "a".repeat(51)]) expect(await create(name)).toEqual([400, 10_001]);
  });
});

describe("quotas of lists", () => {
  const start = async (plan: "free" | "enterprise"): Promise<{ caller: Caller; lists: string }> => {
    const emulator = await freshEmulator({ seed: { zones: [{ name: "shop.example.com", plan }] } });
    return { caller: new Caller(emulator), lists: `/accounts/${await new Service(emulator).account()}/rules/lists` };
  };
  const refusal = async (caller: Caller, path: string, body: unknown): Promise<unknown> => {
    const { status, errors } = await caller.send("POST", path, body);
    return [status, errors[0]?.message];
  };

  test("depend on the highest plan of the account's zones", async () => {
    const { caller, lists } = await start("free");
    const { id } = await caller.result<{ id: string }>("POST", lists, { name: "one", kind: "ip" });
    expect(await refusal(caller, lists, { name: "two", kind: "ip" })).toEqual([
      400,
      "exceeded the maximum number of custom lists: 2 out of 1",
    ]);
    expect(await refusal(caller, lists, { name: "asn", kind: "asn" })).toEqual([
      400,
      "exceeded the maximum number of custom lists: 2 out of 1",
    ]);
    for (let index = 0; index < 5; index++)
      await caller.result("POST", lists, { name: `moves_${String(index)}`, kind: "redirect" });
    expect(await refusal(caller, lists, { name: "moves", kind: "redirect" })).toEqual([
      400,
      "exceeded the maximum number of redirect lists: 6 out of 5",
    ]);
    const items = Array.from({ length: 10_001 }, (_, index) => ({
      ip: `10.0.${String(index >> 8)}.${String(index & 255)}`,
    }));
    await caller.result("POST", `${lists}/${id}/items`, items.slice(1));
    // An item that is there already is no new one.
    await caller.result("POST", `${lists}/${id}/items`, items.slice(1, 3));
    expect(await refusal(caller, `${lists}/${id}/items`, items.slice(0, 1))).toEqual([
      400,
      "exceeded the maximum number of items in custom lists: 10001 out of 10000",
    ]);
  });

  test("of the Enterprise plan have their own for each kind", async () => {
    const { caller, lists } = await start("enterprise");
    for (let index = 0; index < 40; index++)
      await caller.result("POST", lists, { name: `asn_${String(index)}`, kind: "asn" });
    expect(await refusal(caller, lists, { name: "asn", kind: "asn" })).toEqual([
      400,
      "exceeded the maximum number of ASN lists: 41 out of 40",
    ]);
    await caller.result("POST", lists, { name: "hosts", kind: "hostname" });
  });
});
