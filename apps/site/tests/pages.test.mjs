import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SITE } from "../source/repository.mjs";
import { brokenLinks } from "../source/check-links.mjs";
import { violationsOf } from "./access.mjs";
import { PICTURE, picture } from "../source/picture.mjs";
import { press, Site, textWith } from "./site.mjs";

const PAGES = ["/", "/playground/", "/ownership/", "/reference/resources/phaseentrypoint/", "/reference/api/program/"];

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
  await press(page, "button[data-open-modal]");
  await page.waitForSelector("dialog[open] input");
  await page.type("dialog[open] input", "onConflict");
  await textWith(page, "dialog[open] .pagefind-ui__result, dialog[open] a", "Ownership");
  assert.deepEqual(problems, []);
});

test("every link names a page and a section of it", () => {
  assert.deepEqual(brokenLinks(join(SITE, "dist")).problems, []);
});

test("no page is larger than half a megabyte", () => {
  const folder = join(SITE, "dist");
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  const large = pages.filter((name) => statSync(join(folder, name)).size > 500_000);
  assert.deepEqual(large, []);
});

test("llms.txt names every page of the sidebar", () => {
  const text = readFileSync(join(SITE, "dist", "llms.txt"), "utf8");
  for (const [, address] of text.matchAll(/\]\((\/[^)]+)\)/g)) readFileSync(join(SITE, "dist", address));
  assert.ok([...text.matchAll(/^- /gm)].length > 60);
});

test("the picture of README.md shows the recorded preview", () => {
  assert.equal(readFileSync(PICTURE, "utf8"), picture());
});
