import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ERROR_CODES } from "../../core/model/errors.js";

const root = join(__dirname, "..", "..");
const examples = readdirSync(join(root, "examples")).filter((name) => !name.includes(".") && name !== "templates");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
  ...examples.map((name) => `examples/${name}/README.md`),
].filter((name) => name.endsWith(".md"));

test("every error code has a section, and every section an error code", () => {
  const sections = [...readFileSync(join(root, "docs", "errors.md"), "utf8").matchAll(/^## (.+)$/gm)].map(
    ([, name]) => name,
  );
  expect(sections).toEqual([...ERROR_CODES]);
});

test.each(pages)("every link of %s resolves", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? "");
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test.each(pages)("every command that %s shows exists", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  // Those of this repository, and of a project that `init` writes.
  const scripts = ["package.json", "examples/templates/typescript/package.json"].flatMap((file) =>
    Object.keys((JSON.parse(readFileSync(join(root, file), "utf8")) as { scripts: object }).scripts),
  );
  for (const [, script = ""] of text.matchAll(/\bnpm run ([\w-]+)/g)) expect(scripts).toContain(script);
  const cli = ["main.ts", ...readdirSync(join(root, "tools", "cli"), { recursive: true, encoding: "utf8" })]
    .filter((name) => /(^main|options)[.]ts$/.test(name))
    .map((name) => readFileSync(join(root, "tools", "cli", name), "utf8"))
    .join("");
  for (const [, line = ""] of text.matchAll(/\bnpx pulumi-rulesets ([^`\n#]+)/g)) {
    const names = /^[a-z]+(?: [a-z]+)*(?= |$)/.exec(line)?.[0].split(" ") ?? [];
    expect(names.filter((name) => !cli.includes(`"${name}"`))).toEqual([]);
    const options = line.match(/--[a-z-]+/g) ?? [];
    expect(options.filter((option) => !cli.includes(option))).toEqual([]);
  }
});

test("the comment on the page about pull requests is one that a test compares", () => {
  const page = readFileSync(join(root, "docs", "pull-requests.md"), "utf8");
  const [, shown] = /^````markdown\n([^]*?)^````$/m.exec(page) ?? [];
  const comments = join(root, "tests", "cli", "summarize-comments");
  const texts = readdirSync(comments).map((name) => readFileSync(join(comments, name), "utf8").trim());
  expect(texts).toContain(shown?.trim());
});

const projects = examples.filter(
  (name) => !["fleet-temporal", "languages", "page-rules", "replay-on-spark"].includes(name),
);

test.each(projects)("the example %s is a complete project", (name) => {
  for (const file of ["Pulumi.yaml", "package.json", "index.ts", "README.md"]) {
    expect(existsSync(join(root, "examples", name, file))).toBe(true);
  }
});
