import { spawn, type ChildProcess } from "node:child_process";
import { DEFAULT_TIMEOUT } from "../../fleet/definition.js";
import { clean } from "../../../core/model/markdown.js";
import { formatDuration, formatNumber } from "../../../core/model/words.js";
import type { Environment } from "../../../provider/settings.js";
import { tokensIn, withoutTokens } from "./context.js";

/** How much of what a command prints is kept: its end. */
const KEPT = 2000;

/** A command of the user. */
interface OwnCommand {
  readonly command: string;
  /** After how many seconds it is ended. @default 600 */
  readonly timeout?: number | undefined;
  /** The folder of the fleet. */
  readonly folder: string;
  readonly env: Environment;
  /** For its standard input. */
  readonly input?: string;
  /** How many characters of its standard output are kept, beyond which it is ended. @default none are kept, and it may print any */
  readonly most?: number;
}

/** How a command has ended. */
interface Ended {
  /** Its exit code; undefined if something has ended it. */
  readonly code?: number;
  /** Why it was ended. */
  readonly why?: string;
  /** Whether it took too long. */
  readonly isLate?: true;
  /** The end of what it printed, on both streams, without control characters and tokens. */
  readonly printed: string;
  /** Its standard output, if that is kept. */
  readonly stdout: string;
}

/** What ends this process from outside ends its command first. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a command of the user in a shell. One that takes too long or prints too much is ended with all that it has started. */
export function runCommand({
  command,
  timeout = DEFAULT_TIMEOUT,
  folder,
  env,
  input = "",
  most,
}: OwnCommand): Promise<Ended> {
  return new Promise((done, fail) => {
    // A group of its own, which can be ended as a whole.
    const child = spawn(command, { shell: true, detached: true, cwd: folder, env: { ...env } });
    let printed = "";
    // What is cut off could be the beginning of a token, of which the rest would stay.
    const kept = KEPT + Math.max(0, ...tokensIn(env).map(({ length }) => length));
    const stdout: string[] = [];
    let length = 0;
    const streams = [child.stdout, child.stderr];
    const leave = (): void => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, pass);
    };
    const end = (ended: Omit<Ended, "printed" | "stdout">): void => {
      leave();
      const shown = withoutTokens(clean(printed), env).slice(-KEPT).trim();
      done({ ...ended, printed: shown, stdout: stdout.join("") });
    };
    const stop = (ended: Pick<Ended, "why" | "isLate">): void => {
      endGroup(child);
      for (const stream of streams) stream.destroy();
      end(ended);
    };
    const pass = (signal: NodeJS.Signals): void => {
      leave();
      endGroup(child);
      process.kill(process.pid, signal);
    };
    for (const stream of streams)
      stream.setEncoding("utf8").on("data", (part: string) => {
        printed = withoutTokens(printed + part, env).slice(-kept);
        if (most === undefined || stream === child.stderr) return;
        stdout.push(part);
        length += part.length;
        if (length > most) stop({ why: `it printed more than ${formatNumber(most)} characters, and was ended` });
      });
    const timer = setTimeout(() => {
      stop({ why: `it did not end within ${formatDuration(timeout * 1000)}, and was ended`, isLate: true });
    }, timeout * 1000);
    for (const signal of SIGNALS) process.on(signal, pass);
    child.on("error", (error) => {
      leave();
      fail(error);
    });
    child.on("close", (code, signal) => {
      end(code === null ? { why: `it was ended by ${signal ?? "a signal"}` } : { code });
    });
    // A command that does not read its input has closed it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** Ends a command and all that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
