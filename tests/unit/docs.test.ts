import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ERROR_CODES } from "../../provider/model/errors.js";

const root = join(__dirname, "..", "..");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

test("every error code has its section, and no other", () => {
  const sections = [...readFileSync(join(root, "docs", "errors.md"), "utf8").matchAll(/^## (.+)$/gm)].map(
    ([, name]) => name,
  );
  expect(sections).toEqual([...ERROR_CODES]);
});

test.each(pages)("every link of %s leads somewhere", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? "");
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test.each(readdirSync(join(root, "examples")).filter((name) => !name.includes(".")))(
  "the example %s is a whole project",
  (name) => {
    for (const file of ["Pulumi.yaml", "package.json", "index.ts", "README.md"]) {
      expect(existsSync(join(root, "examples", name, file))).toBe(true);
    }
  },
);
