import type { Description } from "../../provider/engine/description.js";
import { defineKind } from "../../provider/engine/kind.js";
import type { JsonObject } from "../../core/model/json.js";
import { NOT_KNOWN, UNKNOWN } from "../../core/model/unknown.js";
import { findingText } from "../../provider/validation/index.js";
import { offlineSession } from "../support/offline.js";

const LAMP = {
  type: "Lamp",
  text: "A lamp.",
  operations: [],
  levels: [],
  guide: "lamps",
  insteadOfImport: ["Leave it out."],
  arguments: {
    room: { type: "string", text: "Where it is.", required: true, change: "replace", output: true },
    watts: { type: "number", text: "How bright.", change: "write" },
    mode: { type: "string", text: "How.", change: "write", choices: ["bright", "dim"] },
    tags: { type: { list: "string" }, text: "Words.", change: "write", mayBeSecret: true },
  },
  checked: { label: { type: "string", text: "What it says.", output: true } },
  outputs: {
    on: { type: "boolean", text: "Whether it is on.", required: true },
    __raw: { type: { map: "number" }, text: "Numbers." },
  },
} as const satisfies Description;

const session = offlineSession();
/** The arguments of the handlers, in order. */
const given: unknown[] = [];
const lamp = defineKind(LAMP, {
  upgrade: ({ place, ...props }) => (place === undefined ? props : { ...props, room: place }),
  check: ({ wanted, olds }) => {
    given.push({ wanted, olds });
    return { inputs: { ...wanted, label: wanted.room }, findings: [] };
  },
  diff: (_session, _id, olds, news) => {
    given.push({ olds, news });
    return { kind: "none", replaces: [], shownByInputs: true };
  },
  create: (_session, inputs) => Promise.resolve({ id: "lamp", state: { ...inputs, on: true } }),
  read: (_session, _id, state) => {
    given.push(state);
    return Promise.resolve(undefined);
  },
  update: (_session, _id, olds) => Promise.resolve(olds),
  delete: () => Promise.resolve(),
});
beforeEach(() => given.splice(0));
const check = (args: object, urn: string) =>
  lamp.check(session, {}, { urn, run: { preview: true }, args: args as JsonObject });
const failures = async (args: object): Promise<string[]> => (await check(args, "")).failures.map(findingText);

test("handlers receive unknown values as a case of their own, and the engine receives its own marker", async () => {
  const { inputs } = await check({ room: UNKNOWN, watts: 5 }, "u");
  expect(given).toEqual([{ wanted: { room: NOT_KNOWN, watts: 5 }, olds: undefined }]);
  expect(inputs).toEqual({ room: UNKNOWN, watts: 5, label: UNKNOWN, __urn: "u" });
});

test.each([
  [{ room: "a", wats: 1 }, ["wats: Lamp has no argument wats; did you mean watts?"]],
  [{ room: "a", mode: "loud" }, ["mode: must be one of bright, dim"]],
  [{ room: "a", watts: "5" }, ["watts: must be a number"]],
  [{ room: "a", tags: 1 }, ["tags: must be a list"]],
  [{ room: "a", tags: ["a", 1] }, ["tags[1]: must be a string"]],
  [{}, ["room: is required"]],
  // Also if it has the name of a value that `check` makes.
  [{ room: "a", label: null }, ["label: Lamp has no argument label"]],
])("%j is refused before a handler is called", async (args, expected) => {
  expect(await failures(args)).toEqual(expected);
  expect(given).toEqual([]);
});

test("inputs and states in another form are upgraded, and unknown names are dropped", async () => {
  await lamp.diff(session, "lamp", { place: "hall", on: true, __raw: { a: 1 }, other: 1 }, { place: "hall" });
  expect(given).toEqual([{ olds: { room: "hall", on: true, __raw: { a: 1 } }, news: { room: "hall" } }]);
});

test("an incomplete state is read again, and not changed or deleted", async () => {
  await lamp.read(session, "lamp", { room: "hall" });
  await lamp.read(session, "lamp", { room: "hall", on: "yes" });
  expect(given).toEqual([undefined, undefined]);
  await expect(lamp.delete(session, "lamp", { room: "hall", on: "yes" })).rejects.toThrow(
    "the state of this Lamp cannot be read: on is missing or invalid. To continue: run `pulumi refresh`",
  );
});

test("a state with unknown values is read again, and not compared or deleted", async () => {
  const state = { room: "hall", on: true, __raw: { a: UNKNOWN } };
  await lamp.read(session, "lamp", state);
  expect(given).toEqual([undefined]);
  await expect(lamp.diff(session, "lamp", state, { room: "hall" })).rejects.toThrow("__raw is missing or invalid");
  await expect(lamp.delete(session, "lamp", { ...state, room: UNKNOWN })).rejects.toThrow("room, __raw are missing");
});

test("inputs that lack something, as after an edit of an export, are not used, and the error says what to do", async () => {
  const urn = "urn:pulumi:dev::shop::lamps:index:Lamp::hall";
  const state = { room: "hall", on: true, __raw: { a: 1 } };
  await expect(lamp.diff(session, "lamp", state, { __urn: urn })).rejects.toThrow(
    "room is missing or invalid. To continue: run `pulumi stack import` with the state from before, or " +
      `\`pulumi state delete '${urn}'\` and then \`pulumi up\``,
  );
});

test("a write with unknown values is reported as an error", async () => {
  await expect(lamp.create(session, { room: UNKNOWN })).rejects.toThrow("with unknown inputs");
});
