// Checks every link of the built site: its page, and the section that it names. Prints what is wrong, and fails.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SITE } from "./repository.mjs";

const decode = (text) => text.replaceAll("&amp;", "&").replaceAll("&#38;", "&").replaceAll("&quot;", '"');

/** The addresses that a page links to or loads, and the names of its sections. */
function readPage(file) {
  const html = readFileSync(file, "utf8").replace(/<(script|style)\b(?![^>]*\bsrc=)[^>]*>[^]*?<\/\1>/g, "");
  const values = (name) =>
    [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) => decode(value));
  return { links: [...values("href"), ...values("src")], ids: new Set(values("id")) };
}

/** What is wrong with the links of a folder with a built site, a line each. */
export function brokenLinks(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  const addressOf = (name) => `/${name.replaceAll("\\", "/").replace(/index\.html$/, "")}`;
  const pages = new Map(files.map((name) => [addressOf(name), readPage(join(folder, name))]));
  const problems = [...pages].flatMap(([from, { links }]) =>
    links.flatMap((link) => {
      if (/^(https?:|mailto:|data:)/.test(link)) return [];
      const { pathname, hash } = new URL(link, `http://site${from}`);
      const page = pages.get(decodeURIComponent(pathname));
      if (page === undefined)
        return existsSync(join(folder, decodeURIComponent(pathname))) ? [] : [`${from}: ${link} does not exist`];
      const id = decodeURIComponent(hash.slice(1));
      return id === "" || id.startsWith("1.") || page.ids.has(id) ? [] : [`${from}: ${link} has no such section`];
    }),
  );
  if (pages.size === 0) problems.push(`${folder} has no pages`);
  return { pages: pages.size, links: [...pages.values()].reduce((sum, { links }) => sum + links.length, 0), problems };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { pages, links, problems } = brokenLinks(join(SITE, "dist"));
  for (const problem of new Set(problems)) console.error(problem);
  console.log(`${String(links)} links of ${String(pages)} pages: ${String(new Set(problems).size)} are broken`);
  if (problems.length > 0) process.exitCode = 1;
}
