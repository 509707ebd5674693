import { createServer, type AddressInfo, type Server } from "node:net";
import { PassThrough } from "node:stream";
import { whenEngineIsGone } from "../../../provider/border/engine-gone.js";

const engine = async (): Promise<{ server: Server; address: string }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `127.0.0.1:${String((server.address() as AddressInfo).port)}` };
};
const close = (server: Server) => new Promise((resolve) => server.close(resolve));

test("the engine is gone when the input ends and its address refuses connections", async () => {
  const { server, address } = await engine();
  await close(server);
  const input = new PassThrough();
  const gone = new Promise<void>((resolve) => {
    whenEngineIsGone(address, input, resolve);
  });
  input.write("whatever an engine may say");
  input.end();
  await gone;
});

test("an engine that closed the input but is still running is checked again, less and less often", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  const { server, address } = await engine();
  try {
    const seen = (): Promise<unknown> => new Promise((resolve) => server.once("connection", resolve));
    const timers = async (): Promise<void> => {
      while (jest.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    const onGone = jest.fn();
    const first = seen();
    const input = new PassThrough();
    const gone = new Promise<void>((resolve) => {
      whenEngineIsGone(address, input, () => {
        onGone();
        resolve();
      });
    });
    input.end();
    await first;
    await timers();
    for (const waitMs of [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
      const next = seen();
      await jest.advanceTimersByTimeAsync(waitMs);
      await next;
      await timers();
    }
    expect(onGone).not.toHaveBeenCalled();
    await close(server);
    await jest.advanceTimersByTimeAsync(5000);
    await gone;
  } finally {
    jest.useRealTimers();
    server.close();
  }
});
