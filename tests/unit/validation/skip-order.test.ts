import { managedRulesets } from "../../../provider/model/managed-rulesets.js";
import { UNKNOWN } from "../../../provider/model/unknown.js";
import { lateSkips } from "../../../provider/validation/checks/skip-order.js";
import { checkRules, failureText } from "../../../provider/validation/index.js";

const { cloudflareManaged: MANAGED, owaspCore: CORE } = managedRulesets;
const CUSTOM = "0".repeat(32);
const execute = (id: unknown, more: object = {}) => ({
  action: "execute",
  expression: "true",
  actionParameters: { id },
  ...more,
});
const skip = (actionParameters: unknown, more: object = {}) => ({
  action: "skip",
  expression: "ssl",
  actionParameters,
  ...more,
});
const block = { action: "block", expression: "ssl" };
const rest = skip({ ruleset: "current" });

describe("a skip rule after the last execution it could skip", () => {
  test.each<[string, unknown[], [number, number][]]>([
    ["of the rest of the ruleset", [execute(MANAGED), execute(CORE), rest], [[2, 0]]],
    ["of one ruleset", [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(CORE)], [[1, 0]]],
    ["of single rules", [execute(MANAGED), execute(CORE), skip({ rules: { [CORE]: ["a"] } })], [[2, 1]]],
    [
      "of several, the first of which it must stand above",
      [execute(CORE), execute(MANAGED), skip({ rulesets: [MANAGED, CORE] })],
      [[2, 0]],
    ],
    [
      "one after another",
      [execute(MANAGED), rest, rest],
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      "by the full id of a resource",
      [execute(MANAGED), skip({ rulesets: [`zones/${CUSTOM}/rulesets/${MANAGED}`] })],
      [[1, 0]],
    ],
    ["in a ruleset that executes custom ones", [execute(CUSTOM), rest], [[1, 0]]],
    [
      "before a skip rule that is off",
      [execute(MANAGED), rest, skip({ phases: ["http_ratelimit"] }, { enabled: false })],
      [[1, 0]],
    ],
  ])("%s", (_, rules, late) => {
    expect(lateSkips(rules).map(({ index, first }) => [index, first])).toEqual(late);
  });

  test.each<[string, unknown[]]>([
    ["it stands above", [rest, execute(MANAGED)]],
    [
      "one of the rulesets it names is still to come",
      [execute(MANAGED), skip({ rulesets: [MANAGED, CORE] }), execute(CORE)],
    ],
    [
      "the same ruleset is executed again",
      [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(MANAGED, { expression: "ssl" })],
    ],
    ["rules of another action follow", [execute(CUSTOM), rest, block]],
    ["it skips another phase", [execute(CUSTOM), skip({ phases: ["http_ratelimit"] })]],
    ["it skips another phase as well", [execute(CUSTOM), skip({ ruleset: "current", phases: ["http_ratelimit"] })]],
    ["it skips products", [execute(CUSTOM), skip({ products: ["waf"] })]],
    ["it skips the rest of its phase", [execute(CUSTOM), skip({ phase: "current", products: ["waf"] })]],
    ["it is off", [execute(MANAGED), skip({ ruleset: "current" }, { enabled: false })]],
    ["what comes after it is off for now", [execute(MANAGED), rest, execute(CORE, { enabled: false })]],
    ["what comes before it is off", [execute(MANAGED, { enabled: false }), rest]],
    ["what it names is executed nowhere here", [execute(MANAGED), skip({ rulesets: [CORE] })]],
    ["nothing is executed at all", [block, rest]],
    [
      "a ruleset that may execute the one it names follows",
      [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(CUSTOM)],
    ],
    ["a skip rule that skips another phase follows", [execute(CUSTOM), rest, skip({ phases: ["http_ratelimit"] })]],
    ["a rule that is not known yet follows", [execute(MANAGED), rest, UNKNOWN]],
    [
      "an action that is not known yet follows",
      [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(CORE, { action: UNKNOWN })],
    ],
    ["a ruleset that is not known yet follows", [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(UNKNOWN)]],
    ["what it skips is not known yet", [execute(MANAGED), skip({ rulesets: [UNKNOWN] })]],
    ["whether it is on is not known yet", [execute(MANAGED), skip({ ruleset: "current" }, { enabled: UNKNOWN })]],
    ["it holds a field that nobody knows", [execute(MANAGED), skip({ ruleset: "current", wire: { newer: 1 } })]],
    ["it is no rule", [execute(MANAGED), null, "x", []]],
  ])("nothing is said where %s", (_, rules) => {
    expect(lateSkips(rules)).toEqual([]);
  });

  test.each([
    { phase: "http_request_firewall_managed", kind: "zone" },
    { phase: "http_request_firewall_managed", kind: "root" },
    { phase: "http_request_firewall_custom", kind: "custom" },
    { phase: "http_request_firewall_custom", kind: "zone" },
  ])("is told with its path and where to move it: $phase, kind $kind", (place) => {
    const ended = { expression: 'ssl and cf.zone.plan eq "ENT"' };
    const { failures, warnings } = checkRules(
      [{ ...block, enabled: false }, execute(MANAGED, ended), skip({ ruleset: "current" }, ended)],
      place,
    );
    expect(failures.filter(({ path }) => path[1] === 2)).toEqual([]);
    expect(warnings.map(failureText)).toContain(
      "rules[2]: this skip rule skips nothing in this position: it only affects rules after it, and what it would skip is " +
        'executed before it. To continue: move it above rules[1], which executes efb7b8c949ac4650a09736fc376e9aee ("Cloudflare Managed Ruleset")',
    );
  });

  test("the work grows with the rules, not with their pairs", () => {
    const rules = Array.from({ length: 40_000 }, (_, index) =>
      index % 2 === 0 ? execute(index.toString(16).padStart(32, "0")) : rest,
    );
    expect(lateSkips(rules)).toMatchObject([{ index: 39_999, first: 0 }]);
  });
});
