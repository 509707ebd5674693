import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseDocument, type Document } from "yaml";
import type { StackNames } from "../../fleet/definition.js";
import type { ShardPlan } from "../../fleet/plan.js";
import type { RolledOut, ShardResult } from "../../fleet/results.js";
import { deleted, rolledOut, type StackState } from "../../fleet/rollback.js";
import { lockIn } from "./stack-lock.js";
import { parseDeletion } from "../../../provider/engine/plan-text.js";
import { readUserText } from "../../rules-files/text/read-file.js";
import { errorOf } from "../../../core/model/errors.js";
import { isObject, parseJson, textOf, type JsonObject, objectsIn } from "../../../core/model/json.js";
import type { Environment } from "../../../provider/settings.js";
import { findProject } from "../project/project.js";
import { replaceFile } from "../write-output.js";
import { failuresIn, parsePreview, type Diagnostic, type Preview } from "../summarize/preview.js";

/** The setting through which a program gets the zones of its shard. */
const ZONES_KEY = "fleet:zones";

export interface StackOptions {
  /** Folder of the program. */
  readonly folder: string;
  readonly stacks: StackNames;
  readonly env: Environment;
  /** The process of a run that was killed, which can have left a lock. */
  readonly killed?: ShardResult["process"];
  /** Told about each process of the engine. */
  readonly onStart?: (pid: number) => void;
}

/** What `pulumi up` did. */
interface UpResult {
  readonly ok: boolean;
  /** Resources that were created, updated, replaced or deleted. */
  readonly changed: number;
  /** What it wrote, with the versions of the rulesets. */
  readonly written: readonly RolledOut[];
  readonly errors: readonly Diagnostic[];
}

/** The stack of a shard, with the `pulumi` command. */
export class ShardStack {
  constructor(
    private readonly stack: Pick<ShardPlan, "stack" | "zones">,
    private readonly options: StackOptions,
  ) {}

  /** Creates the stack if there is none, and gives it its zones. */
  async prepare(): Promise<void> {
    const { folder, stacks } = this.options;
    const file = join(findProject(folder)?.settingsFolder ?? folder, `Pulumi.${this.stack.stack}.yaml`);
    if (stacks.settings !== undefined && !existsSync(file))
      replaceFile(file, readUserText(join(folder, stacks.settings)));
    const zones = JSON.stringify(this.stack.zones);
    const before = settingsIn(file);
    if (before.getIn(["config", ZONES_KEY]) === zones) return;
    // Without its provider, Pulumi would replace the key of the secrets that are in the settings.
    const provider = textOf(before.get("secretsprovider"));
    const keys = provider === "" ? [] : ["--secrets-provider", provider];
    const made = await this.run(["stack", "init", this.stack.stack, "--no-select", ...keys]);
    if (made.code !== 0 && !made.stderr.includes("already exists")) throw failed("stack init", made);
    const settings = settingsIn(file);
    settings.setIn(["config", ZONES_KEY], zones);
    replaceFile(file, settings.toString({ lineWidth: 0 }));
  }

  async preview(refresh = false): Promise<Preview> {
    const args = ["preview", "--json", "--stack", this.stack.stack, ...(refresh ? ["--refresh"] : [])];
    const result = await this.run(args);
    const at = result.stdout.indexOf("{");
    if (at === -1) throw failed("preview", result);
    let preview: Preview;
    try {
      preview = parsePreview(result.stdout.slice(at), `the preview of ${this.stack.stack}`);
    } catch (error) {
      // An engine that could not begin writes `{}`, and why elsewhere.
      throw result.code === 0 ? error : failed("preview", result);
    }
    if (result.code !== 0 && failuresIn(preview).length === 0) throw failed("preview", result);
    return preview;
  }

  async up(): Promise<UpResult> {
    const result = await this.runLocked(["up", "--yes", "--skip-preview", "--json"]);
    const events = result.stdout.split("\n").flatMap(eventIn);
    if (events.length === 0) throw failed("up", result);
    const changed = events.flatMap(({ resOutputsEvent: one }) => (isObject(one) ? changeIn(one.metadata) : []));
    const halted = events.flatMap(({ resOpFailedEvent: one }) => (isObject(one) ? changeIn(one.metadata) : []));
    const deletions = Map.groupBy(events.flatMap(deletionIn), ({ urn }) => urn);
    const versionsOf = (urn: unknown): readonly string[] =>
      (deletions.get(textOf(urn)) ?? []).map(({ version }) => version);
    // A delete that failed may have deleted some of its rules.
    const begun = halted.filter(({ op, urn }) => isDelete(op) && versionsOf(urn).length > 0);
    return {
      ok: result.code === 0,
      changed: new Set(changed.map(({ urn }) => urn)).size,
      written: [...changed, ...begun].flatMap((change) => writtenIn(change, versionsOf(change.urn))),
      errors: events.flatMap(({ diagnosticEvent: one }) =>
        isObject(one) && one.severity === "error"
          ? [{ urn: textOf(one.urn), severity: "error", message: textOf(one.message).trim() }]
          : [],
      ),
    };
  }

  /** Reads the state from the service again. */
  async refresh(): Promise<void> {
    const result = await this.runLocked(["refresh", "--yes", "--skip-preview"]);
    if (result.code !== 0) throw failed("refresh", result);
  }

  /** Runs a command that locks the stack. A lock is removed only if whoever has left it is gone. */
  private async runLocked(args: readonly string[]): Promise<CommandResult> {
    const { stack } = this.stack;
    const command = [...args, "--stack", stack];
    const result = await this.run(command);
    const lock = result.code === 0 ? "none" : lockIn(result.stderr, this.options.killed);
    if (lock === "none") return result;
    if (lock === "held")
      throw new Error(
        `something else is updating the stack ${stack}, such as another rollout: ${result.stderr.trim()}\n` +
          `To continue: wait until it has ended; if it no longer runs, \`pulumi cancel ${stack}\``,
      );
    await this.run(["cancel", "--yes", stack]);
    return this.run(command);
  }

  /** What is in the state, and what a killed run was writing; nothing without a stack. */
  async state(): Promise<StackState> {
    const result = await this.run(["stack", "export", "--stack", this.stack.stack]);
    if (result.code !== 0 && /no stack named/.test(result.stderr)) return { resources: [], pending: [] };
    if (result.code !== 0) throw failed("stack export", result);
    const { deployment } = JSON.parse(result.stdout) as { readonly deployment?: JsonObject };
    return {
      resources: objectsIn(deployment?.resources).map(({ urn, outputs }) => rolledOut(textOf(urn), outputs)),
      pending: objectsIn(deployment?.pending_operations).flatMap(({ resource }) =>
        isObject(resource) ? [textOf(resource.urn)] : [],
      ),
    };
  }

  private run(args: readonly string[]): Promise<CommandResult> {
    const { folder, env, onStart } = this.options;
    return new Promise((done, fail) => {
      const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
        cwd: folder,
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      // The engine finishes what it is writing, and keeps it in its state.
      const interrupt = (): void => void child.kill("SIGINT");
      process.on("SIGTERM", interrupt);
      const texts = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (part: string) => {
          texts[name] += part;
        });
      }
      child.on("error", (error: NodeJS.ErrnoException) => {
        process.off("SIGTERM", interrupt);
        fail(
          error.code === "ENOENT"
            ? new Error("`pulumi` is not on the PATH. To continue: install it")
            : (error as Error),
        );
      });
      child.on("close", (code) => {
        process.off("SIGTERM", interrupt);
        done({ code: code ?? 1, ...texts });
      });
      try {
        if (child.pid !== undefined) onStart?.(child.pid);
      } catch (error) {
        // Nobody would know of the process, and could run the shard beside it.
        child.kill("SIGINT");
        fail(errorOf(error));
      }
    });
  }
}

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function failed(command: string, { stderr }: CommandResult): Error {
  return new Error(`\`pulumi ${command}\` failed: ${stderr.trim()}`);
}

/** The settings of a stack; none without the file. */
function settingsIn(file: string): Document {
  return parseDocument(existsSync(file) ? readUserText(file) : "");
}

/** What the engine says of a resource that it has changed; empty for one that it has not, and for the stack itself. */
function changeIn(metadata: unknown): JsonObject[] {
  if (!isObject(metadata)) return [];
  const { type, op } = metadata;
  return type === "pulumi:pulumi:Stack" || op === "same" || op === "read" ? [] : [metadata];
}

/** What a change has written. Of a replacement, its two halves say it. */
function writtenIn({ op, urn, old: before, new: now }: JsonObject, deletions: readonly string[]): RolledOut[] {
  if (op === "replace") return [];
  if (isDelete(op)) return [deleted(textOf(urn), isObject(before) ? before.outputs : {}, deletions)];
  return isObject(now) ? [rolledOut(textOf(urn), now.outputs)] : [];
}

function isDelete(op: unknown): boolean {
  return textOf(op).startsWith("delete");
}

/** The version that a delete has made, if an event tells it. */
function deletionIn({ diagnosticEvent: one }: JsonObject): { readonly urn: string; readonly version: string }[] {
  if (!isObject(one) || one.ephemeral !== true) return [];
  const version = parseDeletion(textOf(one.message).trim())?.version;
  return version === undefined ? [] : [{ urn: textOf(one.urn), version }];
}

/** An event of the engine. Nothing else is on a line of its own as JSON. */
function eventIn(line: string): JsonObject[] {
  if (!line.startsWith('{"')) return [];
  const event = parseJson(line);
  return isObject(event) ? [event] : [];
}
