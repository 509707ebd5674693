// Packs the package, installs it into empty infra repositories as a user would, and runs `pulumi up` there against the
// emulator of the installed package: pnpm, yarn and bun, and npm as docs/getting-started.md says; Node 22 and 24; CommonJS, ES modules
// and TypeScript; one project and a workspace; the lowest SDK and the newest.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineEnvironment, run, startEmulator } from "./install/commands.mjs";
import { writeInfraRepo } from "./install/infra-repo.mjs";
import { ensureLanguageHost, ensurePulumi } from "./pulumi-cli.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
const manifest = readJson("package.json");
const NEWEST_SDK = readJson("node_modules", "@pulumi", "pulumi", "package.json").version;
const OLDEST_SDK = manifest.peerDependencies["@pulumi/pulumi"].replace("^", "");
const TOKEN = "any-token-will-do";
const OTHER_NODE = "24.9.0";
const PROJECT = { language: "typescript", workspace: false, sdk: NEWEST_SDK };
const WORKSPACE = { language: "typescript", workspace: true, sdk: OLDEST_SDK };
const PLAIN = { language: "commonjs", workspace: false, sdk: OLDEST_SDK };
const yarn = ["npx", "--yes", "--package", "@yarnpkg/cli-dist@4.18.1", "yarn"];
const bun = ["npx", "--yes", "bun@1.4.5"];
/** For npm: nothing asks the registry again for what is in the cache. */
const QUICK = { npm_config_prefer_offline: "true", npm_config_audit: "false" };
/** And nothing is built again while somebody else reads it. */
const UNBUILT = { ...QUICK, npm_config_ignore_scripts: "true" };
/** A package manager such as bun is installed by a script of its own. */
const BUILT = { ...QUICK, npm_config_ignore_scripts: "false" };
/** Each with its repository, and whether it and the engine run on the other version of Node. */
const MANAGERS = {
  pnpm: {
    add: ["npx", "--yes", "pnpm@12.21.0", "add"],
    exec: ["npx", "--yes", "pnpm@12.21.0", "exec"],
    onOther: true,
    repo: WORKSPACE,
  },
  yarn: { add: [...yarn, "add"], exec: [...yarn, "run"], onOther: true, repo: PLAIN },
  bun: { add: [...bun, "add"], exec: [...bun, "x", "--no-install"], repo: PROJECT },
};

/** The zone of all programs. */
const ZONE = { id: "5".repeat(32), name: "shop.example.com", plan: "enterprise" };

const print = (line) => process.stdout.write(`${line}\n`);

/** What docs/getting-started.md says for an empty repository: the commands, and the programs as a CommonJS and an ES module. */
function readSetup() {
  const [, section = ""] = readFileSync(join(root, "docs", "getting-started.md"), "utf8").split(
    "\n## Install in an existing project\n",
  );
  const blocks = (language) => [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  const [[, commands] = []] = blocks("sh");
  const [[, program] = [], [, moduleProgram] = []] = blocks("ts");
  const [, toModule] = /`(npm pkg set type=module)`/.exec(section) ?? [];
  const setup = { commands, program, moduleProgram, toModule };
  const missing = Object.keys(setup).filter((name) => setup[name] === undefined);
  if (missing.length > 0) throw new Error(`docs/getting-started.md does not contain the set-up: ${missing.join(", ")}`);
  return setup;
}

/** Does what that page says, in an empty folder, with its very commands and programs. */
async function checkReadme({ commands, program, moduleProgram, toModule }, { folder, seed }) {
  const started = Date.now();
  const place = join(folder, "readme");
  mkdirSync(place);
  const env = { ...engineEnvironment(mkdtempSync(join(folder, "readme-state-"))), ...UNBUILT };
  const replacements = { "<your repository>": place, "<token>": TOKEN, "<zone id>": ZONE.id };
  const script = Object.entries(replacements).reduce((text, [name, value]) => text.replaceAll(name, value), commands);
  await run(root, ["bash", "-euc", script], env);
  await checkNames(place);
  await checkPlugin(place);
  const emulator = await startEmulator(place, ["npx", "--no-install", "pulumi-rulesets", "emulator", "--seed", seed]);
  const pulumi = (...args) =>
    run(place, ["pulumi", ...args, "--non-interactive"], {
      ...env,
      RULESETS_BASE_URL: emulator.url,
      RULESETS_API_TOKEN: TOKEN,
    });
  try {
    writeFileSync(join(place, "index.ts"), program);
    await pulumi("up", "--yes", "--skip-preview");
    await run(place, ["bash", "-euc", toModule]);
    writeFileSync(join(place, "index.ts"), moduleProgram);
    await pulumi("up", "--yes", "--skip-preview");
    const { rules } = await read(
      emulator.url,
      `/zones/${ZONE.id}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    );
    if (rules.length !== 1)
      throw new Error(`the program of docs/getting-started.md deployed ${String(rules.length)} rules`);
    await pulumi("destroy", "--yes", "--skip-preview");
  } finally {
    emulator.stop();
  }
  print(
    `docs/getting-started.md: installed in an empty folder; up, up as an ES module, destroyed (${String(Math.round((Date.now() - started) / 1000))} s)`,
  );
}

async function pack(folder) {
  const printed = await run(root, ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(printed);
  print(`${filename}: ${String(files.length)} files, ${String(Math.round(size / 1000))} kB`);
  const odd = files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/\.(js|json|d\.ts|md|png|svg|css)$|^LICENSE$|^(plugin|examples\/templates)\/|\/pulumi-resource-rulesets\./.test(
          path,
        ),
    );
  if (odd.length > 0) throw new Error(`the package contains files that are not needed:\n${odd.join("\n")}`);
  const tarball = join(folder, filename);
  // The command of the plugin needs none of the dependencies.
  await run(folder, ["tar", "-xzf", tarball]);
  await servesSchema(folder, "./package/dist/provider/border/grpc/command.js");
  return { tarball, megabytes: unpackedSize / 1e6 };
}

/** What an installation may bring. */
const MOST = { packages: 110, megabytes: 45 };

/** Checks how much an installation brings, besides the SDK: this package, and what it needs of what is installed here. */
async function checkSize(own) {
  const needed = Object.entries(readJson("package-lock.json").packages).flatMap(([path, { dev, peer, link }]) =>
    path === "" || dev === true || peer === true || link === true ? [] : path,
  );
  const total = (await run(root, ["du", "-cm", ...needed])).trim().split("\n").at(-1);
  const size = Number(total.split("\t")[0]) + own;
  const listed = needed.length + 1;
  print(`installed without @pulumi/pulumi: ${String(listed)} packages, ${String(Math.round(size))} MB`);
  if (listed > MOST.packages || size > MOST.megabytes)
    throw new Error(`an installation may bring ${String(MOST.packages)} packages, ${String(MOST.megabytes)} MB`);
}

/** The environment in which commands run on another version of Node. */
async function otherNode(folder) {
  const place = join(folder, "other-node");
  mkdirSync(place);
  const name = `node-${process.platform}-${process.arch}`;
  await run(place, ["npm", "install", "--prefix", place, `${name}@${OTHER_NODE}`], QUICK);
  return { PATH: `${join(place, "node_modules", name, "bin")}${delimiter}${process.env.PATH}` };
}

async function read(url, path) {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return (await response.json()).result;
}

/** Checks that every entry point exports the same names to ES modules as to CommonJS modules. */
async function checkNames(project) {
  const entries = Object.keys(manifest.exports).filter((path) => !path.endsWith(".json"));
  const source = `
    import { createRequire } from "node:module";
    const require = createRequire(process.cwd() + "/");
    for (const name of ${JSON.stringify(entries.map((path) => path.replace(".", manifest.name)))}) {
      const named = new Set(Object.keys(await import(name)));
      const missing = Object.keys(require(name)).filter((key) => !named.has(key));
      if (missing.length > 0) throw new Error(name + " does not export to ES modules: " + missing.join(", "));
    }`;
  await run(project, ["node", "--input-type=module", "--eval", source]);
}

/** Checks that a command of the plugin starts, and answers. */
const servesSchema = (folder, command) =>
  run(folder, ["pulumi", "package", "get-schema", command], engineEnvironment(folder));

/** Checks that the installed plugin starts, where templates look for it: its command, and the folder for `pulumi install`. */
async function checkPlugin(project) {
  await servesSchema(project, "./node_modules/.bin/pulumi-resource-rulesets");
  await run(project, ["node", "--eval", "require.resolve('./node_modules/pulumi-rulesets/plugin')"]);
}

/** Deploys the program's rules with plain `pulumi` commands. The rest of their life is what `checkReadme` shows. */
async function runStack(project, { url, node }) {
  const env = { ...engineEnvironment(mkdtempSync(join(project, ".pulumi-"))), ...node };
  const pulumi = (...args) => run(project, ["pulumi", ...args, "--non-interactive"], env);
  await pulumi("stack", "init", "dev");
  const plain = [`rulesets:baseUrl=${url}`, `zoneId=${ZONE.id}`].flatMap((pair) => ["--plaintext", pair]);
  await pulumi("config", "set-all", ...plain, "--secret", `rulesets:apiToken=${TOKEN}`);
  await pulumi("up", "--skip-preview");
  const { rules = [] } = await read(url, `/zones/${ZONE.id}/rulesets/phases/http_request_firewall_custom/entrypoint`);
  if (rules.length === 0) throw new Error(`pulumi up created no rules in ${project}`);
}

/** Installs the tarball into a repository with one package manager, and runs a stack there. */
async function checkManager(manager, { folder, tarball, program, seed, other }) {
  const { add, exec, onOther = false, repo } = MANAGERS[manager];
  const started = Date.now();
  const node = onOther ? await other : {};
  const { project, file } = writeInfraRepo({ ...repo, manager, folder: join(folder, manager), tarball, program });
  await run(project, [...add, file], { ...BUILT, ...node });
  const emulator = await startEmulator(project, [...exec, "pulumi-rulesets", "emulator", "--seed", seed], node);
  try {
    await runStack(project, { url: emulator.url, node });
  } finally {
    emulator.stop();
  }
  const name = `${manager} on Node ${onOther ? OTHER_NODE : process.versions.node}, ${repo.language}${repo.workspace ? " in a workspace" : ""}, @pulumi/pulumi ${repo.sdk}`;
  print(`${name}: installed; up (${String(Math.round((Date.now() - started) / 1000))} s)`);
}

async function main() {
  print(`engine: pulumi ${await ensurePulumi(print)}`);
  print(`language host: ${ensureLanguageHost()}`);
  const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-install-"));
  try {
    const seed = join(folder, "seed.json");
    writeFileSync(seed, JSON.stringify({ zones: [ZONE] }));
    const setup = readSetup();
    const { tarball, megabytes } = await pack(folder);
    const shared = { folder, tarball, program: setup.program, seed, other: otherNode(folder) };
    const results = await Promise.allSettled([
      checkSize(megabytes),
      checkReadme(setup, { folder, seed }),
      ...Object.keys(MANAGERS).map((manager) => checkManager(manager, shared)),
    ]);
    const failed = results.find(({ status }) => status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`check-install: ${error.message}\n`);
  process.exit(1);
});
