import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { cli, root } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

/* The page is run as it is written: its programs, its commands, and what they print. WRITE_PAGE=1 writes their output into it. */

const file = join(root, "docs", "from-idea-to-blocking.md");
const page = readFileSync(file, "utf8");
const ZONE = "shop.example.com";

interface Block {
  readonly language: string;
  readonly text: string;
}
const blocks = [...page.matchAll(/^```(ts|sh|text)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]): Block => ({
  language,
  text,
}));

/** Yesterday's log: every tenth request is for XML-RPC, and every tenth of these is by the app of an editor. */
const log = Array.from({ length: 400 }, (_, index) => {
  const [isXmlrpc, isApp] = [index % 10 === 3, index % 100 === 13];
  return JSON.stringify({
    ClientIP: `203.0.113.${String(index % 250)}`,
    ClientRequestHost: ZONE,
    ClientRequestMethod: isXmlrpc ? "POST" : "GET",
    ClientRequestURI: isXmlrpc ? `/xmlrpc.php${isApp ? "?for=app" : ""}` : `/products/${String(index)}`,
    EdgeStartTimestamp: 1_790_000_000 + index * 200,
  });
});

/** The words of a command, without the quotes of the shell. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|\S+/g)].slice(1).map(([word = ""]) => word.replaceAll("'", ""));

let emulator: Emulator;
let project: ProjectStack;
beforeAll(async () => {
  emulator = await emulatorWith({ seed: { zones: [{ name: ZONE }] } });
  project = new ProjectStack();
  project.checksTypes = false;
  project.write("Pulumi.yaml", "name: week\nruntime: nodejs\n");
  project.write("requests.ndjson", log.join("\n"));
  await project.init(emulator.url);
  await project.mustRun("config", "set", "zoneId", await new Service(emulator).zoneNamed(ZONE));
});

/** Runs a line of the page, and returns what it prints. */
async function run(line: string): Promise<string> {
  // The page has shown the preview.
  if (/^pulumi up\b/.test(line)) return project.mustRun("up", "--skip-preview");
  if (line.startsWith("pulumi ")) return project.mustRun(...wordsOf(line));
  const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
  const { code, stdout, stderr } = await cli(wordsOf(line.replace(/^npx /, "")), env, project.folder);
  expect({ code, stderr: stderr.replace("Using the stack dev, the only one with settings.\n", "") }).toEqual({
    code: 0,
    stderr: "",
  });
  return stdout;
}

test("every program, command and output of the page is as it says", async () => {
  const printed: string[] = [];
  let [replayed, previewed] = ["", ""];
  for (const { language, text } of blocks) {
    if (language === "ts") project.write("index.ts", text);
    if (language === "sh")
      for (const line of text.trim().split("\n")) {
        const output = await run(line);
        if (line.includes(" rules replay ")) replayed = output;
        previewed = line === "pulumi preview" ? output : "";
      }
    if (language !== "text") continue;
    const [step = ""] = /rule "No XML-RPC": .*\n/.exec(previewed) ?? [];
    printed.push(previewed === "" ? replayed : step);
  }
  if (process.env.WRITE_PAGE !== undefined) {
    let at = 0;
    writeFileSync(
      file,
      page.replace(/^```text\n[^]*?^```$/gm, () => `\`\`\`text\n${printed[at++] ?? ""}\`\`\``),
    );
  }
  expect(blocks.filter(({ language }) => language === "text").map(({ text }) => text)).toEqual(printed);
  expect(printed).toHaveLength(7);
  const [rule, ...others] = (await new Service(emulator).entrypoint(await zoneId(), PHASE))?.rules ?? [];
  expect(others).toEqual([]);
  expect(rule).toMatchObject({ ref: "no-xmlrpc", action: "block", version: "4" });
  const bare = project.read("index.ts").replace(/staged\((.*), \{ stage \}\)\]/, "$1]");
  project.write("index.ts", bare);
  expect(bare).not.toContain("[staged(");
  expect(await project.mustRun("up", "--skip-preview")).toMatch(/2 unchanged/);
});

const PHASE = "http_request_firewall_custom";
const zoneId = (): Promise<string> => new Service(emulator).zoneNamed(ZONE);
