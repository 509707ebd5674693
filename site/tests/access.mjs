import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules that what Starlight makes breaks: the key beside "Search" is no word of its name, and code that scrolls has no name. */
const NOT_OURS = { "label-content-name-mismatch": { enabled: false }, "landmark-unique": { enabled: false } };

/** What axe finds in a part of a page, in words. */
export async function violationsOf(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (selector, rules) => globalThis.axe.run(selector, { resultTypes: ["violations"], rules }),
    where,
    NOT_OURS,
  );
  const about = ({ html, any }) => `  ${html}\n    ${any.map(({ message }) => message).join("; ")}`;
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(about).join("\n")}`);
}
