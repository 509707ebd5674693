import { startEmulator, type Emulator } from "../../emulator/index.js";
import { systemClock } from "../../provider/http/clock.js";
import { UNKNOWN } from "../../provider/model/unknown.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { visit } from "../support/visit.js";
import { secret } from "./at-the-border.js";
import { ManagedResource } from "./managed.js";
import type { RunOptions } from "./run.js";

const HOST = "shop.example.com";
const phase = "http_request_firewall_custom";
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const block = (expression: string, description = "Block admin") => ({
  ref: description.toLowerCase().replaceAll(" ", "-"),
  action: "block",
  expression,
  description,
});

describe("requests of analytics in previews", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: HOST }] }, edge: {} });
    service = new Service(emulator);
    zoneId = await service.zoneNamed(HOST);
  });
  afterEach(() => emulator.close());
  const resource = (settings: RunOptions = { replay: "7d" }, type = "PhaseEntrypoint", urn = "urn:waf") => {
    const made = new ManagedResource<unknown>(type, service, urn);
    // The edge and its analytics go by the machine's clock.
    made.settings = { ...settings, clock: systemClock };
    return made;
  };
  const list = (...rules: readonly object[]): object => ({ zoneId, phase, rules });
  const traffic = async (): Promise<void> => {
    const send = (path: string, country: string): Promise<unknown> =>
      visit(emulator.edgeUrl ?? "", `http://${HOST}${path}`, {
        headers: { "x-edge-country": country, "x-edge-ip": "203.0.113.9", "user-agent": "probe" },
      });
    for (let i = 0; i < 4; i += 1) await send("/admin?x=1", "DE");
    for (let i = 0; i < 3; i += 1) await send("/admin", "FR");
    for (let i = 0; i < 5; i += 1) await send("/shop", "DE");
    await service.forget();
  };
  const control = (sampling: object): Promise<unknown> =>
    fetch(`${emulator.url.replace("/client/v4", "/__emulator")}/analytics`, {
      method: "POST",
      body: JSON.stringify(sampling),
    });
  const asked = (requests: readonly string[]): number => requests.filter((one) => one.endsWith("/graphql")).length;

  const NOTE = expect.stringMatching(
    /^The analytics of this zone do not have clientRequestScheme, .*clientAsn\.$/,
  ) as string;
  /** The lines of the only message about it. */
  const lines = (messages: readonly string[]): readonly string[] => {
    const found = messages.filter((one) => one.includes("replay"));
    expect(found).toHaveLength(1);
    return found[0]?.split("\n  ") ?? [];
  };

  test("none are read unless the setting asks for it, or if rules decide about no request", async () => {
    await traffic();
    const plain = await resource({}).preview(list(block(ADMIN)));
    expect([plain.notes.filter((one) => one.includes("replay")), asked(plain.requests)]).toEqual([[], 0]);
    const logs = await resource().preview(list({ action: "log", expression: ADMIN }));
    expect(asked(logs.requests)).toBe(0);
    await expect(resource({ replay: "a week" }).preview(list(block(ADMIN)))).rejects.toThrow(
      'rulesets:replay is "a week"; it must be a time such as 90m, 24h, 7d or 4w, or "off".',
    );
  });

  test("the effect of an edit is foretold, with the number of requests that this took, and then comes true", async () => {
    const waf = resource();
    await waf.up(list(block(`${ADMIN} and ip.src.country ne "DE"`)));
    await traffic();
    const { notes, requests } = await waf.preview(list(block(ADMIN)));
    expect(lines(notes)).toEqual([
      "replayed 12 requests of the last 7 days through the rules of this resource alone:",
      'allowed → blocked by "Block admin": 4 (stricter); countries: DE 4; paths: /admin 4',
      NOTE,
      "read with 2 requests to the service's analytics",
    ]);
    expect(asked(requests)).toBe(2);
    const up = await waf.up(list(block(ADMIN)));
    expect([up.action, asked(up.requests)]).toEqual(["update", 0]);
    await traffic();
    const blocked = await clientFor(emulator.url).analytics.events(
      zoneId,
      { from: Date.now() - 86_400_000, until: Date.now() + 1000 },
      100,
    );
    // Three of the first twelve requests, and seven of the next ones.
    expect(blocked.map(({ count }) => count)).toEqual([10]);
  });

  test("rules with a time are replayed as if the requests came now", async () => {
    const waf = resource();
    const at = (field: string, day: string): object => ({ ...block(ADMIN), [field]: day });
    await waf.up(list(at("until", "2020-12-31")));
    await traffic();
    const removed = await waf.preview(list());
    expect(lines(removed.notes)[0]).toContain("replayed 12 requests");
    expect(removed.notes.join("\n")).not.toMatch(/→|unknown|stricter|looser/);
    const started = await waf.preview(list(at("from", "2020-12-31")));
    expect(lines(started.notes)[1]).toContain('allowed → blocked by "Block admin": 7 (stricter)');
  });

  test("the rules of a new resource are replayed beside those that it replaces, and those of a shared list alone", async () => {
    await traffic();
    const fresh = await resource().preview(list(block(ADMIN)));
    expect(lines(fresh.notes)[1]).toBe(
      'allowed → blocked by "Block admin": 7 (stricter); countries: DE 4, FR 3; paths: /admin 7',
    );
    await service.ask("PUT", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, { rules: [block("true", "All")] });
    const replaced = await resource().preview({ ...list(block(ADMIN)), onExisting: "replace" });
    expect(lines(replaced.notes).slice(1, 3)).toEqual([
      'blocked by "All" → blocked by "Block admin": 7; countries: DE 4, FR 3; paths: /admin 7',
      'blocked by "All" → allowed: 5 (looser); countries: DE 5; paths: /shop 5',
    ]);
    const shared = await resource().preview({ ...list(block(ADMIN)), ownership: "shared" });
    expect(lines(shared.notes)[1]).toContain('allowed → blocked by "Block admin": 7 (stricter)');
    const single = resource({ replay: "7d" }, "RulesetRule");
    const { notes } = await single.preview({ zoneId, phase, action: "block", expression: ADMIN, ref: "admin" });
    expect(lines(notes)[1]).toContain('allowed → blocked by "admin": 7 (stricter)');
  });

  test("the requests of a zone are read once in a run, and said where they are", async () => {
    await traffic();
    const of = (urn: string) => resource({ replay: "7d" }, "RulesetRule", urn);
    const [one, other] = [of("urn:one"), of("urn:other")];
    const rule = { zoneId, phase, action: "block", expression: ADMIN };
    other.session = one.newSession();
    await one.plan({ ...rule, ref: "one" }, true);
    await other.plan({ ...rule, ref: "other" }, true);
    expect(one.notes.filter((note) => note.includes("read with 2 requests"))).toHaveLength(1);
    expect(asked(await service.requests())).toBe(2);
  });

  test("a sample is an interval, what analytics do not have is unknown, and a secret rule is left out", async () => {
    await traffic();
    await control({ sampleInterval: 4 });
    const waf = resource();
    const sampled = await waf.preview(list(block(ADMIN)));
    expect(lines(sampled.notes)[0]).toMatch(/^replayed about 12 \(3 to \d+\) requests of the last 7 days/);
    expect(lines(sampled.notes)[1]).toMatch(/^allowed → blocked by "Block admin": about 8 \(2 to \d+\) \(stricter\);/);
    await control({ sampleInterval: 1 });
    const doubtful = await waf.preview(list(block("ssl", "TLS")));
    expect(lines(doubtful.notes).slice(1, 3)).toEqual([
      "allowed → unknown: 12; countries: DE 9, FR 3; paths: /admin 7, /shop 5",
      "unknown for 12, because analytics do not have `ssl`",
    ]);
    const hidden = block('http.request.uri.path eq "/shop"', "Hidden");
    const left = await waf.preview(list({ ...hidden, expression: secret(hidden.expression) }, block(ADMIN)));
    expect(lines(left.notes)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('allowed → blocked by "Block admin": 7'),
        'left out: rule "hidden", because a value of it is a secret, or not known yet',
      ]),
    );
  });

  test("what cannot be replayed is named, and so is why; an answer can be required", async () => {
    await traffic();
    const limit = {
      characteristics: ["ip.src", "cf.colo.id"],
      period: 10,
      requestsPerPeriod: 1,
      mitigationTimeout: 10,
    };
    const reason = async (args: object, type = "PhaseEntrypoint"): Promise<string | undefined> => {
      const { notes, requests } = await resource({ replay: "7d" }, type).preview(args);
      expect(asked(requests)).toBe(0);
      return lines(notes)[0];
    };
    const NOT = "requests are not replayed: ";
    expect(await reason({ zoneId, phase: "http_ratelimit", rules: [{ ...block(ADMIN), ratelimit: limit }] })).toBe(
      `${NOT}analytics do not tell the order of requests, on which rate limits depend`,
    );
    expect(await reason({ ...list(block(ADMIN)), zoneId: UNKNOWN })).toBe(
      `${NOT}the zone is not known before \`pulumi up\``,
    );
    const { accountId } = await clientFor(emulator.url).zones.get(zoneId);
    const custom = { accountId, phase, name: "all zones", kind: "custom", rules: [block(ADMIN)] };
    expect(await reason(custom, "Ruleset")).toMatch(
      /^requests are not replayed: rules of an account see the requests of many zones; `npx pulumi-rulesets rules replay/,
    );
    await service.fault({ path: "/graphql", status: 403 });
    const refused = await resource().preview(list(block(ADMIN)));
    expect(refused.warnings).toEqual([
      expect.stringMatching(/^could not replay the requests of the last 7 days\. .*403.*"Analytics Read"/s),
    ]);
    await service.fault({ path: "/graphql", status: 403 });
    await expect(resource({ replay: "7d", previewChecks: "require" }).preview(list(block(ADMIN)))).rejects.toThrow(
      "403",
    );
  });
});
