import { late } from "../../core/model/late.js";

/** Loaded only for a terminal. */
const loadBars = late<typeof import("cli-progress")>(() => require("cli-progress"));

/** Reports each zone that is done, and the progress of a long run. */
export interface Progress {
  start(total: number): void;
  step(name: string): void;
  stop(): void;
  /** Prints a line that stays. */
  readonly note: (line: string) => void;
  /** Prints the progress of a long run where no bar is shown. */
  readonly far: (line: string) => void;
}

/** Progress as log lines, for long runs only. */
export function plainProgress(note: (line: string) => void): Progress {
  return { start: () => undefined, step: () => undefined, stop: () => undefined, note, far: note };
}

/** A progress bar on standard error if it is a terminal; otherwise lines, and only when a run has to wait. */
export function progressBar(
  stream: NodeJS.WriteStream,
  { TERM }: Readonly<Record<string, string | undefined>>,
): Progress {
  if (!stream.isTTY || TERM === "dumb") return plainProgress((line) => stream.write(`${line}\n`));
  const { SingleBar, Presets } = loadBars();
  const bar = new SingleBar(
    {
      stream,
      format: "{bar} {value}/{total} zones, {eta_formatted} to go  {zone}",
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  return {
    start: (total) => {
      bar.start(total, 0, { zone: "" });
    },
    step: (zone) => {
      bar.increment(1, { zone });
    },
    stop: () => {
      bar.stop();
    },
    note: (line) => {
      stream.write(`\r\u001b[K${line}\n`);
    },
    far: () => undefined,
  };
}
