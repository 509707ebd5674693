// Packs the extension for VS Code as its publisher would, and lets the language server in it check a document.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import protocol from "vscode-languageserver/node";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "apps", "vscode");

/** Most of it is installed to pack, and not packed. */
const MOST_BYTES = 1_000_000;

function npm(...args) {
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** What the packed server finds in a document. */
async function findingsOf(text) {
  const server = spawn(process.execPath, [join(folder, "dist", "server.js"), "--stdio"]);
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  const published = new Promise((done) =>
    connection.onNotification("textDocument/publishDiagnostics", ({ diagnostics }) => done(diagnostics)),
  );
  connection.listen();
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  const textDocument = { uri: "file:///a.invariants.yaml", languageId: "yaml", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const diagnostics = await published;
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
  return diagnostics;
}

npm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
npm("run", "--silent", "package");
const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const file = join(folder, `${name}-${version}.vsix`);
if (!existsSync(file)) throw new Error(`${file} was not written`);
const bytes = readFileSync(file).length;
if (bytes > MOST_BYTES) throw new Error(`${file} has ${String(bytes)} bytes; it may have ${String(MOST_BYTES)}`);
const found = await findingsOf("invariants: [{ name: a, must: block, requests: http.hots eq 1 }]");
const names = found.map(({ code }) => code);
if (!names.includes("unknown-field")) throw new Error(`the packed server found ${JSON.stringify(found)}`);
console.log(`${name}-${version}.vsix: ${String(Math.round(bytes / 1000))} kB; its server answers`);
