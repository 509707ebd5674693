// The reference of the libraries, from their doc comments, by typedoc.
import { posix } from "node:path";
import { outsideFences, withAddresses } from "./markdown.mjs";
import { exists, read } from "./repository.mjs";

const FOLDER = "apps/site/.api";

/** Each library: what a program imports, the file that typedoc writes, and what it is for. */
const LIBRARIES = [
  ["pulumi-rulesets", "provider/README.md", "Resources, functions, and helpers that write rules."],
  ["pulumi-rulesets/client", "client.md", "Typed calls of the API."],
  ["pulumi-rulesets/language", "core/language.md", "Parses, checks, prints and runs expressions."],
  ["pulumi-rulesets/analysis", "core/analysis.md", "How rules interact, and what an edit changes."],
  ["pulumi-rulesets/testing", "tools/testing.md", "Tests of a firewall without an engine."],
  ["pulumi-rulesets/policy", "tools/policy.md", "Invariants as a policy of Pulumi."],
  ["pulumi-rulesets/emulator", "emulator.md", "The service on loopback."],
];

/** Libraries with more text have a page for their interfaces, and one for everything else. */
const MOST_CHARACTERS = 60_000;

const slugOf = (name) => `reference/api/${name.split("/")[1] ?? "program"}`;

/** Pages for each library. Throws if typedoc has not run. */
export function apiPages() {
  const libraries = LIBRARIES.map(([name, file, description]) => ({ file, pages: pagesOf(name, file, description) }));
  const addresses = new Map(libraries.map(({ file, pages }) => [file, addressesOf(pages)]));
  return libraries.flatMap(({ file, pages }) => {
    const addressOf = (link) => {
      const [path, hash = ""] = link.split("#");
      const known = addresses.get(path === "" ? file : posix.normalize(posix.join(posix.dirname(file), path)));
      return known?.get(hash);
    };
    return pages.map(({ slug, title, description, lead = description, text }) => ({
      slug,
      title,
      description,
      body: `${lead}\n\n${withAddresses(text, addressOf)}`,
    }));
  });
}

function pagesOf(name, file, description) {
  if (!exists(`${FOLDER}/${file}`)) throw new Error(`${FOLDER}/${file} is missing: build the site with npm run site`);
  const text = withOwnProperties(
    read(`${FOLDER}/${file}`)
      .replace(/^# .*\n/, "")
      .replace(/^## Namespaces\n[^]*?(?=^## )/m, ""),
  );
  const slug = slugOf(name);
  const whole = { slug, title: name, description };
  const sections = text.split(/^(?=## )/m);
  if (text.length < MOST_CHARACTERS) return [{ ...whole, sections, text }];
  const others = `${slug}-interfaces`;
  const lead = `${description} Interfaces are [on a page of their own](/${others}/).`;
  const pages = [
    { ...whole, lead },
    { slug: others, title: `Interfaces of ${name}`, description: `What objects of ${name} contain.` },
  ];
  return pages.map((page, index) => {
    const own = sections.map((section) =>
      section.startsWith("## Interfaces\n") === (index === 1) ? section : undefined,
    );
    return { ...page, sections: own, text: own.join(""), all: sections };
  });
}

/** A table shows what a type adds: what it inherits is with the type that it extends, which is named above the table. */
const withOwnProperties = (text) =>
  text
    .replaceAll("#### Properties\n\n", "")
    .replaceAll(/^\|.* \| Inherited from \|\n(?:\|.*\n)+/gm, (table) =>
      table.replaceAll(/^\|.*\)\.\[`\w+`\]\(#[\w-]+\) \|\n/gm, "").replaceAll(/ \| [^|]* \|$/gm, " |"),
    );

/** The address of each heading of a file, which may be on one of two pages, by what typedoc calls it; and of the file itself. */
function addressesOf(pages) {
  const [first] = pages;
  const addresses = new Map([["", `/${first.slug}/`]]);
  const inFile = new Slugs();
  const inPage = pages.map(() => new Slugs());
  (first.all ?? first.sections).forEach((section, index) => {
    const at = pages.findIndex(({ sections }) => sections[index] !== undefined);
    outsideFences(section, (part) => {
      for (const [, heading, id] of part.matchAll(/^#{2,6} (.+)$|<a id="([^"]+)">/gm)) {
        const [old, own] = heading === undefined ? [id, id] : [inFile.next(heading), inPage[at].next(heading)];
        if (!addresses.has(old)) addresses.set(old, `/${pages[at].slug}/#${own}`);
      }
      return part;
    });
  });
  return addresses;
}

/** The names of headings as Markdown gives them: each once, with a number if it comes again. */
class Slugs {
  #counts = new Map();

  next(heading) {
    const words = heading
      .replaceAll(/[`*\\]/g, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = this.#counts.get(words) ?? 0;
    this.#counts.set(words, count + 1);
    return count === 0 ? words : `${words}-${String(count)}`;
  }
}
