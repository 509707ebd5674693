// Writes the pages of the site from the repository: its guides, its examples, and what the descriptions of resources say.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { firstParagraph, splitTitle, toMdx, withAddresses } from "./markdown.mjs";
import { exampleFiles, languagePrograms, tabs } from "./programs.mjs";
import { apiPages } from "./api.mjs";
import { referencePages } from "./reference.mjs";
import { isSearched } from "./search.mjs";
import { exists, list, read, ROOT, SITE } from "./repository.mjs";

const CONTENT = join(SITE, "src", "content", "docs");

/** What pages with tabs import. */
const COMPONENTS = 'import { TabItem, Tabs } from "@astrojs/starlight/components";';

/** Every page of the repository: the file, and its address in the site. */
function sources() {
  const examples = list("examples").filter((name) => exists(`examples/${name}/README.md`));
  const pages = (folder) => list(folder).filter((name) => name.endsWith(".md"));
  return new Map([
    ["README.md", "overview"],
    ["CHANGELOG.md", "changelog"],
    ["CONTRIBUTING.md", "contributing"],
    // The sidebar has what docs/README.md lists.
    ...pages("docs")
      .filter((name) => name !== "README.md")
      .map((name) => [`docs/${name}`, name.replace(".md", "")]),
    ["docs/decisions/README.md", "decisions"],
    ...examples.map((name) => [`examples/${name}/README.md`, `examples/${name}`]),
  ]);
}

/** The address of a link in a page; undefined for a file that the site does not show. Throws if the file does not exist. */
function addressOf(link, page, addresses) {
  const [path, hash = ""] = link.split("#");
  const anchor = hash === "" ? "" : `#${hash}`;
  if (path === "") return anchor;
  const file = posix.normalize(posix.join(posix.dirname(page), path));
  if (!exists(file)) throw new Error(`${page} links to ${link}, which does not exist`);
  const found = addresses.get(file) ?? addresses.get(posix.join(file, "README.md"));
  if (found !== undefined) return `/${found}/${anchor}`;
  if (file === "examples") return "/examples/quickstart/";
  if (file === "docs/README.md") return "/overview/";
  if (/\.(png|svg)$/.test(file)) return `/${posix.basename(posix.dirname(file))}/${posix.basename(file)}`;
  const [, example] = /^examples\/([^/]+)\//.exec(file) ?? [];
  return example === undefined || example === "templates" ? undefined : `/examples/${example}/`;
}

/** Here, the sidebar lists what docs/README.md does. */
const LIST_OF_PAGES = /^- \[All pages\]\(docs\/README\.md\).*\n/m;

function pageOf(file, slug, addresses) {
  const { title, rest: whole } = splitTitle(read(file), file);
  const rest = file === "README.md" ? whole.replace(LIST_OF_PAGES, "") : whole;
  const body = withAddresses(rest, (link) => addressOf(link, file, addresses));
  // A title stands in lists of pages, which have no code.
  const named = file === "README.md" ? "Overview" : title.replaceAll("`", "");
  const description = firstParagraph(rest);
  if (slug === "examples/languages") {
    const [intro = "", ...others] = toMdx(body).split("\n\n");
    return {
      slug,
      title: named,
      description,
      mdx: true,
      body: [intro, tabs(languagePrograms()), ...others].join("\n\n"),
    };
  }
  const [, example] = /^examples\/([^/]+)\/README/.exec(file) ?? [];
  return {
    slug,
    title: named,
    description,
    body: example === undefined ? body : `${body}\n\n${exampleFiles(example)}`,
  };
}

/** All pages, in the order of their addresses. */
export function allPages() {
  const addresses = sources();
  const pages = [...addresses].map(([file, slug]) => pageOf(file, slug, addresses));
  return [...pages, ...referencePages(), ...apiPages()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** Writes the pages where Starlight looks for them, and the pictures beside. Returns the pages. */
export function writePages() {
  const pages = allPages();
  rmSync(CONTENT, { recursive: true, force: true });
  for (const { slug, title, description, body, mdx = false } of pages) {
    const file = join(CONTENT, `${slug}.${mdx ? "mdx" : "md"}`);
    mkdirSync(dirname(file), { recursive: true });
    const head = Object.entries({ title, description, pagefind: isSearched(slug) }).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    );
    const components = mdx ? `${COMPONENTS}\n\n` : "";
    writeFileSync(file, `---\n${head.join("\n")}\n---\n\n${components}${body}\n`);
  }
  copyStaticFiles();
  return pages;
}

/** The pictures of the pages, and the playground, which `npm run build` bundles. */
function copyStaticFiles() {
  const to = join(SITE, "public");
  rmSync(to, { recursive: true, force: true });
  cpSync(join(SITE, "static"), to, { recursive: true });
  cpSync(join(ROOT, "docs", "images"), join(to, "images"), { recursive: true });
  if (!exists("dist/apps/playground/page.js"))
    throw new Error("the playground is not bundled: run npm run build first");
  cpSync(join(ROOT, "dist", "apps", "playground"), join(to, "app"), { recursive: true });
}
