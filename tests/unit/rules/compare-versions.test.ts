import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { compareVersions, isSameVersion } from "../../../core/rules/compare-versions.js";

const rule = (ref: string, more: Partial<DeployedRule> = {}): DeployedRule => ({
  ...{ id: ref, ref, version: "1", action: "block", expression: "ssl" },
  ...more,
});
const version = (number: string, rules: readonly DeployedRule[], description = ""): Ruleset => ({
  ...{ id: "r", name: "default", kind: "zone", phase: "http_ratelimit" },
  ...{ version: number, rules, description },
});
const names = (rules: readonly DeployedRule[]): string => rules.map(({ ref }) => ref).join(" ");

test("rules are compared by ref, and changed fields are shown as written", () => {
  const before = version("1", [rule("a"), rule("b"), rule("c"), rule("d", { expression: "ssl   and true" })]);
  const after = version(
    "2",
    [
      rule("c"),
      rule("a", {
        expression: "not ssl",
        actionParameters: { response: { statusCode: 403, content: "no", contentType: "text/plain" } },
      }),
      rule("e"),
      rule("d", { expression: "ssl and true" }),
    ],
    "new",
  );
  const { added, removed, changed, ...rest } = compareVersions(before, after);
  expect([names(added), names(removed)]).toEqual(["e", "b"]);
  expect(changed).toEqual([
    {
      rule: after.rules[1],
      fields: [
        {
          name: "actionParameters",
          after: { response: { statusCode: 403, content: "no", contentType: "text/plain" } },
        },
        { name: "expression", before: "ssl", after: "not ssl" },
      ],
    },
  ]);
  expect(rest).toEqual({
    ...{ from: "1", to: "2", description: { before: "", after: "new" } },
    ...{ reformatted: ["d"], moved: ["c"], unchanged: [] },
  });
});

test("versions that differ only in IDs, times and defaults are equal", () => {
  const before = version("1", [rule("a", { lastUpdated: "2026-01-01T00:00:00Z" })]);
  const after = version("7", [rule("a", { id: "x", version: "4", enabled: true, description: "" })]);
  expect(isSameVersion(compareVersions(before, after))).toBe(true);
  expect(isSameVersion(compareVersions(before, version("7", after.rules, "said")))).toBe(false);
  expect(isSameVersion(compareVersions(before, version("7", [])))).toBe(false);
});
