import { bodyCheck, nonEmpty, listOf, object, string } from "../../emulator/body.js";
import { bodyOf, zoneOf } from "../../emulator/call.js";
import type { GroupDefinition } from "../../emulator/group-definition.js";
import { GROUPS } from "../../emulator/groups.js";
import type { SeedOf, ZoneSeedOf } from "../../emulator/seed.js";
import { exactly, type Named } from "../../emulator/seed-part.js";
import { buildServer, PREFIX } from "../../emulator/server.js";
import { serviceOf } from "../../emulator/start.js";
import { Caller } from "../support/caller.js";

interface NotesSeed {
  readonly authors?: readonly Named[];
}
interface NotesZoneSeed {
  readonly notes?: readonly string[];
}

const checkNote = bodyCheck(object({ text: nonEmpty }, ["text"]), [["", 1000]]);

/** A group as somebody would add one: its own operations, data and seed, and nothing anywhere else. */
const notes: GroupDefinition<NotesSeed, NotesZoneSeed> = {
  seed: {
    properties: { authors: listOf(exactly<Named>({ id: string, name: nonEmpty }, ["id", "name"])) },
    zoneProperties: { notes: listOf(string) },
    unique: ({ authors = [] }) => ({ authors }),
  },
  build: ({ store }) => {
    const [stored, authors] = [store.collection<string>("notes"), store.collection<Named>("authors")];
    const add = (zone: string, text: string): void => {
      stored.put(zone, store.ids.next(), text);
    };
    return {
      routes: [
        ["GET", "/zones/:owner/notes", (call) => stored.in(zoneOf(call))],
        [
          "POST",
          "/zones/:owner/notes",
          (call) => {
            add(zoneOf(call), checkNote(bodyOf(call)).text as string);
          },
        ],
        ["GET", "/authors", () => authors.in("")],
      ],
      addZone: (zone, seed) => {
        for (const text of seed.notes ?? []) add(zone.id, text);
      },
      addSeed: (seed) => {
        for (const author of seed.authors ?? []) authors.put("", author.id, author);
      },
    };
  },
};

const groups = [...GROUPS, notes] as const;
const service = serviceOf(groups);
const ZONE = "a".repeat(32);
const seed = {
  authors: [{ id: "1", name: "ops" }],
  zones: [{ id: ZONE, name: "a.example.com", notes: ["first"] }],
} satisfies SeedOf<typeof groups> & { zones: readonly ZoneSeedOf<typeof groups>[] };

describe("a line in the list of groups adds", () => {
  const { api } = buildServer({ seed }, service);
  let caller: Caller;
  beforeAll(async () => {
    caller = new Caller({ url: `${await api.listen({ port: 0, host: "127.0.0.1" })}${PREFIX}` });
  });
  afterAll(() => api.close());

  test("its operations, next to those of the other groups", async () => {
    await caller.result("POST", `/zones/${ZONE}/notes`, { text: "second" });
    expect(await caller.result("GET", `/zones/${ZONE}/notes`)).toEqual(["first", "second"]);
    expect(await caller.result("GET", `/zones/${ZONE}/settings/ipv6`)).toMatchObject({ id: "ipv6" });
    expect(await caller.send("POST", `/zones/${ZONE}/notes`, {})).toMatchObject({ status: 400 });
  });

  test("its part of the seed, and of each zone of the seed", async () => {
    expect(await caller.result("GET", "/authors")).toEqual(seed.authors);
  });

  test("its data of a zone, which is deleted with the zone", async () => {
    const { id } = await caller.result("POST", "/zones", { name: "b.example.com" });
    await caller.result("POST", `/zones/${id}/notes`, { text: "gone soon" });
    await caller.result("DELETE", `/zones/${id}`);
    expect(await caller.send("GET", `/zones/${id}/notes`)).toMatchObject({ status: 403 });
  });

  test.each([
    [{ author: [] }, "there is no author; did you mean authors?"],
    [{ zones: [{ name: "a.test", notes: [1] }] }, "zones[0].notes[0] must be string"],
    [{ zones: [{ name: "a.test", note: [] }] }, "zones[0] has no note; did you mean notes?"],
    [
      {
        authors: [
          { id: "1", name: "a" },
          { id: "2", name: "a" },
        ],
      },
      "authors[1] already exists as authors[0]: a",
    ],
  ])("the check of its seed: %j", (wrong, message) => {
    expect(() => service.parseSeed(wrong)).toThrow(message);
  });
});

test("without that line there are neither the operations nor the seed", () => {
  expect(() => serviceOf(GROUPS).parseSeed(seed)).toThrow("there is no authors");
});

test("the compiler reports what a group declares and does not have", () => {
  // @ts-expect-error A group says what it adds to the seed.
  const forgotten: GroupDefinition<NotesSeed> = { build: notes.build };
  // @ts-expect-error Every property of the seed has a schema.
  const unchecked: GroupDefinition<NotesSeed> = { seed: { properties: {}, zoneProperties: {} }, build: notes.build };
  // @ts-expect-error The seed has the types that the groups declare.
  const misspelled: SeedOf<typeof groups> = { authors: ["ops"] };
  expect([forgotten, unchecked, misspelled]).toHaveLength(3);
});
