import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { violationsOf } from "./access.mjs";
import { press, Site, textWith } from "./site.mjs";

const { startEmulator } = createRequire(import.meta.url)("../../../dist/emulator/index.js");
const HOST = "shop.example.com";
const PHASE = "http_request_firewall_custom";

let site;
let emulator;
before(async () => {
  emulator = await startEmulator({ seed: { zones: [{ name: "other.example.com" }, { name: HOST }] }, edge: {} });
  site = await Site.open(new URL(emulator.url).origin);
});
after(async () => {
  await site?.close();
  await emulator?.close();
});

const zone = () => emulator.zones().find(({ name }) => name === HOST).id;

/** Writes the rules of the zone as a stack would. */
async function put(...rules) {
  const response = await fetch(`${emulator.url}/zones/${zone()}/rulesets/phases/${PHASE}/entrypoint`, {
    method: "PUT",
    headers: { authorization: "Bearer any-token-will-do", "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  });
  assert.equal(response.status, 200);
}

const RULES = ".pg-rules .pg-text";
const rulesOf = (page) => page.$eval(RULES, (text) => text.value);
const admin = { ref: "admin", description: "Block admin", action: "block" };

test("shows the rules of a zone, and follows them as they change", async () => {
  await put({ ...admin, expression: 'http.request.uri.path eq "/"' });
  const { page, problems } = await site.page("/__emulator/");
  await textWith(page, ".pg-answer .pg-verdict", 'Blocked by "Block admin".');
  assert.match(await rulesOf(page), /expression: http\.request\.uri\.path eq "\/"\n/);
  await put({ ...admin, expression: 'http.request.uri.path eq "/admin"' });
  await textWith(page, ".pg-answer .pg-verdict", "Allowed.");
  await textWith(page, ".pg-log code", `/rulesets/phases/${PHASE}/entrypoint`);
  await textWith(page, ".pg-versions", "version 2");
  assert.deepEqual(await violationsOf(page, "html"), []);
  assert.deepEqual(problems, []);
});

test("keeps what somebody wrote when the rules change", async () => {
  const { page } = await site.page("/__emulator/");
  await textWith(page, ".pg-versions", PHASE);
  await page.focus(RULES);
  await page.keyboard.type("# mine\n");
  await put({ ...admin, expression: 'http.request.uri.path eq "/private"' });
  await textWith(page, ".pg-changed", "The rules of the zone changed.");
  assert.match(await rulesOf(page), /# mine/);
  await press(page, ".pg-changed button");
  await textWith(page, ".pg-changed", "these are the new ones");
  assert.match(await rulesOf(page), /"\/private"/);
});

test("compares an older version with the newest one", async () => {
  await put({ ...admin, expression: 'starts_with(http.request.uri.path, "/admin")' });
  await put({ ...admin, expression: 'http.request.uri.path eq "/admin"' });
  const { page } = await site.page("/__emulator/");
  await textWith(page, ".pg-versions", PHASE);
  await press(page, ".pg-versions button");
  await textWith(page, ".pg-for-compare .pg-verdict", "Looser");
});

test("shows the events of a zone, and tries a request again", async () => {
  await put({ ...admin, expression: 'http.request.uri.path eq "/admin"' });
  const { page } = await site.page("/__emulator/");
  await textWith(page, ".pg-answer .pg-verdict", "Allowed.");
  const { request } = await import("node:http");
  await new Promise((resolve, reject) => {
    const sent = request(`${emulator.edgeUrl}/admin`, { headers: { host: HOST } }, (answer) =>
      answer.resume().on("end", resolve),
    );
    sent.on("error", reject).end();
  });
  await textWith(page, ".pg-log", "Block admin");
  await press(page, ".pg-log button");
  await textWith(page, ".pg-answer .pg-verdict", 'Blocked by "Block admin".');
});

test("knows the items of the lists that rules name", async () => {
  const call = async (method, path, body) => {
    const headers = { authorization: "Bearer any-token-will-do", "content-type": "application/json" };
    const response = await fetch(`${emulator.url}${path}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()).result;
  };
  const lists = `/accounts/${emulator.zones()[0].account.id}/rules/lists`;
  const { id } = await call("POST", lists, { name: "office", kind: "ip" });
  await put({ ...admin, expression: "not ip.src in $office" });
  const { page } = await site.page("/__emulator/");
  await textWith(page, ".pg-answer .pg-verdict", 'Blocked by "Block admin".');
  await call("PUT", `${lists}/${id}/items`, [{ ip: "203.0.113.0/24" }]);
  await textWith(page, ".pg-answer .pg-verdict", "Allowed.");
  assert.match(await rulesOf(page), /office: \["203\.0\.113\.0\/24"\]/);
});

for (const width of [360, 768, 1280]) {
  test(`fits a screen of ${width} pixels`, async () => {
    const { page } = await site.page("/__emulator/", { width });
    await textWith(page, ".pg-versions", PHASE);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  });
}
