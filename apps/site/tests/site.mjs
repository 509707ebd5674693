import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, extname, join } from "node:path";
import puppeteer from "puppeteer-core";
import { SITE } from "../source/repository.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

/** Serves the built site on loopback. */
async function serve() {
  const server = createServer(({ url }, response) => {
    const path = join(SITE, "dist", decodeURIComponent(new URL(url, "http://site").pathname));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser of this machine. Throws if there is none, and says how to get one: without it, nothing is tested. */
function browserPath() {
  if (process.env.BROWSER_PATH !== undefined) return process.env.BROWSER_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
  if (found === undefined)
    throw new Error(
      `no browser: install Debian's chromium-headless-shell, or set BROWSER_PATH (looked for ${BROWSERS.join(", ")})`,
    );
  return found;
}

/** The site in a real browser. */
export class Site {
  static async open() {
    if (!existsSync(join(SITE, "dist", "index.html"))) throw new Error("the site is not built: run npm run site first");
    const server = await serve();
    // Chromium cannot put itself into a sandbox for root, which is who runs a gate in a container.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    return new Site(server, await puppeteer.launch({ executablePath: browserPath(), args }));
  }

  constructor(server, browser) {
    this.server = server;
    this.browser = browser;
    this.address = `http://127.0.0.1:${server.address().port}`;
  }

  /** A new tab. `problems` are errors of the page and requests to anywhere else. */
  async page(path, { width = 1280, dark = false } = {}) {
    const page = await this.browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith(this.address) && !/^(data|blob):/.test(request.url()))
        problems.push(`a request to ${request.url()}`);
    });
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    await page.setViewport({ width, height: 900 });
    await page.goto(this.address + path, { waitUntil: "load" });
    return { page, problems };
  }

  async close() {
    await this.browser.close();
    this.server?.close();
  }
}

/** Waits until the text of an element contains something, and returns it. */
export async function textWith(page, selector, text) {
  await page.waitForFunction(
    (where, what) => [...document.querySelectorAll(where)].some((one) => one.textContent.includes(what)),
    { timeout: 30_000 },
    selector,
    text,
  );
  return page.$$eval(selector, (all) => all.map((one) => one.textContent));
}

/** Presses the first button that a selector finds, wherever it is: answers above it may move it at any time. */
export async function press(page, selector) {
  await page.$eval(selector, (button) => button.click());
}
