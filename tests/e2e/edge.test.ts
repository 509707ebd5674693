import type { Rule as RulesetRule } from "../../provider/index.js";
import { visit } from "../support/visit.js";
import { EngineStack, type Library } from "./support/stack.js";

const CUSTOM = "http_request_firewall_custom";
const HOST = "shop.example.com";

interface Args {
  readonly zoneId: string;
  /** The path prefix of the closed pages. */
  readonly closed: string;
  readonly attempts: number;
  readonly moved?: string;
}

const program = ({ PhaseEntrypoint }: Library, { zoneId, closed, attempts, moved }: Args) => {
  const office: RulesetRule = {
    ref: "office",
    action: "skip",
    expression: "ip.src in $office",
    actionParameters: { ruleset: "current" },
  };
  const admin: RulesetRule = {
    ref: "admin",
    action: "block",
    expression: `starts_with(http.request.uri.path, "${closed}")`,
    actionParameters: { response: { statusCode: 403, contentType: "text/plain", content: "closed" } },
  };
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules: [office, admin] });
  new PhaseEntrypoint("limits", {
    zoneId,
    phase: "http_ratelimit",
    rules: [
      {
        ref: "login",
        action: "managed_challenge",
        expression: 'http.request.uri.path eq "/login"',
        ratelimit: {
          characteristics: ["cf.colo.id", "ip.src"],
          period: 60,
          requestsPerPeriod: attempts,
          mitigationTimeout: 600,
        },
      },
    ],
  });
  if (moved === undefined) return;
  const target = { value: moved };
  new PhaseEntrypoint("redirects", {
    zoneId,
    phase: "http_request_dynamic_redirect",
    rules: [
      {
        ref: "moved",
        action: "redirect",
        expression: 'http.request.uri.path eq "/old"',
        actionParameters: { fromValue: { targetUrl: target, statusCode: 301 } },
      },
    ],
  });
};

describe("requests to a deployed stack", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start({
      seed: {
        zones: [{ name: HOST }],
        lists: [{ name: "office", kind: "ip", items: [{ ip: "198.51.100.0/24" }] }],
      },
      edge: {},
    });
    zoneId = await stack.service.zone();
  });
  afterAll(() => stack.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    visit(stack.emulator.edgeUrl ?? "", `http://${HOST}${path}`, { headers });
  /** Sends the same requests each time, and returns their statuses, with the rules that decided them. */
  const outcomes = async (): Promise<Record<string, string>> => {
    const requests: [string, string, Record<string, string>?][] = [
      ["a page", "/"],
      ["admin", "/admin/users"],
      ["admin from the office", "/admin/users", { "X-Edge-IP": "198.51.100.7" }],
      ["intern", "/intern"],
      ["old", "/old"],
      ["login 1", "/login"],
      ["login 2", "/login"],
      ["login 3", "/login"],
    ];
    const seen: Record<string, string> = {};
    for (const [name, path, headers] of requests) {
      const { status, headers: answered } = await get(path, headers);
      const rule = answered["x-edge-rule"];
      seen[name] = rule === undefined ? String(status) : `${String(status)} by ${String(rule)}`;
    }
    return seen;
  };

  test("are handled by its rules after an up, after an edit, and after a destroy", async () => {
    const open = { "a page": "200", "admin from the office": "200", "login 1": "200" };
    expect((await stack.up(program, { zoneId, closed: "/admin", attempts: 2 })).ok).toBe(true);
    expect(await outcomes()).toEqual({
      ...open,
      admin: "403 by admin",
      intern: "200",
      old: "200",
      "login 2": "200",
      "login 3": "403 by login",
    });
    expect((await get("/admin")).text).toBe("closed");

    await stack.service.advanceClock(3600);
    const edited = { zoneId, closed: "/intern", attempts: 1, moved: "https://new.example.com/" };
    expect((await stack.up(program, edited)).ok).toBe(true);
    expect(await outcomes()).toEqual({
      ...open,
      admin: "200",
      intern: "403 by admin",
      old: "301 by moved",
      "login 2": "403 by login",
      "login 3": "403 by login",
    });
    expect((await get("/old")).headers.location).toBe("https://new.example.com/");

    expect((await stack.destroy()).ok).toBe(true);
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(["200"]));
  });

  test("are handled as before when an invalid rule fails", async () => {
    const args = { zoneId, closed: "/admin", attempts: 2 };
    expect((await stack.up(program, args)).ok).toBe(true);
    const broken = await stack.up(program, { ...args, closed: '/intern") and nothing.such eq 1 and (ssl' });
    expect(broken.ok).toBe(false);
    expect((await get("/admin")).headers["x-edge-rule"]).toBe("admin");
    expect((await get("/intern")).status).toBe(200);
  });

  test("are answered with the ID of the rule that stopped them", async () => {
    await stack.up(program, { zoneId, closed: "/admin", attempts: 2 });
    const id = (await stack.service.entrypoint(zoneId, CUSTOM))?.rules.find(({ ref }) => ref === "admin")?.id;
    expect((await get("/admin")).headers["x-edge-rule-id"]).toBe(id);
  });
});
