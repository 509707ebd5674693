import { TextDocument } from "../../provider/files/text-document.js";

const faultOf = (text: string): string | undefined =>
  TextDocument.parseLeniently(text, "rules.yaml").faults[0]?.message;

describe("a file of YAML", () => {
  test.each([
    ["lists", "[".repeat(50_000)],
    ["closed lists", `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
    ["objects", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["items of one line", "- ".repeat(5_000)],
    ["keys of one line", "? ".repeat(5_000)],
  ])("that nests %s too deeply has a place and a reason", (_, text) => {
    expect(faultOf(text)).toMatch(/^rules\.yaml:1:\d+: More than 200 levels are nested in one another$/);
  });

  test("may nest as deep as any rule does", () => {
    const { value } = TextDocument.parse(`${"[".repeat(90)}${"]".repeat(90)}`, "rules.yaml");
    expect(JSON.stringify(value)).toHaveLength(180);
  });

  test("has one document, and is read if it is empty", () => {
    expect(faultOf("a: 1\n---\nb: 2\n")).toMatch(/^rules\.yaml:2:\d+: .*one document/);
    expect(TextDocument.parse("", "rules.yaml").value).toBeNull();
  });
});
