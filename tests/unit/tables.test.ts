import { columnsOf } from "../../tools/cli/wrap";
import { plainTable } from "../../tools/cli/table";

const rows = {
  head: ["Zone", "Custom rules", "Note"],
  rows: [
    ["shop.example.com", "✓ active", "a sentence that is longer than the terminal is wide, by some"],
    ["blog.example.com", "– none", ""],
  ],
};

test("a table that fits is a table", () => {
  expect(plainTable(rows, 120)).toBe(plainTable(rows));
  expect(plainTable(rows)).toContain("│ shop.example.com │ ✓ active");
});

test("a table that is wider than the terminal is folded, between words", () => {
  expect(plainTable(rows, 40).split("\n")).toEqual([
    "shop.example.com",
    "  Custom rules: ✓ active",
    "  Note: a sentence that is longer than",
    "    the terminal is wide, by some",
    "blog.example.com",
    "  Custom rules: – none",
  ]);
});

test("a word that is longer than the line stays whole", () => {
  const id = "f".repeat(64);
  const table = { head: ["Zone", "ID"], rows: [["shop", `${id} ${id}`]] };
  expect(plainTable(table, 20).split("\n")).toEqual(["shop", "  ID:", `    ${id}`, `    ${id}`]);
});

test.each([
  ["a terminal", { isTTY: true, columns: 72 }, {}, 72],
  ["a pipe", { isTTY: false, columns: 0 }, {}, undefined],
  ["a pipe with COLUMNS", { isTTY: false, columns: 0 }, { COLUMNS: "60" }, 60],
  ["a terminal with COLUMNS", { isTTY: true, columns: 72 }, { COLUMNS: "60" }, 60],
  ["a terminal of unknown width", { isTTY: true, columns: 0 }, {}, undefined],
  ["COLUMNS that is no number", { isTTY: true, columns: 72 }, { COLUMNS: "wide" }, 72],
])("the width of %s", (_, stream, env, width) => {
  expect(columnsOf(stream, env)).toBe(width);
});
