import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { press, Site, textWith } from "./site.mjs";

let site;
before(async () => {
  site = await Site.open();
});
after(() => site?.close());

/** Puts a text into a field as somebody who replaces everything there. */
async function write(page, selector, text) {
  await page.focus(selector);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

const RULES = ".pg-rules .pg-text";

test("shows the way of a request to the rule that blocks it", async () => {
  const { page, problems } = await site.page("/playground/");
  await textWith(page, ".pg-answer .pg-verdict", 'Blocked by "Block admin".');
  assert.deepEqual(await page.$$eval(".pg-way .decides .pg-rule-name", (all) => all.map((one) => one.textContent)), [
    "Block admin",
  ]);
  await write(page, '[name="url"]', "https://shop.example.com/products");
  await textWith(page, ".pg-answer .pg-verdict", "Allowed.");
  await write(page, '[name="url"]', "https://shop.example.com/a#");
  assert.deepEqual(problems, []);
});

test("finds mistakes while somebody types, and goes to their line", async () => {
  const { page, problems } = await site.page("/playground/");
  await write(page, RULES, 'http.hots eq "a"');
  await textWith(page, ".pg-summary", "The expression: 1 warning.");
  await textWith(page, ".pg-finding", "unknown-field");
  await write(page, RULES, "- action: block\n  expression: ssl\naction: blok\nexpression: ssl\n");
  await textWith(page, ".pg-summary", "cannot be read");
  await write(page, RULES, "[{ action: block, expression: ssl },\n{ action: blok, expression: ssl }]");
  await textWith(page, ".pg-finding", "action");
  await press(page, ".pg-line-link");
  const selected = await page.$eval(RULES, (text) => text.value.slice(text.selectionStart, text.selectionEnd));
  assert.match(selected, /blok/);
  assert.deepEqual(problems, []);
});

test("underlines what a finding is about, and changes it at the press of a button", async () => {
  const { page, problems } = await site.page("/playground/");
  const underlined = () => page.$$eval(".pg-rules .pg-underline", (all) => all.map((one) => one.textContent));
  const text = () => page.$eval(RULES, ({ value }) => value);
  await write(
    page,
    RULES,
    '[{ action: blok, expression: http.hots eq "a" },\n{ action: block, expression: lowr(ssl) }]',
  );
  await textWith(page, ".pg-fix", "Change to block");
  assert.deepEqual(await underlined(), ["blok", "http.hots", "lowr"]);
  await page.$$eval(".pg-fix", (all) => all.find((one) => one.textContent === "Change to http.host").click());
  await page.waitForFunction(() => !document.querySelector(".pg-findings").textContent.includes("http.hots"));
  assert.match(await text(), /blok, expression: http\.host eq "a"/);
  await press(page, ".pg-fix-all");
  await page.waitForFunction(() => document.querySelectorAll(".pg-fix").length === 0);
  assert.match(await text(), /action: block, expression: http\.host eq "a".*\n.*lower\(ssl\)/);
  await page.focus(RULES);
  await page.keyboard.down("Control");
  for (let count = 0; count < 3; count += 1) await page.keyboard.press("z");
  await page.keyboard.up("Control");
  assert.match(await text(), /blok.*http\.hots.*\n.*lowr/);
  assert.deepEqual(problems, []);
});

test("runs the tests of a text", async () => {
  const { page } = await site.page("/playground/");
  await page.select(".pg-bar select", "3");
  await textWith(page, ".pg-summary", "2 of 3 tests pass, and hit 2 of 2 rules.");
  await textWith(page, ".pg-finding.error", "scanners have to solve a challenge");
});

test("says what an expression means", async () => {
  const { page } = await site.page("/playground/");
  await write(page, RULES, "ssl and not cf.client.bot");
  await textWith(page, ".pg-meaning", "all of these are true");
  await textWith(page, ".pg-uses", "cf.client.bot");
});

test("compares two versions, and follows the request that tells them apart", async () => {
  const { page, problems } = await site.page("/playground/");
  await page.select(".pg-bar select", "1");
  await textWith(page, ".pg-for-compare .pg-verdict", "Looser");
  const [witness] = await textWith(page, ".pg-witness code", 'blocked by "Block admin" → allowed');
  await press(page, ".pg-witness button");
  await textWith(page, ".pg-for-try .pg-verdict", "Allowed.");
  const url = await page.$eval('[name="url"]', (input) => input.value);
  assert.ok(witness.includes(url), `${witness} has ${url}`);
  assert.deepEqual(problems, []);
});

test("keeps everything in a link", async () => {
  const { page } = await site.page("/playground/");
  await write(page, RULES, 'http.host eq "a.example"');
  await write(page, '[name="url"]', "https://a.example/");
  await textWith(page, ".pg-answer .pg-verdict", "Blocked");
  await page.$$eval(".pg-bar button", (all) => all.find((one) => one.textContent === "Copy link").click());
  await page.waitForFunction(() => location.hash.startsWith("#1."));
  const { page: other } = await site.page(await page.evaluate(() => location.pathname + location.hash));
  await other.waitForFunction(() => document.querySelector(".pg-rules .pg-text").value === 'http.host eq "a.example"');
  await textWith(other, ".pg-answer .pg-verdict", "Blocked");
});

test("says that a link is damaged, and shows an example", async () => {
  const { page, problems } = await site.page("/playground/#1.AAAA");
  await textWith(page, ".pg-note", "The link is damaged");
  await textWith(page, ".pg-answer .pg-verdict", 'Blocked by "Block admin".');
  assert.deepEqual(problems, []);
});

test("shows a text of rules as text", async () => {
  const { page } = await site.page("/playground/");
  await write(page, RULES, '[{ action: block, description: "<img src=x onerror=alert(1)>", expression: "true" }]');
  await textWith(page, ".pg-answer .pg-verdict", "<img src=x");
  assert.equal(await page.$$eval(".pg img", (all) => all.length), 0);
});

test("names every field, and is used by keyboard", async () => {
  const { page } = await site.page("/playground/");
  await textWith(page, ".pg-answer .pg-verdict", "Blocked");
  const names = new Set();
  await page.focus(".pg-modes button");
  for (let count = 0; count < 16; count += 1) {
    const name = await page.evaluate(
      () => document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent,
    );
    names.add(name);
    await page.keyboard.press("Tab");
  }
  for (const name of [
    "Try a request",
    "Compare two versions",
    "Example",
    "Plan",
    "Copy link",
    "Rules",
    "Method",
    "URL",
    "Client address",
  ])
    assert.ok(names.has(name), `${name} is reached: ${[...names].join(", ")}`);
});
