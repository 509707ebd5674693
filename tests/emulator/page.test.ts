import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Caller } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { send } from "../support/http.js";
import { visit } from "../support/visit.js";

const CUSTOM = "http_request_firewall_custom";
const HOST = "shop.example.com";

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}
interface Shown {
  readonly phase: string;
  readonly level: string;
  readonly version: string;
  readonly versions: readonly { readonly version: string; readonly rules: readonly object[] }[];
}

describe("the page of the emulator", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zone: string;
  const put = (...rules: object[]) =>
    caller.result("PUT", `/zones/${zone}/rulesets/phases/${CUSTOM}/entrypoint`, { rules });
  const address = (path: string): string => emulator.url.replace("/client/v4", `/__emulator/${path}`);

  beforeEach(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: HOST }] }, edge: {} });
    caller = new Caller(emulator);
    zone = await new Service(emulator).zoneNamed(HOST);
    emulator.forgetRequests();
  });
  afterEach(() => emulator.close());

  test.each([
    ["", "text/html"],
    ["page.css", "text/css"],
    ["emulator.js", "text/javascript"],
    ["worker.js", "text/javascript"],
  ])("serves %j", async (path, type) => {
    const response = await fetch(address(path));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain(type);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  test.each([
    ["a page of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
    ["a file", { origin: "null" }, 403],
    ["a name that points to this machine", { host: "evil.example", origin: "http://evil.example" }, 403],
    ["such a name, reading", { host: "evil.example", "sec-fetch-site": "same-origin" }, 403],
    ["its own page", { origin: "http://localhost:8787", host: "localhost:8787", "sec-fetch-site": "same-origin" }, 200],
    ["its own page at an address", { origin: "http://[::1]:8787", host: "[::1]:8787" }, 200],
    ["a program, by any name", { host: "emulator:8787" }, 200],
  ])("control routes answer %s: %j with %i", async (_, headers, status) => {
    const answer = await send(address("clock"), "POST", { headers, body: { advanceSeconds: 0 } });
    expect(answer.status).toBe(status);
  });

  test("lets the page load nothing from anywhere else", async () => {
    const { headers } = await fetch(address(""));
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });

  test("lists zones with a state that changes with their rules", async () => {
    const state = async () => (await caller.control<readonly Zone[]>("GET", "/zones"))[0]?.state;
    const before = await state();
    await put({ action: "block", expression: "ssl" });
    const after = await state();
    expect(after).not.toBe(before);
    expect(await state()).toBe(after);
  });

  test("has the rulesets of a zone with their versions, the newest first", async () => {
    await put({ action: "block", expression: "ssl" });
    await put({ action: "block", expression: "not ssl" });
    expect(await caller.control<readonly Shown[]>("GET", `/zones/${zone}/rulesets`)).toMatchObject([
      {
        phase: CUSTOM,
        level: "zone",
        version: "2",
        versions: [
          { version: "2", rules: [{ expression: "not ssl" }] },
          { version: "1", rules: [{ expression: "ssl" }] },
        ],
      },
    ]);
  });

  test("has the lists that rules of a zone name, and a state that changes with their items", async () => {
    const [known] = await caller.control<readonly (Zone & { state: string })[]>("GET", "/zones");
    const account = emulator.zones()[0]?.account.id ?? "";
    const { id } = await caller.result<{ id: string }>("POST", `/accounts/${account}/rules/lists`, {
      name: "office",
      kind: "ip",
    });
    await caller.result("POST", `/accounts/${account}/rules/lists`, { name: "unused", kind: "ip" });
    await put({ action: "block", expression: "not ip.src in $office" });
    const [before] = await caller.control<readonly Zone[]>("GET", "/zones");
    await caller.result("PUT", `/accounts/${account}/rules/lists/${id}/items`, [{ ip: "203.0.113.0/24" }]);
    const [after] = await caller.control<readonly Zone[]>("GET", "/zones");
    expect(new Set([known?.state, before?.state, after?.state]).size).toBe(3);
    expect(await caller.control("GET", `/zones/${zone}/lists`)).toEqual([
      { name: "office", items: ["203.0.113.0/24"], redirects: [] },
    ]);
  });

  test("makes no requests that others see", async () => {
    await fetch(address(""));
    await caller.control("GET", "/zones");
    await caller.control("GET", `/zones/${zone}/rulesets`);
    expect(emulator.requests()).toEqual([]);
  });

  test("refuses a zone that does not exist", async () => {
    const { status, text } = await send(address("zones/none/rulesets"), "GET", {});
    expect([status, text]).toEqual([404, expect.stringContaining("there is no zone none")]);
  });

  test("shows the latest requests and events alone", async () => {
    await put({ ref: "closed", action: "block", expression: "true" });
    await put({ ref: "closed", action: "block", expression: "not ssl" });
    for (const path of ["/a", "/b"]) await visit(emulator.edgeUrl ?? "", `http://${HOST}${path}`, { headers: {} });
    expect(await caller.control("GET", "/requests?last=1")).toMatchObject([{ method: "PUT" }]);
    expect(await caller.control("GET", `/events?last=1&zone=${zone}`)).toMatchObject([{ clientRequestPath: "/b" }]);
    const { status } = await send(address("requests?last=none"), "GET", {});
    expect(status).toBe(400);
  });
});
