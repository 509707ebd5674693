import type { ListState } from "../../provider/kinds/lists/description.js";
import type { Service } from "../support/emulator.js";
import { fc, runs } from "../support/properties.js";
import { writesIn } from "../support/requests.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

/*
 * A stack with a list, as a whole or beside others, and a bot that adds, edits and removes items of its own and of the stack,
 * with lost requests and responses. Whatever happens, no item that only the bot has is lost unnoticed, and a stack that runs
 * again reaches its program.
 */

type Items = Readonly<Record<string, string>>;
type ByHand = { readonly kind: "put" | "remove"; readonly key: string; readonly comment: string };

interface Round {
  /** Undefined where the stack does not run. */
  readonly program: Items | undefined;
  readonly hand: readonly ByHand[];
  readonly refreshes: boolean;
  readonly faults: readonly object[];
}
interface Story {
  readonly ownership: "exclusive" | "shared";
  readonly rounds: readonly Round[];
}

/** What the program may declare; the bot also has these, and two of its own. */
const OURS = Array.from({ length: 6 }, (_, index) => `192.0.2.${String(index + 1)}`);
const THEIRS = ["203.0.113.1", "203.0.113.2"];

const comment = fc.constantFrom("", "one", "two");
const program: fc.Arbitrary<Items> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...OURS), comment), { selector: ([key]) => key, maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));
const byHand: fc.Arbitrary<ByHand> = fc.record({
  kind: fc.constantFrom("put", "remove"),
  key: fc.constantFrom(...OURS, ...THEIRS),
  comment,
});
const fault = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  effect: fc.constantFrom<object>(
    { status: 503 },
    { status: 500 },
    { cut: "before" },
    { cut: "after" },
    // Carried out, but a proxy answers otherwise.
    { body: "<html>502 Bad Gateway</html>" },
  ),
});
const story: fc.Arbitrary<Story> = fc.record({
  ownership: fc.constantFrom("exclusive", "shared"),
  rounds: fc.array(
    fc.record({
      program: fc.option(program, { nil: undefined, freq: 6 }),
      hand: fc.array(byHand, { maxLength: 3 }),
      refreshes: fc.boolean(),
      faults: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(
            fault.map(({ method, effect }) => ({ method, path: "/rules/lists", times: 1, ...effect })),
            { maxLength: 2 },
          ),
        },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** The list at the service. */
class World {
  constructor(
    private readonly service: Service,
    private readonly accountId: string,
  ) {}

  private get root(): string {
    return `/accounts/${this.accountId}/rules/lists`;
  }
  async lists(): Promise<{ id: string; num_items: number }[]> {
    return this.service.ask("GET", this.root);
  }
  private async stored(): Promise<{ id: string; ip: string; comment?: string }[]> {
    const [list] = await this.lists();
    return list === undefined ? [] : this.service.ask("GET", `${this.root}/${list.id}/items`);
  }
  async items(): Promise<Items> {
    return Object.fromEntries((await this.stored()).map(({ ip, comment: note = "" }) => [ip, note]));
  }
  async work({ kind, key, comment: note }: ByHand): Promise<void> {
    const [list] = await this.lists();
    if (list === undefined) return;
    const path = `${this.root}/${list.id}/items`;
    if (kind === "put") await this.service.ask("POST", path, [{ ip: key, ...(note === "" ? {} : { comment: note }) }]);
    const found = (await this.stored()).find(({ ip }) => ip === key);
    if (kind === "remove" && found !== undefined) await this.service.ask("DELETE", path, { items: [{ id: found.id }] });
  }
}

/** The requests of a run, or why it stopped. */
type Outcome = { readonly requests: readonly string[] } | { readonly stop: string };
const outcomeOf = (work: Promise<{ readonly requests: readonly string[] }>): Promise<Outcome> =>
  work.catch((error: unknown) => ({ stop: (error as Error).message }));
const without = (items: Items, keys: readonly string[]): Items =>
  Object.fromEntries(Object.entries(items).filter(([key]) => !keys.includes(key)));
const only = (items: Items, keys: readonly string[]): Items =>
  Object.fromEntries(Object.entries(items).filter(([key]) => keys.includes(key)));

test("a list and a bot: nothing is lost unnoticed, and the next run reaches the program", async () => {
  const counts = { runs: 0, stopped: 0, failed: 0, quiet: 0, hand: 0 };
  const { service, accountId } = await startService();
  await fc.assert(
    fc.asyncProperty(story, async ({ ownership, rounds }) => {
      await service.reset();
      const world = new World(service, accountId);
      const list = new ManagedResource<ListState>("RulesList", service);
      const args = (items: Items): object => ({
        accountId,
        name: "office",
        kind: "ip",
        ownership,
        items: Object.entries(items).map(([value, note]) => (note === "" ? value : { value, comment: note })),
      });
      const isShared = ownership === "shared";

      for (const { program: wanted, hand, refreshes, faults } of rounds) {
        for (const act of hand) await world.work(act);
        counts.hand += hand.length;
        if (refreshes) await list.refresh();
        if (wanted === undefined) continue;
        counts.runs += 1;
        const before = await world.items();
        const own = Object.keys({ ...list.kept?.state.items, ...list.kept?.state.__sent });
        const reached = isShared ? { ...without(before, own), ...wanted } : wanted;
        for (const one of faults) await service.fault(one);
        const outcome = await outcomeOf(list.up(args(wanted)));
        await service.noFaults();
        const after = await world.items();
        if (isShared) expect(only(after, THEIRS)).toEqual(only(before, THEIRS));
        if ("requests" in outcome) {
          const isQuiet = writesIn(outcome.requests).length === 0;
          if (isQuiet) expect(after).toEqual(before);
          else expect(after).toEqual(reached);
          counts.quiet += isQuiet ? 1 : 0;
        } else {
          if (faults.length === 0) {
            // What somebody did stops it, before any write, and the message says how to continue.
            counts.stopped += 1;
            expect([after, outcome.stop]).toEqual([before, expect.stringContaining("To continue:")]);
          } else counts.failed += 1;
          // Each item is as it was or as it is to be.
          for (const key of Object.keys({ ...before, ...after }))
            expect([before[key], reached[key]]).toContain(after[key]);
        }

        // Told to, the next run reaches the program from wherever that left the list.
        const between = await world.items();
        const known = Object.keys({ ...list.kept?.state.items, ...list.kept?.state.__sent });
        const final = isShared ? { ...without(between, known), ...wanted } : wanted;
        await list.refresh();
        await list.up({ ...args(wanted), onExisting: "replace" }, { onConflict: "overwrite" });
        expect(await world.items()).toEqual(final);
        expect(list.kept?.state.size).toBe(Object.keys(final).length);
        expect((await world.lists()).map(({ num_items: size }) => size)).toEqual([Object.keys(final).length]);
        await list.up(args(wanted));
        expect(await list.up(args(wanted))).toMatchObject({ action: "none", requests: [] });
        await list.refresh();
        expect(await list.up(args(wanted))).toMatchObject({ action: "none", requests: [] });
      }

      const left = await world.items();
      const mine = Object.keys(list.kept?.state.items ?? {});
      await list.destroy({ onConflict: "overwrite" });
      expect(await world.items()).toEqual(isShared ? without(left, mine) : list.kept === undefined ? {} : left);
    }),
    { numRuns: runs(15) },
  );
  if (process.env.FUZZ_TIMES !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`);
  // A story in which nothing happens would prove nothing.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 1_200_000);
