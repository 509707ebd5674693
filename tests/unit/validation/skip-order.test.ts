import { isError } from "../../../core/language/index.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { findLateSkips } from "../../../provider/validation/checks/skip-order.js";
import { checkRules, findingText } from "../../../provider/validation/index.js";

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
      "of several, and must precede the first",
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
      "by a full resource ID",
      [execute(MANAGED), skip({ rulesets: [`zones/${CUSTOM}/rulesets/${MANAGED}`] })],
      [[1, 0]],
    ],
    ["in a ruleset that executes custom ones", [execute(CUSTOM), rest], [[1, 0]]],
    [
      "before a disabled skip rule",
      [execute(MANAGED), rest, skip({ phases: ["http_ratelimit"] }, { enabled: false })],
      [[1, 0]],
    ],
  ])("%s", (_, rules, late) => {
    expect(findLateSkips(rules).map(({ index, first }) => [index, first])).toEqual(late);
  });

  test.each<[string, unknown[]]>([
    ["it comes first", [rest, execute(MANAGED)]],
    ["one of its rulesets is executed later", [execute(MANAGED), skip({ rulesets: [MANAGED, CORE] }), execute(CORE)]],
    [
      "the same ruleset is executed again",
      [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(MANAGED, { expression: "ssl" })],
    ],
    ["rules with another action follow", [execute(CUSTOM), rest, block]],
    ["it skips another phase", [execute(CUSTOM), skip({ phases: ["http_ratelimit"] })]],
    ["it skips another phase as well", [execute(CUSTOM), skip({ ruleset: "current", phases: ["http_ratelimit"] })]],
    ["it skips products", [execute(CUSTOM), skip({ products: ["waf"] })]],
    ["it skips the rest of its phase", [execute(CUSTOM), skip({ phase: "current", products: ["waf"] })]],
    ["it is disabled", [execute(MANAGED), skip({ ruleset: "current" }, { enabled: false })]],
    ["what comes after it is disabled for now", [execute(MANAGED), rest, execute(CORE, { enabled: false })]],
    ["what comes before it is disabled", [execute(MANAGED, { enabled: false }), rest]],
    ["its ruleset is not executed here", [execute(MANAGED), skip({ rulesets: [CORE] })]],
    ["nothing is executed", [block, rest]],
    ["a ruleset follows that may execute its own", [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(CUSTOM)]],
    ["a skip rule that skips another phase follows", [execute(CUSTOM), rest, skip({ phases: ["http_ratelimit"] })]],
    ["a rule that is not known yet follows", [execute(MANAGED), rest, UNKNOWN]],
    [
      "an action that is not known yet follows",
      [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(CORE, { action: UNKNOWN })],
    ],
    ["a ruleset that is not known yet follows", [execute(MANAGED), skip({ rulesets: [MANAGED] }), execute(UNKNOWN)]],
    ["what it skips is not known yet", [execute(MANAGED), skip({ rulesets: [UNKNOWN] })]],
    ["whether it is on is not known yet", [execute(MANAGED), skip({ ruleset: "current" }, { enabled: UNKNOWN })]],
    ["it has an unknown field", [execute(MANAGED), skip({ ruleset: "current", wire: { newer: 1 } })]],
    ["it is not a rule", [execute(MANAGED), null, "x", []]],
  ])("reports nothing where %s", (_, rules) => {
    expect(findLateSkips(rules)).toEqual([]);
  });

  test.each([
    { phase: "http_request_firewall_managed", kind: "zone" },
    { phase: "http_request_firewall_managed", kind: "root" },
    { phase: "http_request_firewall_custom", kind: "custom" },
    { phase: "http_request_firewall_custom", kind: "zone" },
  ])("is reported with its path and where to move it: $phase, kind $kind", (place) => {
    const ended = { expression: '(ssl) and cf.zone.plan eq "ENT"' };
    const found = checkRules(
      [{ ...block, enabled: false }, execute(MANAGED, ended), skip({ ruleset: "current" }, ended)],
      place,
    );
    expect(found.filter((one) => isError(one) && one.path[1] === 2)).toEqual([]);
    expect(found.map(findingText)).toContain(
      "rules[2]: this skip rule skips nothing in this position: it only affects rules after it, and what it would skip is " +
        'executed before it. To fix this, move it above rules[1], which executes efb7b8c949ac4650a09736fc376e9aee ("Cloudflare Managed Ruleset")',
    );
  });

  test("the work grows with the number of rules, not of pairs", () => {
    const rules = Array.from({ length: 40_000 }, (_, index) =>
      index % 2 === 0 ? execute(index.toString(16).padStart(32, "0")) : rest,
    );
    expect(findLateSkips(rules)).toMatchObject([{ index: 39_999, first: 0 }]);
  });
});
