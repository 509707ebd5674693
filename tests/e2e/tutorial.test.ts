import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../emulator/index.js";
import { root } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

/* The page is run as it is written, and what it shows is what its commands print. WRITE_PAGE=1 writes that into it. */

const file = join(root, "docs", "tutorial.md");
const page = readFileSync(file, "utf8");
const blocks = [...page.matchAll(/^```(ts|yaml|sh|text)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

/** What the page shows of the output of Pulumi: without the progress, and what the engine says of its own plugins. */
const ofPulumi = (output: string): string =>
  output
    .split(/\n\n+|\n(?=Diagnostics:)/)
    .map((part) => part.replace(/^Diagnostics:\n/, ""))
    .flatMap((part) => /^(Previewing|Updating|Destroying) .*:/.exec(part)?.[0] ?? part)
    .filter((part) => /^([A-Z][a-z]+ing .*:$|Resources:| +pulumi-nodejs:\S+ \(\w+\):)/.test(part))
    .join("\n\n");

/** What the page shows of an output. */
function shown(line: string, output: string): string {
  const text = line.startsWith("pulumi ") ? ofPulumi(output) : output.replace(/^> .*$/gm, "");
  const ids = text.replace(/(?<=\/rulesets\/)[0-9a-f]{32}/g, "<id>");
  return `${ids.replace(/^\n+|\n+$/g, "").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** The engine prints what resources report in the order in which it arrives. */
const sorted = (text: string): string[] => text.split("\n").sort();

describe("the tutorial", () => {
  let emulator: Emulator | undefined;
  const project = new ProjectStack({ PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  let folder = project.folder;

  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  /** Where the emulator of the test is, in place of where that of the page is; and the other way round. */
  const places = (): [string, string][] => [
    [new URL(emulator?.url ?? "http://x").origin, "http://127.0.0.1:8787"],
    [emulator?.edgeUrl ?? "http://x", "http://127.0.0.1:8788"],
  ];

  const shell = (script: string): Promise<string> =>
    new Promise((done) => {
      const env = { ...project.variables, NODE_NO_WARNINGS: "1" };
      execFile("bash", ["-c", script], { cwd: folder, env }, (_, stdout, stderr) => {
        done(`${stdout}${stderr}`);
      });
    });

  /**
   * Runs a line of the page. What installs and what stays in a second terminal is done here in another way, and secrets need no
   * passphrase, from which every command would derive a key.
   */
  async function run(line: string): Promise<string> {
    if (line.startsWith("cd ")) folder = join(folder, line.slice(3));
    else if (line === "npm install") symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    else if (line.startsWith("npm run emulator")) {
      emulator = await emulatorWith({ seed: JSON.parse(read("emulator.json")) as Seed, edge: {} });
      const settings = read("Pulumi.emulator.yaml");
      write("Pulumi.emulator.yaml", settings.replace("http://127.0.0.1:8787/client/v4", emulator.url));
    } else {
      const here = places()
        .reduce((text, [real, named]) => text.replace(named, real), line)
        .replace(/^pulumi stack init .*/, `$& --secrets-provider ${process.env.E2E_SECRETS_PROVIDER ?? "passphrase"}`);
      const output = await shell(
        here.replace("npx pulumi-rulesets", `node ${join(root, "dist", "tools", "cli", "main.js")}`),
      );
      const there = places().reduce((text, [real, named]) => text.replaceAll(real, named), output);
      // Headers end with a carriage return, which a terminal does not show.
      return there.replaceAll(folder, "/home/me/firewall").replaceAll("\r", "");
    }
    return "";
  }

  test("prints what its commands print", async () => {
    const printed: string[] = [];
    let [command, output] = ["", ""];
    for (const { language, text } of blocks) {
      if (language === "ts")
        write(
          "index.ts",
          read("index.ts").replace(/ {4}\{\n[^]*?\n {4}\},\n/, () => text),
        );
      if (language === "yaml" && !read("zones.invariants.yaml").includes(text))
        write("rules.firewall.yaml", `${read("rules.firewall.yaml")}${text}`);
      if (language === "sh") for (const line of text.trim().split("\n")) [command, output] = [line, await run(line)];
      if (language === "text") printed.push(shown(command, output));
    }
    if (process.env.WRITE_PAGE !== undefined) {
      let at = 0;
      writeFileSync(
        file,
        page.replace(/^```text\n[^]*?^```$/gm, () => `\`\`\`text\n${printed[at++] ?? ""}\`\`\``),
      );
    }
    const expected = blocks.filter(({ language }) => language === "text").map(({ text }) => text);
    expect(expected.map(sorted)).toEqual(printed.map(sorted));
    const zone = "0123456789abcdef0123456789abcdef";
    expect(emulator && (await new Service(emulator).rules(zone, "http_request_firewall_custom"))).toEqual([]);
  });
});
