import Ajv from "ajv";
import { lockOf, lockText } from "../../../core/managed/lock.js";
import { parseLock } from "../../../tools/cli/managed/lock-file.js";
import { mergedInto } from "../../../core/managed/merged.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import schema from "../../../schema/managed-lock.schema.json";

const ruleset = (rules: readonly object[]): Ruleset =>
  ({
    id: "b",
    name: "Managed",
    description: "",
    kind: "managed",
    phase: "p",
    version: "2",
    rules,
  }) as unknown as Ruleset;
const rule = (id: string, more: object = {}) => ({ id, ref: id, version: "1", action: "block", ...more });

test("a lock is read as it was written, and its schema describes it", () => {
  const isValid = new Ajv({ strict: true, keywords: ["errorMessage"] }).compile(schema);
  const rules = [
    rule("2", { description: "Second", wire: { score_threshold: 40, sensitivity_level: "high" } }),
    rule("1", { categories: ["x", "a"] }),
  ];
  for (const lock of [lockOf([]), lockOf([ruleset([])]), lockOf([ruleset(rules), { ...ruleset([]), id: "a" }])]) {
    const text = lockText(lock);
    expect(parseLock(text, "file")).toEqual(lock);
    expect(isValid(JSON.parse(text))).toBe(true);
  }
  expect(lockOf([ruleset(rules)]).rulesets[0]?.rules).toEqual([
    { id: "1", name: "", version: "1", action: "block", enabled: true, categories: ["a", "x"] },
    {
      id: "2",
      name: "Second",
      version: "1",
      action: "block",
      enabled: true,
      categories: [],
      sensitivity: "high",
      scoreThreshold: 40,
    },
  ]);
});

test.each([
  ["XSS - HTML Injection - Beta", "XSS - HTML Injection"],
  ["Sitecore - Cache Poisoning - CVE:CVE-2025-53693 Beta", "Sitecore - Cache Poisoning - CVE:CVE-2025-53693"],
  ["XSS, HTML Injection - Object Tag - Body (beta)", "XSS, HTML Injection - Object Tag"],
  ["React Server - DOS - 1 - Beta", "React Server - DOS - 1"],
  ["A rule with another ID", "A rule with another ID"],
])("%s was merged into %s", (gone, original) => {
  const others = ["Something else", "XSS"].map((name) => ({ id: name, name }));
  expect(mergedInto({ id: "1", name: gone }, [...others, { id: "2", name: original }])?.id).toBe("2");
  expect(mergedInto({ id: "1", name: gone }, others)).toBeUndefined();
});

test("a rule without a name was merged into none", () => {
  expect(mergedInto({ id: "1", name: "" }, [{ id: "2", name: "" }])).toBeUndefined();
  expect(mergedInto({ id: "1", name: "Beta" }, [{ id: "2", name: "" }])).toBeUndefined();
});
