import { isMet } from "../../../core/analysis/index";
import { appliesTo, isZone } from "../../../core/invariants/applies";
import type { Exception, NamedInvariant } from "../../../core/invariants/invariant";
import { judgeZones, type Judged, type JudgedZone } from "../../../core/invariants/judge";
import { reasonLines } from "../../../core/invariants/words";
import { zonesOf } from "../../../core/invariants/zones";
import { compileProgram, simulate, type RulesetInput } from "../../../core/simulator/index";
import { unknownPlace } from "../../../core/simulator/unknown-zone";

const CUSTOM = "http_request_firewall_custom";
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const rulesets = (id: string, expression = ADMIN): readonly RulesetInput[] => {
  const rules = [{ id: `rule-${id}`, action: "block", expression }];
  return [{ id: `ruleset-${id}`, zoneId: id, kind: "zone", phase: CUSTOM, rules }];
};
const zone = (name: string, more: Partial<JudgedZone> = {}): JudgedZone => ({
  label: name,
  zone: { id: name, name, plan: "pro" },
  rulesets: rulesets(name),
  ...more,
});
const closed: NamedInvariant = { name: "closed", zones: {}, requests: ADMIN, must: { kind: "block" }, except: [] };
const judge = (
  invariant: Partial<NamedInvariant>,
  zones: readonly JudgedZone[],
  { isWhole = true, today = "2026-11-25" } = {},
): Judged => judgeZones({ invariants: [{ ...closed, ...invariant }], zones, now: new Date(today), isWhole });
const words = ({ verdicts }: Judged): string[] => verdicts.map((one) => `${one.zone.label}: ${one.verdict}`);

test.each<[string, string, boolean]>([
  ["shop.example.com", "shop.example.com", true],
  ["SHOP.example.com", "shop.Example.com", true],
  ["*.example.com", "shop.example.com", true],
  ["*.example.com", "a.b.example.com", true],
  ["*.example.com", "example.com", false],
  ["shop.*", "shop.example.com", true],
  ["shop*com", "shop.example.com", true],
  ["s*p.*.com", "shop.example.com", true],
  ["s*p.*.org", "shop.example.com", false],
  ["ab*ba", "aba", false],
  ["*a*a*", "a", false],
  ["*", "anything", true],
  ["example", "example.com", false],
])("the pattern %s and the zone %s", (pattern, name, matches) => {
  expect(isZone(pattern, { name })).toBe(matches);
});

test.each([
  [{}, {}, true],
  [{ names: ["a"] }, { id: "a" }, true],
  [{ names: ["a"] }, { id: "b" }, { missing: "name" }],
  [{ names: ["a"] }, { id: "b", name: "c" }, false],
  [{ plans: ["pro"] as const }, { name: "a" }, { missing: "plan" }],
  [{ plans: ["pro"] as const }, { plan: "free" as const }, false],
  [{ names: ["b"], plans: ["pro"] as const }, { name: "a" }, false],
])("the zones %j and the zone %j", (selector, about, applies) => {
  expect(appliesTo(selector, about)).toEqual(applies);
});

test("each zone that an invariant applies to has a verdict", () => {
  const open = zone("open.com", { rulesets: [] });
  expect(words(judge({ zones: { names: ["*.com"] } }, [zone("a.com"), open, zone("a.org")]))).toEqual([
    "a.com: proved",
    "open.com: violated",
  ]);
});

const texts = ({ verdicts }: Judged): readonly string[] =>
  verdicts.map(({ proof }) => (proof.verdict === "violated" ? proof.text : proof.verdict));

test("zones with equal rules are judged once, whatever their IDs are", () => {
  const { verdicts } = judge({}, [zone("a.com"), zone("b.com"), zone("c.com")]);
  const [first, ...others] = verdicts.map(({ proof }) => proof);
  expect(first?.verdict).toBe("proved");
  for (const proof of others) expect(proof).toBe(first);
});

test("each zone that violates an invariant has a request for its own host", () => {
  const open = judge({ must: { kind: "challenge" } }, [zone("a.com"), zone("b.com")]);
  expect(texts(open)).toEqual([
    expect.stringContaining("GET https://a.com/admin"),
    expect.stringContaining("GET https://b.com/admin"),
  ]);
  // What is allowed in one zone is stopped in the other.
  const except = (name: string): JudgedZone =>
    zone(name, { rulesets: rulesets(name, `${ADMIN} and not ends_with(http.host, "b.com") and http.host ne "a.com"`) });
  const matters = judge({}, [except("a.com"), except("b.com"), except("c.com")]);
  expect(texts(matters)).toEqual([
    expect.stringContaining("GET https://a.com/admin"),
    expect.stringMatching(/GET https:\/\/(?:\w+\.)?b\.com\/admin/),
    // A host that is none of its own reaches it as a custom hostname.
    expect.stringMatching(/GET https:\/\/(?:a|.*b)\.com\/admin/),
  ]);
  const below = (name: string): JudgedZone =>
    zone(name, { rulesets: rulesets(name, `${ADMIN} and not starts_with(http.host, "api.")`) });
  expect(texts(judge({}, [below("a.com"), below("b.com")]))).toEqual([
    expect.stringContaining("GET https://api.a.com/admin"),
    expect.stringContaining("GET https://api.b.com/admin"),
  ]);
});

test("whatever rules ask about the host, each zone's request violates the invariant there", () => {
  const about = [
    'http.host eq "a.com"',
    'not ends_with(http.host, "b.com")',
    'starts_with(http.host, "api.")',
    'http.request.full_uri contains "c.com/admin"',
    'http.request.full_uri wildcard "*d.com/new*"',
    'any(http.request.headers["host"][*] eq "b.com")',
    'any(http.request.headers["x-tenant"][*] eq "a.com")',
    'http.host in {"a.com" "e.com"} or http.request.uri.path eq "/new"',
  ];
  const actionParameters = { uri: { path: { value: "/new" } } };
  const rules = [{ action: "rewrite", expression: 'http.host ne "e.com"', actionParameters }];
  const rewrite: RulesetInput = { kind: "zone", phase: "http_request_transform", rules };
  let shown = 0;
  for (const [index, one] of about.entries())
    for (const other of about.slice(index))
      for (const before of [[], [rewrite]]) {
        const zones = ["a.com", "b.com", "c.com", "d.com", "e.com"].map((name) =>
          zone(name, { rulesets: [...before, ...rulesets(name, `${one} or (${other})`)] }),
        );
        for (const { invariant, proof, zone: judged } of judge({}, zones).verdicts) {
          if (proof.verdict !== "violated") continue;
          shown += 1;
          const program = compileProgram(judged.rulesets);
          const simulation = simulate({ program, request: proof.input, zone: judged.zone });
          expect(isMet(invariant.must, simulation)).toBe("violated");
          expect(proof.text).toContain(`://${new URL(proof.input.url.toString()).hostname}/`);
        }
      }
  expect(shown).toBeGreaterThan(100);
});

test("zones are judged by themselves if rules read what differs between them", () => {
  const byName = 'cf.zone.name eq "a.com"';
  const zones = ["a.com", "b.com"].map((name) => zone(name, { rulesets: rulesets(name, byName) }));
  expect(words(judge({ requests: "true" }, zones))).toEqual(["a.com: proved", "b.com: violated"]);
});

test("zones of accounts with other items in their lists are judged by themselves", () => {
  const listed = (name: string, items: readonly string[]): JudgedZone => {
    const lists = { office: { kind: "ip", items } } as const;
    const using = rulesets(name, `${ADMIN} and not ip.src in $office`);
    return zone(name, { rulesets: using.map((one) => ({ ...one, lists })) });
  };
  const outside = { requests: `${ADMIN} and ip.src eq 203.0.113.1` };
  expect(words(judge(outside, [listed("a.com", ["192.0.2.1"]), listed("b.com", ["203.0.113.1"])]))).toEqual([
    "a.com: proved",
    "b.com: violated",
  ]);
});

test("an invariant that reads what the plan of a zone does not have is a finding", () => {
  const requests = "cf.bot_management.score lt 30";
  const { findings } = judge({ requests }, [zone("a.com")]);
  expect(findings).toMatchObject([
    { code: "not-in-plan", message: expect.stringContaining("needs the Enterprise plan") as string },
  ]);
  const enterprise = zone("b.com", { zone: { id: "b.com", name: "b.com", plan: "enterprise" } });
  expect(judge({ requests }, [enterprise]).findings).toEqual([]);
});

test("an exception that names a zone of which only the ID is known is said not to apply", () => {
  const except: readonly Exception[] = [{ zone: "open.com", until: "2099-01-01", reason: "soon" }];
  const unnamed: JudgedZone = { label: "zone z1", zone: { id: "z1" }, rulesets: [] };
  const [verdict] = judge({ except }, [unnamed]).verdicts;
  expect(verdict?.verdict).toBe("violated");
  expect(verdict === undefined ? [] : reasonLines(verdict)).toContainEqual(
    "no exception applies to it, because the name that the zone z1 has is not known: open.com may mean it. " +
      "Give its ID in `except`, or a token that may read it",
  );
  expect(judge({ except }, [{ ...unnamed, zone: { id: "z1", name: "open.com" } }]).verdicts).toMatchObject([
    { verdict: "excepted" },
  ]);
});

test("skip rules keep the rules that they name apart", () => {
  const named = (which: number): JudgedZone => {
    const rules = ["one", "two"].map((id, index) => ({
      id: `${id}-${String(which)}`,
      action: "block",
      expression: index === 0 ? ADMIN : "ssl",
    }));
    const id = `custom-${String(which)}`;
    const skipped = { rules: { [id]: [rules[which]?.id] } };
    const own = [
      { action: "skip", expression: "true", actionParameters: skipped },
      { action: "execute", expression: "true", actionParameters: { id } },
    ];
    const entrypoint: RulesetInput = { kind: "zone", phase: CUSTOM, rules: own };
    return zone(`${String(which)}.com`, { rulesets: [entrypoint, { id, kind: "custom", phase: CUSTOM, rules }] });
  };
  expect(words(judge({ requests: `${ADMIN} and not ssl` }, [named(0), named(1)]))).toEqual([
    "0.com: violated",
    "1.com: proved",
  ]);
});

test("nothing is certain in a zone of which something is not known", () => {
  const open = [{ why: "the account could not be read", decidedBy: "a token that may read it" }];
  const zones = [zone("a.com", { open }), zone("b.com", { open, rulesets: [] })];
  const { verdicts } = judge({}, zones);
  expect(verdicts).toMatchObject(zones.map(() => ({ verdict: "unknown", proof: { verdict: "unknown", open } })));
});

test("an invariant that may not apply is not violated for certain", () => {
  const anonymous = { zone: { id: "0" } };
  const named = { zones: { names: ["a.com"] } };
  expect(words(judge(named, [zone("zone 0", { ...anonymous, rulesets: [] })]))).toEqual(["zone 0: unknown"]);
  expect(words(judge(named, [zone("zone 0", { ...anonymous, rulesets: rulesets("0") })]))).toEqual(["zone 0: proved"]);
});

test("requests from now on count: a rule whose time has come holds, and one whose time is over does not", () => {
  const at = (day: string): number => Date.parse(day) / 1000;
  const timed = (condition: string): readonly RulesetInput[] =>
    rulesets("a.com", `${ADMIN} and http.request.timestamp.sec ${condition}`);
  const verdictOf = (condition: string) =>
    judge({}, [zone("a.com", { rulesets: timed(condition) })]).verdicts[0]?.proof;
  expect(verdictOf(`ge ${String(at("2026-11-25"))}`)).toEqual({ verdict: "proved" });
  expect(verdictOf(`ge ${String(at("2026-11-26"))}`)).toMatchObject({
    text: "GET https://a.com/admin from 203.0.113.9: allowed",
  });
  expect(verdictOf(`lt ${String(at("2026-12-01"))}`)).toMatchObject({
    text: "GET https://a.com/admin from 203.0.113.9 (at 2026-12-01T00:00:00Z): allowed",
  });
});

describe("an exception", () => {
  const except = (more: Partial<Exception>): Partial<NamedInvariant> => ({
    except: [{ zone: "old.com", until: "2026-11-25", reason: "closed in January", ...more }],
  });
  const old = zone("old.com", { rulesets: [] });

  test("applies until the end of its last day", () => {
    const judged = judge(except({}), [old]);
    expect(words(judged)).toEqual(["old.com: excepted"]);
    expect(judged.findings).toEqual([]);
  });

  test("no longer applies the day after, and is a finding", () => {
    const judged = judge(except({}), [old], { today: "2026-11-26" });
    expect(words(judged)).toEqual(["old.com: violated"]);
    const message = "the exception for old.com has expired: its last day was 2026-11-25";
    expect(judged.findings).toMatchObject([{ code: "exception-expired", exception: 0, message }]);
  });

  test("is a finding once it is no longer needed", () => {
    const judged = judge(except({}), [zone("old.com")]);
    expect(words(judged)).toEqual(["old.com: proved"]);
    expect(judged.findings).toMatchObject([{ code: "exception-not-needed" }]);
  });

  test("for several zones is needed as long as one of them needs it", () => {
    const judged = judge(except({ zone: "*.com" }), [zone("a.com"), old]);
    expect(words(judged)).toEqual(["a.com: proved", "old.com: excepted"]);
    expect(judged.findings).toEqual([]);
  });

  test("for several zones may be needed in one of them that is not judged", () => {
    expect(judge(except({ zone: "*.com" }), [zone("a.com")], { isWhole: false }).findings).toEqual([]);
    expect(judge(except({}), [zone("old.com")], { isWhole: false }).findings).toMatchObject([
      { code: "exception-not-needed" },
    ]);
  });

  test("for a zone that there is not is a finding where all zones are known", () => {
    const misspelt = except({ zone: "odl.com" });
    expect(judge(misspelt, [zone("a.com")]).findings).toMatchObject([{ code: "exception-unused" }]);
    expect(judge(misspelt, [zone("a.com")], { isWhole: false }).findings).toEqual([]);
  });
});

test("an invariant that no request of any zone can match is a finding", () => {
  const { verdicts, findings } = judge({ requests: "ip.src eq 192.0.2.1 and ip.src eq 192.0.2.2" }, [zone("a.com")]);
  expect(verdicts).toMatchObject([{ verdict: "proved" }]);
  expect(findings).toMatchObject([{ code: "matches-no-request" }]);
  const ofOne = judge({ requests: 'cf.zone.name eq "a.com"' }, [zone("a.com"), zone("b.com")]);
  expect(ofOne.findings).toEqual([]);
});

test("an invariant for zones that there are not is a finding where all zones are known", () => {
  const misspelt = { zones: { names: ["*.exmaple.com"] } };
  expect(judge(misspelt, [zone("a.com")])).toMatchObject({ verdicts: [], findings: [{ code: "applies-to-no-zone" }] });
  expect(judge(misspelt, [zone("a.com")], { isWhole: false }).findings).toEqual([]);
});

test("nothing is proved of a zone while rules may be its own whose zone is not known yet", () => {
  const skip = { action: "skip", actionParameters: { ruleset: "current" }, expression: "true" } as const;
  const found = { ...rulesets("found")[0], zoneId: unknownPlace("found", false), isPart: true, rules: [skip] };
  const inZone = (all: readonly RulesetInput[]): string[] => words(judge({}, zonesOf(all, { label: "the program" })));
  expect(inZone(rulesets("shop"))).toEqual(["zone shop: proved"]);
  expect(inZone([...rulesets("shop"), found as RulesetInput])[0]).toBe("zone shop: unknown");
});
