import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Group } from "../group.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { Fault, Faults } from "./faults.js";
import type { RequestLog } from "./request-log.js";
import type { Seed } from "../seed.js";
import type { Store } from "../store/store.js";
import { callOf, type ApiRequest } from "./api.js";

export interface Controls {
  readonly reset: (seed: Seed | undefined) => void;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly clock: EmulatorClock;
  readonly groups: readonly Group[];
  readonly store: Store;
}

const ok = { ok: true };

/** Moves the clock of the service forward. */
export function advanceClock({ store, clock }: Controls, seconds: number): void {
  store.transact(() => {
    clock.advance(seconds);
  });
}

/** Controls for tests, under `/__emulator/`. */
export function registerControls(app: FastifyInstance, controls: Controls): void {
  app.post("/reset", (request: FastifyRequest) => {
    const seed = request.body ?? {};
    const isEmpty = typeof seed === "object" && Object.keys(seed).length === 0;
    controls.reset(isEmpty ? undefined : seed);
    return ok;
  });
  app.get("/requests", () => controls.log.list());
  app.delete("/requests", () => {
    controls.log.clear();
    return ok;
  });
  app.get("/faults", () => controls.faults.list());
  app.post("/faults", (request: FastifyRequest) => {
    const sent = request.body;
    const faults = Array.isArray(sent) ? sent : [sent];
    for (const fault of faults) controls.faults.add(checkFault(fault));
    return ok;
  });
  app.delete("/faults", () => {
    controls.faults.clear();
    return ok;
  });
  for (const [method, url, operation] of controls.groups.flatMap((group) => group.controls ?? [])) {
    app.route({
      method,
      url,
      handler: (request) => controls.store.transact(() => operation(callOf(request as ApiRequest, controls.store))),
    });
  }
  app.get("/clock", () => ({ now: new Date(controls.clock.now()).toISOString() }));
  app.post("/clock", (request: FastifyRequest) => {
    const { now, advanceSeconds } = (request.body ?? {}) as { now?: unknown; advanceSeconds?: unknown };
    if (now !== undefined) {
      const time = typeof now === "number" ? now : Date.parse(typeof now === "string" ? now : "");
      if (Number.isNaN(time)) throw refuse(400, undefined, "now must be a time such as 2026-01-31T12:00:00Z");
      controls.store.transact(() => {
        controls.clock.set(time);
      });
    } else if (typeof advanceSeconds === "number") {
      advanceClock(controls, advanceSeconds);
    } else {
      throw refuse(400, undefined, "now or advanceSeconds is required");
    }
    return { now: new Date(controls.clock.now()).toISOString() };
  });
}

const FAULT_KEYS = new Set([
  "method",
  "path",
  "times",
  "status",
  "body",
  "headers",
  "messages",
  "delayMs",
  "hold",
  "cut",
  "meanwhile",
]);

function checkFault(value: unknown): Fault {
  if (typeof value !== "object" || value === null) throw refuse(400, undefined, "a fault is an object");
  const wrong = Object.keys(value).filter((key) => !FAULT_KEYS.has(key));
  if (wrong.length > 0)
    throw refuse(
      400,
      undefined,
      `a fault has no property ${wrong.join(", ")}; its properties are ${[...FAULT_KEYS].join(", ")}`,
    );
  return value;
}
