/** Shorter waits are not reported. */
const LONG_MS = 10_000;

/** Reports long waits of a client, and only one of those of requests that wait for the same moment. */
export function longWaits(
  report: (text: string) => void,
  now: () => number = Date.now,
): (ms: number, reason: string) => void {
  let saidUntil = 0;
  return (ms, reason) => {
    const until = now() + ms;
    if (ms < LONG_MS || until < saidUntil + LONG_MS) return;
    saidUntil = until;
    report(`${String(Math.ceil(ms / 1000))} s ${reason}`);
  };
}
