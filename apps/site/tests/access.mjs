import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in a part of a page, in words. */
export async function violationsOf(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (selector) =>
      globalThis.axe.run(selector, {
        resultTypes: ["violations"],
        // Off unless somebody asks for it.
        rules: { "label-content-name-mismatch": { enabled: true } },
      }),
    where,
  );
  const about = ({ html, any }) => `  ${html}\n    ${any.map(({ message }) => message).join("; ")}`;
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(about).join("\n")}`);
}
