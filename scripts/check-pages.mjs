// Runs every line of each example's README in a clone, with plain `pulumi` commands and the emulator that the README starts.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineEnvironment, run, startEmulator } from "./install/commands.mjs";
import { ensureLanguageHost, ensurePulumi } from "./pulumi-cli.mjs";
import keys from "../tests/e2e/support/keys.cjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CONCURRENCY = 2;
/** The page whose `up` and `destroy` show a preview before: what the others see of it is in their lines with `pulumi preview`. */
const WITH_PREVIEWS = "quickstart";
/**
 * `npm run types` has checked the types of the programs, and seldom used libraries are loaded when they are used. What an installation
 * runs without these, and with a passphrase, is what `check-install` shows.
 */
const { E2E_SECRETS_PROVIDER, ...served } = await keys.serveKeys();
const FASTER = {
  ...served,
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODE_OPTIONS: `--require "${join(root, "tests", "e2e", "support", "load-late.cjs")}"`,
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
};
const print = (line) => process.stdout.write(`${line}\n`);

/** The lines of each shell block of a page. */
function shellBlocks(page) {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text.trim().split("\n"));
}

/** The lines to type after `npm ci` and `cd`, with placeholders replaced by what the emulator printed. */
function linesToType(name, [first, second, ...lines], [setting], { url, text }) {
  if (!first.startsWith("npm ci ") || second !== `cd examples/${name}`) {
    throw new Error(`the README of ${name} does not begin with \`npm ci\` and \`cd examples/${name}\``);
  }
  const printed = [...text.matchAll(/^ {2}(pulumi config set .*)$/gm)].map(([, line]) => line);
  const [, zone] = /^ {2}([0-9a-f]{32}) /m.exec(text) ?? [];
  const [, account] = /account ([0-9a-f]{32})$/m.exec(text) ?? [];
  const isPrinted = (line) => /^pulumi config set (--secret rulesets:apiToken|zoneId) /.test(line);
  const own = (line) =>
    line
      .replace("<token>", "any")
      .replace("<zone id>", zone)
      .replace("<account id>", account)
      .replace(/^pulumi stack init \S+/, `$& --secrets-provider ${E2E_SECRETS_PROVIDER}`);
  const address = setting?.[0].replace("http://127.0.0.1:8787/client/v4", url);
  const from = lines.findIndex(isPrinted);
  const typed =
    address === undefined
      ? lines.flatMap((line, index) => (index === from ? printed : isPrinted(line) ? [] : [own(line)]))
      : [address, ...lines.map(own)];
  return name === WITH_PREVIEWS
    ? typed
    : typed.map((line) => line.replace(/pulumi (up|destroy)\b/, "$& --skip-preview"));
}

/** Runs all lines in one shell. A line may exit with 0, or with 2 if one of this package's commands reports findings. */
function script(lines) {
  const guarded = lines.map((line) => {
    const allowed = line.startsWith("npx pulumi-rulesets") ? '[ "$code" = 2 ]' : "false";
    return `echo '$ ${line.replaceAll("'", "")}'; code=0\n${line}\ncode=$?; [ $code = 0 ] || ${allowed} || exit $code`;
  });
  return guarded.join("\n");
}

async function followReadme(name, clone) {
  const folder = join(clone, "examples", name);
  const [steps, [emulatorCommand], ...rest] = shellBlocks(readFileSync(join(folder, "README.md"), "utf8"));
  const state = join(clone, `state-${name}`);
  mkdirSync(state);
  const started = Date.now();
  const emulator = await startEmulator(folder, emulatorCommand.split(" "), FASTER);
  try {
    const lines = linesToType(name, steps, rest, emulator);
    await run(folder, ["bash", "-c", script(lines)], { ...engineEnvironment(state), ...FASTER });
    const seconds = String(Math.round((Date.now() - started) / 1000));
    print(`examples/${name}/README.md: ${String(lines.length)} lines followed (${seconds} s)`);
  } finally {
    emulator.stop();
  }
}

async function main() {
  print(`engine: pulumi ${await ensurePulumi(print)}`);
  print(`language host: ${ensureLanguageHost()}`);
  const clone = mkdtempSync(join(tmpdir(), "pulumi-rulesets-clone-"));
  try {
    const isExcluded = (path) => /node_modules|Pulumi\.[^/]+\.yaml$/.test(path.slice(root.length));
    cpSync(join(root, "examples"), join(clone, "examples"), { recursive: true, filter: (path) => !isExcluded(path) });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    // `check-languages`, `check-spark` and `test:fleet-temporal` run those that need other tools; a test of e2e/legacy follows
    // the page of page-rules, where somebody acts in the dashboard in between.
    const others = ["fleet-temporal", "languages", "page-rules", "replay-on-spark", "templates"];
    const isPage = (name) => !name.includes(".") && !others.includes(name);
    const waiting = readdirSync(join(clone, "examples")).filter(isPage);
    const worker = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await followReadme(name, clone);
    };
    const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
    const failed = results.find(({ status }) => status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`check-pages: ${error.message}\n`);
  process.exit(1);
});
