import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { connect } from "../../tools/cli/connect.js";
import { createProgram } from "../../tools/cli/program.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import type { Emulator, Seed } from "../../emulator/index.js";
import { mapValues } from "../../core/model/json.js";
import { NoAnswer } from "../../tools/rules-files/no-answer.js";
import { Service, TOKEN } from "../support/emulator.js";
import {
  ADMIN,
  CONDITIONS,
  FIREWALL,
  OLD_ZONE,
  OTHER_ZONE,
  textOf,
  ZONE,
  type Call,
  type Made,
} from "./gate-conditions/conditions.js";
import { FLEET } from "./gate-conditions/fleet.js";
import { make } from "./gate-conditions/made.js";
import { READING } from "./gate-conditions/reading.js";
import { RULES } from "./gate-conditions/rules.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/*
 * Every gate under the same conditions. None of them may end with 0: a gate that passes what it could not judge is none.
 */

const SUBJECTS = [...RULES, ...READING, ...FLEET];

let emulator: Emulator;
let service: Service;
const NOTHING: Made = { url: "", part: "", state: "", plan: () => ({}) };
let made = NOTHING;
const seed: Seed = {
  zones: [
    { name: "shop.test", id: ZONE, plan: "enterprise" },
    { name: "other.test", id: OTHER_ZONE, plan: "enterprise" },
    { name: "old.test", id: OLD_ZONE, plan: "enterprise", previousWaf: {} },
  ],
  tokens: [{ value: TOKEN }],
};
beforeAll(async () => {
  emulator = await emulatorWith({ seed });
  service = new Service(emulator);
  const rules = [{ ref: "admin", action: "block", expression: ADMIN }];
  for (const zone of [ZONE, OTHER_ZONE])
    await service.create(`zones/${zone}`, { name: "x", kind: "zone", phase: FIREWALL, rules });
  made = await make(emulator, async (call) => {
    const { code, text } = await run(call);
    if (code !== 0) throw new Error(text);
    return text;
  });
});

/** Commands end with an error instead of ending this process, and print nothing. */
function quiet(command: Command): Command {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  command.commands.forEach(quiet);
  return command;
}

const own = { version: "1.2.3", engines: { node: "22" }, peerDependencies: { "@pulumi/pulumi": "3" } };

/** Runs a command in this process, and returns its exit code and what it says. */
async function run({ args, files = {}, env = {}, faults = [] }: Call): Promise<{ code: number; text: string }> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const text = textOf(content, made);
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  const path = (text: string): string => (text.startsWith("@") ? join(folder, text.slice(1)) : text);
  const { RULESETS_BASE_URL: url = emulator.url, RULESETS_API_TOKEN = TOKEN, ...more } = env;
  const origin = new URL(emulator.url).origin;
  const variables = { RULESETS_BASE_URL: url === "@origin" ? origin : url, RULESETS_API_TOKEN, ...more };
  for (const fault of faults) await service.fault(fault);
  const before = process.env;
  process.env = { PATH: before.PATH, ...mapValues(variables, path) };
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  const program = quiet(
    createProgram({
      ...{ own, print, printNote: print, columns: undefined, progress: () => NO_PROGRESS },
      config: () => () => undefined,
      connect: ({ stack: _, ...given }, connection) =>
        connect({ requestsPerSecond: "1000", ...given }, variables, print, { ...connection, maxRetries: 0 }),
      openSession: () => {
        throw new Error("a gate writes nothing");
      },
    }),
  );
  try {
    await program.parseAsync(args.map(path), { from: "user" });
    return { code: Number(process.exitCode ?? 0), text: printed.join("\n") };
  } catch (error) {
    return { code: error instanceof NoAnswer ? 3 : 1, text: String(error) };
  } finally {
    process.exitCode = undefined;
    process.env = before;
    await service.noFaults();
  }
}

test("every gate of the page on CI is tried, and no other one", () => {
  const names = Array.from(readFileSync("docs/ci.md", "utf8").matchAll(/^\| `(.*?)` \|/gm), ([, name = ""]) => name);
  expect(SUBJECTS.map(({ gate }) => gate).sort()).toEqual([...names].sort());
});

describe.each(SUBJECTS.map((subject) => [subject.gate, subject] as const))("%s", (_gate, { good, cases }) => {
  test("passes where nothing is wrong", async () => {
    expect(await run(good)).toMatchObject({ code: 0 });
  });

  test.each(CONDITIONS.filter((name) => !("none" in cases[name])))("does not pass: %s", async (name) => {
    const call = cases[name];
    if ("none" in call) throw new Error(call.none);
    expect(await run(call)).not.toMatchObject({ code: 0 });
  });
});
