import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { refuse } from "../failure.js";

/** The files of the page, with their types. They are bundled from `apps/playground/`; the emulator imports nothing of it. */
const FILES: Readonly<Record<string, string>> = {
  "page.css": "text/css; charset=utf-8",
  "emulator.js": "text/javascript; charset=utf-8",
  "worker.js": "text/javascript; charset=utf-8",
};

/** Where the bundle is: beside the compiled emulator, and for its sources in the folder of the compiled ones. */
const FOLDERS = [
  join(__dirname, "..", "..", "apps", "playground"),
  join(__dirname, "..", "..", "dist", "apps", "playground"),
];

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The emulator of pulumi-rulesets</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
</head>
<body class="pg-emulator">
<main data-emulator></main>
<script type="module" src="emulator.js"></script>
</body>
</html>
`;

/** The page loads nothing from anywhere else, and no other page may show it in a frame. */
const POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Serves the page that shows what the emulator has, under `/__emulator/`. */
export function registerPage(app: FastifyInstance): void {
  app.get("/", (_request, reply) =>
    reply.header("content-type", "text/html; charset=utf-8").header("content-security-policy", POLICY).send(HTML),
  );
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/${name}`, (_request, reply) =>
      reply.header("content-type", type).header("cache-control", "no-cache").send(readBundled(name)),
    );
  }
}

function readBundled(name: string): Buffer {
  const file = FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) throw refuse(404, undefined, "the page is not bundled: run npm run build");
  return readFileSync(file);
}
