import { connect } from "node:net";
import type { Readable } from "node:stream";

/** First and longest delay before checking again while the engine still listens. */
const SOON_MS = 50;
const LATER_MS = 5000;

/**
 * Detects that the engine is gone, for example after `kill -9`. The engine keeps the other end of this process's standard
 * input open as long as it lives, on every operating system and through the shell that starts the host. When the input ends,
 * this checks whether anything still listens at the engine's address. It may for a moment, because the system closes the
 * files of a killed process in any order, so the check is repeated. A process that was started without an open input repeats
 * the check in the same way. None of this keeps the process alive.
 */
export function whenEngineIsGone(address: string, input: Readable & { unref?: () => void }, onGone: () => void): void {
  const checkIn = (waitMs: number): void => {
    setTimeout(() => {
      check(Math.min(2 * waitMs, LATER_MS));
    }, waitMs).unref();
  };
  const check = (nextMs: number): void => {
    isListening(address, (listening) => {
      if (listening) checkIn(nextMs);
      else onGone();
    });
  };
  const begin = (): void => {
    check(SOON_MS);
  };
  input.once("end", begin);
  input.once("error", begin);
  input.resume();
  input.unref?.();
}

/** Whether a process listens at an address such as `127.0.0.1:4242`. Only a refused connection counts as no. */
function isListening(address: string, onResult: (listening: boolean) => void): void {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.unref();
  socket.once("connect", () => {
    socket.destroy();
    onResult(true);
  });
  socket.once("error", (error: NodeJS.ErrnoException) => {
    onResult(error.code !== "ECONNREFUSED");
  });
}
