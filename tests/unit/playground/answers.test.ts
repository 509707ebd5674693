import type { Placed } from "../../../tools/editor/findings";
import { ask } from "../../../apps/playground/answers/ask";
import { checkText, type CheckAnswer } from "../../../apps/playground/answers/check";
import { EXAMPLES } from "../../../apps/playground/answers/examples";
import {
  EMPTY,
  formOfRequest,
  readState,
  requestOfForm,
  sendingOfForm,
  type PageState,
} from "../../../apps/playground/answers/page-state";

const NOW = "2026-11-01T12:00:00Z";

const example = (title: string): PageState => {
  const found = EXAMPLES.find((one) => one.title === title);
  if (found === undefined) throw new Error(`there is no example ${title}`);
  return { ...EMPTY, ...found.state };
};

const check = (rules: string): CheckAnswer => checkText({ rules }, NOW);
const tryState = ({ rules, request }: PageState) =>
  ask({ kind: "try", rules, request: requestOfForm(request), ...sendingOfForm(request) }, NOW);

/** The part of a text that a finding is about, and what to write instead. */
const partOf = (text: string, placed: Placed | undefined): readonly [part?: string, instead?: string] =>
  placed === undefined ? [] : [text.slice(placed.span.start, placed.span.end), placed.edit?.text];

describe("texts", () => {
  test("an expression is checked, and explained", () => {
    expect(check('http.host eq "shop.example.com" and ssl')).toMatchObject({
      kind: "expression",
      rules: 1,
      findings: [],
      explained: { tree: { words: "all of these are true:" } },
    });
  });

  test("an expression that cannot be read is in no list", () => {
    expect(tryState({ ...EMPTY, rules: 'http.host eq "a', request: { url: "https://a.test/" } })).toEqual({
      failure: expect.stringMatching(/^this string has no closing/) as string,
    });
  });

  test("a mistake in an expression has a place", () => {
    const { findings } = check('\n http.hots eq "a"');
    expect(findings).toMatchObject([
      {
        code: "unknown-field",
        path: "rules[0].expression",
        span: { start: 2, end: 11 },
        edit: { span: { start: 2, end: 11 }, text: "http.host" },
      },
    ]);
  });

  test("a list of rules gets a phase, and its findings their lines", () => {
    const rules = '- action: block\n  expression: ssl\n- action: block\n  expression: http.host eq "A b"\n';
    expect(check(rules)).toMatchObject({ kind: "rules", assumedPhase: "http_request_firewall_custom", rules: 2 });
    const misspelled = "- action: block\n  expression: ssl\n- action: blok\n  expression: ssl\n";
    const found = check(misspelled).findings.find(({ code }) => code === "action");
    expect(partOf(misspelled, found)).toEqual(["blok", "block"]);
  });

  test("a rule that becomes several is one of the list, and so are those behind it", () => {
    const rules = `- action: block
  expression: ssl
  stage: { action: log, percent: 10 }
- action: block
  expression: http.hots eq "a"
`;
    const found = check(rules).findings.find(({ code }) => code === "unknown-field");
    expect(partOf(rules, found)).toEqual(["http.hots", "http.host"]);
  });

  test("a list of rate limits gets the phase of rate limits", () => {
    const rules = "- action: block\n  expression: ssl\n  ratelimit: { period: 60, requestsPerPeriod: 5 }\n";
    expect(check(rules)).toMatchObject({ assumedPhase: "http_ratelimit" });
  });

  test("a rule that is no rule has its line in the list", () => {
    const rules = "- action: block\n  expression: ssl\n- action: block\n  expression: 7\n";
    const { failure, fault } = check(rules);
    expect(failure).toBe("[1].expression: must be a string, not a number");
    expect(partOf(rules, fault)).toEqual(["7", undefined]);
  });

  test("what is not YAML has a place", () => {
    const text = '{ "phase": "x", \n "rules": [ }';
    expect(check(text)).toMatchObject({
      failure: expect.any(String) as string,
      fault: { span: { start: text.indexOf("}"), end: text.length } },
    });
  });

  test("tests of rules are run", () => {
    const tests =
      "tests:\n  - request: GET https://a.example/\n    expect: allow\n  - request: GET http://a.example/\n    expect: block\n";
    for (const rules of [
      "rules:\n  - action: block\n    expression: ssl\n",
      "phase: http_request_firewall_custom\nrules:\n  - action: block\n    expression: ssl\n",
      "rules:\n  - phase: http_request_firewall_custom\n    rules: [{ action: block, expression: ssl }]\n",
    ]) {
      const { tested } = check(rules + tests);
      expect(tested).toMatchObject({
        rules: 1,
        hit: 1,
        tests: [{ failures: [expect.any(String)] }, { failures: [expect.any(String)] }],
      });
    }
  });

  test("a mistake in a test has its line", () => {
    const text =
      "rules: [{ action: block, expression: ssl }]\ntests:\n  - request: GET https://a.example/\n    expects: allow\n";
    const { failure, fault } = check(text);
    expect(failure).toContain("did you mean expect?");
    expect(partOf(text, fault)).toEqual(["expects", "expect"]);
  });

  test("a file of tests names rules that a page cannot read", () => {
    expect(check("rules: ..\ntests: []\n")).toMatchObject({
      failure: expect.stringContaining("put the rules here") as string,
    });
  });

  test("no text is no mistake", () => {
    expect(check("  \n")).toEqual({ rules: 0, findings: [] });
  });
});

describe("examples", () => {
  test("the admin page is closed", () => {
    expect(tryState(example("Is the admin page closed?"))).toMatchObject({ verdict: 'blocked by "Block admin"' });
  });

  test("the edit is looser, and a request shows it", () => {
    const { rules, after } = example("What does an edit let through?");
    expect(ask({ kind: "compare", before: rules, after }, NOW)).toMatchObject({
      verdict: "looser",
      witnesses: [{ direction: "looser", text: expect.stringContaining("Block admin") as string }],
    });
  });

  test("each mistake has a finding", () => {
    const { rules } = example("Mistakes that a deployment would not show");
    const { findings } = check(rules);
    expect(findings.map(({ code, path }) => `${path} ${code}`)).toEqual([
      "rules[0].expression never-matches",
      ...Array<string>(2).fill("rules[1].expression unknown-value"),
      "rules[1].expression never-matches",
      "rules[3].expression covered",
      "rules[4].expression never-matches",
    ]);
  });

  test("two tests pass, and one expects too much", () => {
    const { tested } = check(example("Tests of a firewall").rules);
    expect(tested?.tests.map(({ failures }) => failures.length)).toEqual([0, 0, 1]);
  });

  test("the sixth login is stopped", () => {
    const state = example("When does the rate limit stop a login?");
    expect(tryState(state)).toMatchObject({ outcome: "limited" });
    expect(tryState({ ...state, request: { ...state.request, times: "5" } })).toMatchObject({ outcome: "allowed" });
  });

  test("the expression has a meaning, and matches the request", () => {
    const state = example("What does an expression mean?");
    expect(check(state.rules)).toMatchObject({ findings: [], explained: { tree: { parts: { length: 2 } } } });
    expect(tryState(state)).toMatchObject({ outcome: "blocked" });
  });
});

describe("two versions", () => {
  test("say which of them cannot be read, and where", () => {
    expect(ask({ kind: "compare", before: "ssl", after: "- action: block\n  expression: 7" }, NOW)).toMatchObject({
      failure: "The version after cannot be read, line 2: [0].expression: must be a string, not a number",
    });
  });

  test("are not compared if a phase does not exist", () => {
    const misspelled = "phase: http_request_firewall_costum\nrules: [{ action: block, expression: ssl }]";
    const failure = expect.stringContaining('did you mean "http_request_firewall_custom"?') as string;
    expect(ask({ kind: "compare", before: "ssl", after: misspelled }, NOW)).toEqual({ failure });
    const request = { url: "https://a.test/" };
    expect(ask({ kind: "try", rules: misspelled, request }, NOW)).toEqual({ failure });
  });

  test("that differ in form are equivalent", () => {
    expect(ask({ kind: "compare", before: "ssl or ssl", after: "ssl" }, NOW)).toMatchObject({
      verdict: "equivalent",
      witnesses: [],
    });
  });
});

test.each([
  [
    "cf.waf.score lt 30",
    "cf.waf.scor",
    { failure: "`cf.waf.scor`: there is no such field; did you mean cf.waf.score?" },
  ],
  ["cf.newer.field eq 20", "cf.newer.field", { outcome: "blocked" }],
])("a field that neither the language nor the rules know is refused: %s with %s", (rules, name, answer) => {
  const request = { url: "https://shop.example.com/", fields: `${name}: 20` };
  expect(tryState({ ...EMPTY, rules, request })).toMatchObject(answer);
});

describe("the form", () => {
  test("a request that was found fills it in again", () => {
    const request = {
      method: "POST",
      url: "https://shop.example.com/a",
      ip: "192.0.2.1",
      asn: 64500,
      verifiedBot: false,
      headers: [["accept", "*/*"]] as const,
      fields: { "cf.waf.score": 20 },
    };
    expect(requestOfForm(formOfRequest(request))).toMatchObject(request);
  });

  test.each([
    [{}, "needs a URL"],
    [{ url: "a.example", asn: "AS1" }, "The AS number must be a whole number, not AS1"],
    [{ url: "a.example", headers: "Accept" }, '"Accept" is not a header; write Name: value'],
  ])("says what is wrong with %j", (form, message) => {
    expect(() => requestOfForm(form)).toThrow(message);
  });

  test.each([
    [{ times: "0" }, "1 to 10000"],
    [{ response: "ok" }, "must be a number such as 200"],
  ])("says what is wrong with sending %j", (form, message) => {
    expect(() => sendingOfForm(form)).toThrow(message);
  });
});

test.each([undefined, 7, [], { mode: "x", rules: 7, plan: "gold", request: { url: 7, evil: "x" } }])(
  "a link with %j holds nothing",
  (value) => {
    expect(readState(value)).toEqual(EMPTY);
  },
);
