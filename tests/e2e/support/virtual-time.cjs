// Preloaded into the provider process, so that its waits take no time: a wait of the package's clock moves the time of the
// process and of the emulator instead. Every other timer, such as those of gRPC, runs as usual.
const { subscribe } = require("node:diagnostics_channel");
const { setImmediate: turn } = require("node:timers/promises");

/** Shorter waits take real time. */
const LONG_MS = 500;
/** In a stack trace, which may name the source instead of the compiled file. */
const PACKAGE_CLOCK = /[\\/]client[\\/]http[\\/]clock\.[jt]s/;
const emulatorClock = process.env.E2E_SERVICE.replace("/client/v4", "/__emulator/clock");

const RealDate = Date;
const setRealTimeout = setTimeout;
const sleepers = [];
let offset = 0;
let isMoving = false;
/** Requests to the service without a complete response. */
let underWay = 0;

subscribe("http.client.request.start", ({ request }) => {
  underWay += 1;
  request.once("close", () => {
    underWay -= 1;
  });
});

const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

globalThis.setTimeout = Object.defineProperties((work, ms, ...given) => {
  if (!(ms >= LONG_MS) || !PACKAGE_CLOCK.test(new Error().stack)) return setRealTimeout(work, ms, ...given);
  sleepers.push({ at: now() + ms, wake: () => work(...given) });
  void moveTime();
}, Object.getOwnPropertyDescriptors(setRealTimeout));

/** Wakes one sleeper after another, each at its time. */
async function moveTime() {
  if (isMoving) return;
  isMoving = true;
  while (sleepers.length > 0) {
    // What can run now runs before time passes.
    do await turn();
    while (underWay > 0);
    const [next] = sleepers.sort((one, other) => one.at - other.at);
    const ms = next.at - now();
    if (ms > 0) {
      // The service first: it must never see a request before its window begins.
      await advanceEmulator(ms);
      offset += ms;
    }
    sleepers.splice(sleepers.indexOf(next), 1);
    next.wake();
  }
  isMoving = false;
}

async function advanceEmulator(ms) {
  const response = await fetch(emulatorClock, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ advanceSeconds: ms / 1000 }),
  });
  if (!response.ok) throw new Error(await response.text());
}
