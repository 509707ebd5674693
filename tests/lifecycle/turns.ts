import type { Client } from "../../client/index.js";

/**
 * Lets several actors work concurrently, one request at a time, in a given order: the next turn is assigned when every
 * active actor waits for one. So any interleaving of their requests can be reproduced.
 */
export class Turns {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly working = new Set<string>();
  private turn = 0;

  constructor(private readonly choices: readonly number[]) {}

  /** Runs the work of all actors to the end. */
  async play(actors: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
    for (const name of Object.keys(actors)) this.working.add(name);
    await Promise.all(
      Object.entries(actors).map(async ([name, work]) => {
        try {
          await work();
        } finally {
          this.working.delete(name);
          this.next();
        }
      }),
    );
  }

  /** Waits for the turn of an actor. */
  wait(name: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(name, [...(this.waiting.get(name) ?? []), resolve]);
      this.next();
    });
  }

  private next(): void {
    const names = [...this.working];
    if (names.length === 0 || !names.every((name) => (this.waiting.get(name) ?? []).length > 0)) return;
    const name = names[(this.choices[this.turn % Math.max(1, this.choices.length)] ?? 0) % names.length] ?? "";
    this.turn += 1;
    const [first, ...rest] = this.waiting.get(name) ?? [];
    this.waiting.set(name, rest);
    first?.();
  }
}

/**
 * A client that waits for its turn before every call of a rulesets operation, and can have faults; one call after another,
 * so that a fault affects the intended call.
 */
export function clientInTurns(client: Client, before: () => Promise<void>, after: () => Promise<void>): Client {
  let last: Promise<unknown> = Promise.resolve();
  const rulesets = new Proxy(client.rulesets, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const inTurn = async (args: readonly unknown[]): Promise<unknown> => {
        await before();
        try {
          return await (member.apply(target, args) as Promise<unknown>);
        } finally {
          await after();
        }
      };
      return (...args: unknown[]): Promise<unknown> => {
        const call = last.then(() => inTurn(args));
        last = call.catch(() => undefined);
        return call;
      };
    },
  });
  return { ...client, rulesets };
}
