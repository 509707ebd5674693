import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../../provider");
const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("generated"))
  .map((path) => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n") }));

/** The lines of a file that match, as `path:line`. */
function found(files: typeof sources, pattern: RegExp): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${String(index + 1)}`] : [])),
  );
}

/** A type of rules after `as`, also in a list or an object. */
const RULE_CAST =
  /\bas (?!const\b)[\w<>, ]*\b(PlainRule|RulesetRule|DeployedRule|PendingRule|PendingFields)\b(?!.* from )/;
const FORCED = /\bas unknown as\b/;

test("JSON gets the type of a rule in one file", () => {
  const outside = sources.filter(({ path }) => path !== join("model", "parse-rule.ts"));
  expect(found(outside, RULE_CAST)).toEqual([]);
  const planted = [
    "x = json as RulesetRule;",
    "x = list as RulesetRule[];",
    "x = map as Readonly<Record<string, PlainRule>>;",
  ];
  expect(found([{ path: "planted.ts", lines: planted }], RULE_CAST)).toHaveLength(3);
});

test("a type is forced on a value in few places, each with its reason next to it", () => {
  const places = found(sources, FORCED);
  expect(places.length).toBeGreaterThan(0);
  expect(places.length).toBeLessThanOrEqual(10);
  const unexplained = sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      FORCED.test(line) &&
      !lines.slice(Math.max(0, index - 4), index).some((above) => /^\s*(\/\/|\/\*\*|\*)/.test(above))
        ? [`${path}:${String(index + 1)}`]
        : [],
    ),
  );
  expect(unexplained).toEqual([]);
});
