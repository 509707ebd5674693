import { programSourceIn, sourceText } from "../../provider/engine/program-run.js";
import { withRuleNames } from "../../provider/engine/rule-findings.js";
import { Session } from "../../provider/engine/session.js";
import { failureText, warning } from "../../provider/validation/index.js";

const call = { file: "/infra/lib/zone.ts", line: 14, column: 3 };
const source = { folder: "/infra", calls: [call] };

/** The texts of a warning at a path, for a resource with these arguments. */
function textOf(args: object, path: readonly (string | number)[], { secret = "", isRule = false, from = source } = {}) {
  const session = new Session({
    client: () => {
      throw new Error("no request");
    },
    reporter: { info: () => undefined, warn: () => undefined, status: () => undefined },
  });
  if (secret !== "") session.secrets.add(secret);
  const request = {
    session,
    args: args as never,
    urn: "",
    preview: true,
    ignored: [],
    keptInputs: [],
    secretPaths: [],
  };
  const { warnings } = withRuleNames(warning(path, "why"), { ...request, source: from }, isRule);
  return warnings.map(failureText).join();
}

const rules = [{ description: "Block admin", action: "block", ref: "admin" }, { action: "log" }];

test.each([
  [
    "a rule of a list",
    textOf({ rules }, ["rules", 0, "expression"]),
    'lib/zone.ts:14: rule "Block admin", rules[0].expression: why',
  ],
  ["a rule without a name", textOf({ rules }, ["rules", 1]), "lib/zone.ts:14: rules[1]: why"],
  [
    "a secret description",
    textOf({ rules }, ["rules", 0], { secret: "Block admin" }),
    'lib/zone.ts:14: rule "admin", rules[0]: why',
  ],
  [
    "a resource that is a rule",
    textOf(rules[0] ?? {}, [], { isRule: true }),
    'lib/zone.ts:14: rule "Block admin": why',
  ],
  ["another argument", textOf({ rules, phase: "x" }, ["phase"]), "phase: why"],
  ["a rule that is in no list", textOf({ rules }, ["rules", 7]), "rules[7]: why"],
])("a finding on %s names it and its line", (_what, text, expected) => {
  expect(text).toBe(expected);
});

test("the source that a resource sends is read again, below the text about the run", () => {
  expect(programSourceIn({ __program: `{"preview":true}\n${sourceText(source)}` })).toEqual(source);
  expect(programSourceIn({ __program: '{"preview":true}' })).toBeUndefined();
  expect(programSourceIn({})).toBeUndefined();
});
