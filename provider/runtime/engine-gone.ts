import { connect } from "node:net";
import type { Readable } from "node:stream";

/** When to look again while the engine answers, although nothing can be heard of it: soon, then ever less often. */
const SOON_MS = 50;
const LATER_MS = 5000;

/**
 * Tells when the engine is gone without a word, as after `kill -9`. The engine holds the other end of this process's
 * standard input for as long as it lives, on every system and through the shell that starts the host; its end is the sign
 * to look, and the proof is that nobody listens at the engine's address any more, which may be a moment later: the system
 * closes what a killed process held in an order of its own. A process that was started without such an input looks from
 * time to time. Neither keeps the process alive.
 */
export function whenEngineIsGone(address: string, input: Readable & { unref?: () => void }, onGone: () => void): void {
  const lookIn = (waitMs: number): void => {
    setTimeout(() => {
      look(Math.min(2 * waitMs, LATER_MS));
    }, waitMs).unref();
  };
  const look = (nextMs: number): void => {
    isListening(address, (listening) => {
      if (listening) lookIn(nextMs);
      else onGone();
    });
  };
  const begin = (): void => {
    look(SOON_MS);
  };
  input.once("end", begin);
  input.once("error", begin);
  input.resume();
  input.unref?.();
}

/** Whether somebody listens at an address such as `127.0.0.1:4242`. Only a refusal says that nobody does. */
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
