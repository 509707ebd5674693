// The reference of the libraries, from their doc comments, by typedoc.
import { posix } from "node:path";
import { withAddresses } from "./markdown.mjs";
import { exists, read } from "./repository.mjs";

const FOLDER = "site/.api";

/** Each library: what a program imports, the file that typedoc writes, and what it is for. */
const LIBRARIES = [
  ["pulumi-rulesets", "provider/README.md", "Resources, functions, and helpers that write rules."],
  ["pulumi-rulesets/client", "provider/client.md", "Typed calls of the API."],
  ["pulumi-rulesets/language", "language.md", "Parses, checks, prints and runs expressions."],
  ["pulumi-rulesets/analysis", "analysis.md", "How rules interact, and what an edit changes."],
  ["pulumi-rulesets/testing", "testing.md", "Tests of a firewall without an engine."],
  ["pulumi-rulesets/policy", "policy.md", "Invariants as a policy of Pulumi."],
  ["pulumi-rulesets/emulator", "emulator.md", "The service on loopback."],
];

const slugOf = (name) => `reference/api/${name.split("/")[1] ?? "program"}`;

/** A page for each library. Throws if typedoc has not run. */
export function apiPages() {
  const addresses = new Map(LIBRARIES.map(([name, file]) => [file, `/${slugOf(name)}/`]));
  return LIBRARIES.map(([name, file, description]) => {
    if (!exists(`${FOLDER}/${file}`)) throw new Error(`${FOLDER}/${file} is missing: build the site with npm run site`);
    const text = read(`${FOLDER}/${file}`)
      .replace(/^# .*\n/, "")
      .replace(/^## Namespaces\n[^]*?(?=^## )/m, "");
    const addressOf = (link) => {
      const [path, hash = ""] = link.split("#");
      if (path === "") return `#${hash}`;
      const page = addresses.get(posix.normalize(posix.join(posix.dirname(file), path)));
      return page === undefined ? undefined : `${page}#${hash}`;
    };
    return {
      slug: slugOf(name),
      title: name,
      description,
      body: `${description}\n\n${withAddresses(text, addressOf)}`,
    };
  });
}
