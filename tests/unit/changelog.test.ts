import { readFileSync } from "node:fs";
import { join } from "node:path";

const { withVersion, notesOf } = jest.requireActual<{
  withVersion: (text: string, version: string, date: string) => string;
  notesOf: (text: string, version: string) => string;
}>("../../scripts/release/changelog.cjs");

const UPGRADING = "### Upgrading\n\nNothing to do.\n\n";
const FIRST = `# Changes\n\n## Unreleased\n\n${UPGRADING}### Resources\n\n- Add a thing.\n`;

test("a release puts its version and its day over what was not released", () => {
  const first = withVersion(FIRST, "0.1.0", "2026-11-25");
  expect(first).toBe(FIRST.replace("## Unreleased\n", "## Unreleased\n\n## 0.1.0 (2026-11-25)\n"));
  const later = first.replace("## Unreleased\n", `## Unreleased\n\n${UPGRADING}- Mend it.\n`);
  const second = withVersion(later, "0.1.1", "2026-12-01");
  expect(second.match(/^## .*/gm)).toEqual(["## Unreleased", "## 0.1.1 (2026-12-01)", "## 0.1.0 (2026-11-25)"]);
  expect(notesOf(second, "0.1.1")).toBe(`${UPGRADING}- Mend it.\n`);
  expect(notesOf(second, "0.1.0")).toBe(`${UPGRADING}### Resources\n\n- Add a thing.\n`);
});

test.each([
  [FIRST.replace("- Add a thing.", ""), "names no change"],
  [FIRST.replace("### Upgrading", "### Other"), "what to do when upgrading"],
  ["# Changes\n", "has no heading"],
])("there is no release without changes, and without what to do when upgrading", (text, message) => {
  expect(() => withVersion(text, "0.1.0", "2026-11-25")).toThrow(message);
});

test("the changes of this repository can be released", () => {
  const text = readFileSync(join(__dirname, "..", "..", "CHANGELOG.md"), "utf8");
  expect(notesOf(withVersion(text, "99.0.0", "2026-11-25"), "99.0.0")).toMatch(/^### Upgrading\n/);
});
