// Simulated time: a wait for the quota moves the clock of the emulator and of the provider, instead of taking time.
import { subscribe } from "node:diagnostics_channel";
import { setImmediate as turn } from "node:timers/promises";

export class SimulatedClock {
  offset = 0;
  sleepers = [];
  underWay = 0;
  isMoving = false;

  constructor(url) {
    this.control = url.replace("/client/v4", "/__emulator/clock");
    subscribe("http.client.request.start", ({ request }) => {
      this.underWay += 1;
      request.once("close", () => {
        this.underWay -= 1;
      });
    });
  }

  now() {
    return Date.now() + this.offset;
  }

  sleep(ms) {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.now() + ms, wake });
      void this.move();
    });
  }

  /** Wakes one sleeper after another, each at its time, once nothing else can happen. */
  async move() {
    if (this.isMoving) return;
    this.isMoving = true;
    while (this.sleepers.length > 0) {
      do await turn();
      while (this.underWay > 0);
      const [next] = this.sleepers.sort((one, other) => one.at - other.at);
      const ms = Math.ceil(next.at - this.now());
      if (ms > 0) {
        // The service first: it must never see a request before its window begins.
        const body = JSON.stringify({ advanceSeconds: ms / 1000 });
        const response = await fetch(this.control, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        });
        if (!response.ok) throw new Error(await response.text());
        this.offset += ms;
      }
      this.sleepers.splice(this.sleepers.indexOf(next), 1);
      next.wake();
    }
    this.isMoving = false;
  }
}
