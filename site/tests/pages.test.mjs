import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SITE } from "../source/repository.mjs";
import { brokenLinks } from "../source/check-links.mjs";
import { Site, textWith } from "./site.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["/", "/playground/", "/ownership/", "/reference/resources/phaseentrypoint/"];

let site;
before(async () => {
  site = await Site.open();
});
after(() => site?.close());

/** The playground shows its first answer, and blocks of code that scroll can be reached by keyboard. */
async function isReady(page, path) {
  if (path === "/playground/") await textWith(page, ".pg-verdict", "Blocked");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".expressive-code pre")].every(
      (pre) => pre.scrollWidth <= pre.clientWidth || pre.tabIndex === 0,
    ),
  );
}

/** Rules that what Starlight makes breaks: the key beside "Search" is no word of its name, and code that scrolls has no name. */
const NOT_OURS = { "label-content-name-mismatch": { enabled: false }, "landmark-unique": { enabled: false } };

/** What axe finds. */
async function violationsOf(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (selector, rules) => globalThis.axe.run(selector, { resultTypes: ["violations"], rules }),
    where,
    NOT_OURS,
  );
  const about = ({ html, any }) => `  ${html}\n    ${any.map(({ message }) => message).join("; ")}`;
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(about).join("\n")}`);
}

for (const path of PAGES) {
  for (const dark of [false, true]) {
    test(`${path} is accessible, ${dark ? "dark" : "light"}`, async () => {
      const { page, problems } = await site.page(path, { dark });
      await isReady(page, path);
      assert.deepEqual(await violationsOf(page, "html"), []);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }
  for (const width of [360, 768, 1280]) {
    test(`${path} fits a screen of ${width} pixels`, async () => {
      const { page } = await site.page(path, { width });
      await isReady(page, path);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await page.close();
    });
  }
}

test("the comparison is accessible", async () => {
  const { page } = await site.page("/playground/");
  await page.select(".pg-bar select", "1");
  await textWith(page, ".pg-for-compare .pg-verdict", "Looser");
  assert.deepEqual(await violationsOf(page, ".pg"), []);
});

test("the search finds a page", async () => {
  const { page, problems } = await site.page("/");
  await page.click("button[data-open-modal]");
  await page.waitForSelector("dialog[open] input");
  await page.type("dialog[open] input", "onConflict");
  await textWith(page, "dialog[open] .pagefind-ui__result, dialog[open] a", "Ownership");
  assert.deepEqual(problems, []);
});

test("every link names a page and a section of it", () => {
  assert.deepEqual(brokenLinks(join(SITE, "dist")).problems, []);
});

test("llms.txt names every page of the sidebar", () => {
  const text = readFileSync(join(SITE, "dist", "llms.txt"), "utf8");
  for (const [, address] of text.matchAll(/\]\((\/[^)]+)\)/g)) readFileSync(join(SITE, "dist", address));
  assert.ok([...text.matchAll(/^- /gm)].length > 60);
});
