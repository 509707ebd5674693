import { late } from "../../core/model/late.js";

/** Loaded only for a terminal. */
const loadBars = late<typeof import("cli-progress")>(() => require("cli-progress"));

/** Reports each zone that is done. */
export interface Progress {
  start(total: number): void;
  step(name: string): void;
  stop(): void;
}

export const NO_PROGRESS: Progress = { start: () => undefined, step: () => undefined, stop: () => undefined };

/** A progress bar on standard error, if it is a terminal. */
export function progressBar(
  stream: NodeJS.WriteStream,
  { TERM }: Readonly<Record<string, string | undefined>>,
): Progress {
  if (!stream.isTTY || TERM === "dumb") return NO_PROGRESS;
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
  };
}
