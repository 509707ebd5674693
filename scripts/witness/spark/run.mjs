// Runs examples/replay-on-spark on a Spark cluster on loopback, with a master and two workers, and compares the merged result with
// that of one local run: `npm run check-spark`. Needs Python and Java 17 or newer; installs pyspark once, into a cache.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const PYSPARK = "4.3.0";
const HOST = "127.0.0.1";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const main = join(root, "dist", "tools", "cli", "main.js");
const cache = join(homedir(), ".cache", "pulumi-rulesets", `pyspark-${PYSPARK}`);
const python = join(cache, "bin", "python");
const execute = promisify(execFile);

async function install() {
  if (existsSync(join(cache, "installed"))) return;
  console.log(`installing pyspark ${PYSPARK} into ${cache}`);
  await execute("python3", ["-m", "venv", "--clear", cache]);
  await execute(python, ["-m", "pip", "install", "--quiet", `pyspark==${PYSPARK}`], { maxBuffer: 1e8 });
  writeFileSync(join(cache, "installed"), "");
}

const ENVIRONMENT = { PYSPARK_PYTHON: python, SPARK_LOCAL_IP: HOST, SPARK_NO_DAEMONIZE: "1" };
const daemons = [];
/** Starts a part of the cluster, and waits until it says that it is ready. */
async function start(spark, folder, ready, ...args) {
  const env = { ...process.env, ...ENVIRONMENT, SPARK_HOME: spark };
  const daemon = spawn(join(spark, "bin", "spark-class"), args, { cwd: folder, env, detached: true });
  daemons.push(daemon);
  let log = "";
  await new Promise((done, fail) => {
    const read = (text) => {
      log += text;
      if (log.includes(ready)) done();
    };
    daemon.stdout.on("data", read);
    daemon.stderr.on("data", read);
    daemon.on("exit", () => fail(new Error(log)));
  });
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, HOST, done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const rules = (limit) => [
  {
    kind: "zone",
    phase: "http_request_firewall_custom",
    rules: [
      { ref: "bots", action: "block", expression: `cf.bot_management.score lt ${String(limit)}` },
      { ref: "some", action: "managed_challenge", expression: "hash_in_range(0, 100, cf.random_seed) lt 10" },
    ],
  },
];
const line = (index) =>
  JSON.stringify({
    RayID: (index * 7919).toString(16),
    ClientIP: `203.0.113.${String(index % 250)}`,
    ClientRequestHost: "shop.example.com",
    ClientRequestURI: `/products/${String(index % 400)}`,
    BotScore: 1 + (index % 99),
  });

async function run(folder) {
  const logs = join(folder, "logs");
  mkdirSync(logs);
  for (let file = 0; file < 8; file += 1) {
    const text = Array.from({ length: 5000 }, (_, index) => line(file * 5000 + index)).join("\n");
    writeFileSync(join(logs, `${String(file)}.log.gz`), gzipSync(text));
  }
  const written = ["before", "after"].flatMap((name, index) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(rules(10 + index * 5)));
    return [`--${name}`, file];
  });
  const saved = join(folder, "rules");
  await execute(process.execPath, [main, "rules", "replay", ...written, "--save-rules", saved]);
  const versions = ["before", "after"].flatMap((name) => [`--${name}`, join(saved, `${name}.json`)]);
  const local = await execute(process.execPath, [main, "rules", "replay", logs, ...versions]);

  const { stdout } = await execute(python, ["-c", "import pyspark; print(pyspark.__path__[0])"]);
  const spark = stdout.trim();
  const url = `spark://${HOST}:${String(await freePort())}`;
  const port = url.split(":").at(-1);
  const started = performance.now();
  const own = ["--host", HOST, "--webui-port", "0"];
  await start(spark, folder, "I have been elected leader", "org.apache.spark.deploy.master.Master", ...own, "--port", port);
  const worker = ["org.apache.spark.deploy.worker.Worker", ...own, "--cores", "1", "--memory", "1g"];
  for (const name of ["one", "two"])
    await start(spark, folder, "Successfully registered with master", ...worker, "--work-dir", join(folder, name), url);
  const command = `${process.execPath} ${main}`;
  const settings = ["spark.executor.memory=512m", "spark.executor.cores=1", "spark.ui.enabled=false"];
  const submit = ["--master", url, ...settings.flatMap((setting) => ["--conf", setting])];
  const program = join(root, "examples", "replay-on-spark", "replay.py");
  const env = { ...process.env, ...ENVIRONMENT, SPARK_HOME: spark };
  const args = [...submit, program, "--logs", logs, ...versions, "--command", command];
  const merged = await execute(join(spark, "bin", "spark-submit"), args, { env, maxBuffer: 1e8 });
  const used = ["one", "two"].filter((name) => existsSync(join(folder, name)));
  if (merged.stdout !== local.stdout)
    throw new Error(`the merged result differs:\n${merged.stdout}\nfrom the local one:\n${local.stdout}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${local.stdout.split("\n")[0]}: the same on Spark, by ${String(used.length)} workers (${String(seconds)} s)`);
}

await install();
const folder = mkdtempSync(join(tmpdir(), "spark-"));
try {
  await run(folder);
} finally {
  for (const { pid } of daemons) {
    try {
      process.kill(-pid);
    } catch {
      // It has ended by itself.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
