import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TextDocument } from "../../tools/rules-files/text/text-document.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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
    expect(faultOf(text)).toMatch(/^rules\.yaml:1:\d+: More than 200 levels of nesting$/);
  });

  test("whose aliases stand for too much has a place and a reason", () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(", ")}]`;
    const bomb = [level("a", "x"), level("b", "*a"), level("c", "*b"), level("d", "*c"), level("e", "*d")].join("\n");
    expect(faultOf(bomb)).toBe("rules.yaml:1:1: its aliases (`*name`) stand for too many values");
  });

  test.each(["latin1", "utf16le"] as const)("in %s is refused, because its text would be another one", (encoding) => {
    const folder = temporaryFolder();
    const file = join(folder, "zones.invariants.yaml");
    writeFileSync(file, Buffer.from("\ufeffname: Büro\n", encoding));
    expect(() => TextDocument.read(file)).toThrow(/zones\.invariants\.yaml is not UTF-8, .*: save it as UTF-8$/);
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
