// Writes the pages as Markdown beside their HTML, and llms.txt, which lists them for language models.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GROUPS } from "../sidebar.mjs";
import { allPages } from "./pages.mjs";
import { SITE } from "./repository.mjs";

const DIST = join(SITE, "dist");
const pages = allPages();

/** Tabs are elements of the site; what is in them is Markdown. */
const plain = (body) => body.replace(/^<\/?Tab(s|Item)[^>]*>\n*/gm, "").replace(/\\([{<])/g, "$1");

for (const { slug, title, body } of pages) {
  const file = join(DIST, `${slug}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `# ${title}\n\n${plain(body)}\n`);
}

const isIn = (slug, pattern) => (pattern.endsWith("/*") ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern);
const lineOf = ({ slug, title, description }) => `- [${title}](/${slug}.md): ${description}`;
const groups = GROUPS.map(({ label, pages: entries }) => {
  const patterns = entries.filter(({ section }) => section === undefined).map((entry) => entry.page ?? entry);
  const found = patterns.flatMap((pattern) => pages.filter(({ slug }) => isIn(slug, pattern)));
  return [`## ${label}`, "", ...found.map(lineOf)].join("\n");
});

writeFileSync(
  join(DIST, "llms.txt"),
  [
    "# pulumi-rulesets",
    "> Cloudflare rulesets as Pulumi resources: exact previews, with requests that will be treated differently; rule IDs that survive edits and moves; no overwriting of other people's changes.",
    ...groups,
  ].join("\n\n") + "\n",
);
