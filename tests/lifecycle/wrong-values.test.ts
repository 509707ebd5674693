import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Description } from "../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import { KINDS } from "../../provider/kinds/index.js";
import { RulesetsError } from "../../core/model/errors.js";
import { isObject, omit, type Json, type JsonObject } from "../../core/model/json.js";
import { valueAt, type Path } from "../../core/model/path.js";
import { getShape, type FieldType } from "../../core/model/shapes.js";
import { findingText } from "../../provider/validation/index.js";
import { TIMES } from "../support/fuzzing.js";
import { offlineSession } from "../support/offline.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/*
 * Every argument and every field of a rule gets values of every kind, of which a usual run plays a third for each field. None
 * may be dropped, and none may break the check.
 */

const VALUES: readonly Json[] = [null, {}, [], "", "text", 5, -1.5, true, { a: { b: [] } }, [{}], [[]], [null]];
const zoneId = "0".repeat(32);
const custom = "http_request_firewall_custom";
const rule = { action: "block", expression: "ssl" };

const FILE = join(temporaryFolder(), "items.csv");
writeFileSync(FILE, "value\n192.0.2.1\n");

/** Arguments of each kind, as its example in the package schema has them, with a file that exists. */
const valid = new Map(
  DESCRIPTIONS.map(({ type, example }) => {
    const args = JSON.stringify(example?.args ?? {}).replace(/"[\w-]+[.]csv"/, JSON.stringify(FILE));
    return [type, JSON.parse(args) as Readonly<Record<string, unknown>>];
  }),
);
type KindName = keyof typeof KINDS;

interface Outcome {
  readonly failures: readonly { readonly path: Path; readonly text: string }[];
  readonly inputs: Json;
}

async function check(kind: KindName, args: object): Promise<Outcome> {
  const session = offlineSession({
    client: () => {
      throw new RulesetsError("there are no credentials", { code: "CONFIG_CREDENTIALS_MISSING" });
    },
  });
  const declared = { urn: `urn:${kind}`, run: { preview: true }, args: args as JsonObject };
  const { inputs, failures } = await KINDS[kind]().check(session, {}, declared);
  return {
    inputs: inputs as Json,
    failures: failures.map((failure) => ({ path: failure.path, text: findingText(failure) })),
  };
}

/** Whether one path leads to the other or into it. */
function touches(a: Path, b: Path): boolean {
  return a.length > 0 && a.slice(0, b.length).join("\n") === b.slice(0, a.length).join("\n");
}

describe("arguments", () => {
  test.each([...valid])("the example of a %s is accepted", async (kind, args) => {
    expect(await check(kind as KindName, args)).toMatchObject({ failures: [] });
  });

  const cases = DESCRIPTIONS.flatMap((description: Description) =>
    Object.entries(description.arguments).map(([name, argument]): [string, string, Argument] => [
      description.type,
      name,
      argument,
    ]),
  );
  test.each(cases)("%s refuses or keeps every value of %s", async (kind, name, argument) => {
    const base = valid.get(kind) ?? {};
    const without = omit(base, [name]);
    const omitted = await check(kind as KindName, without);
    for (const value of VALUES) {
      const { failures, inputs } = await check(kind as KindName, { ...base, [name]: value });
      const isRefused = failures.some(({ path, text }) => touches(path, [name]) || text.includes(name));
      // Checked inputs have rules by ref.
      const kept = isObject(inputs) ? [inputs[name], inputs.__adopt, ...(name === "rules" ? [[]] : [])] : [];
      const isKept = kept.some((own) => JSON.stringify(own) === JSON.stringify(value));
      const isNone = value === null || isEmptyOf(argument, value) || (name === "ref" && value === "");
      if (isRefused || isKept) continue;
      expect([value, isNone, failures]).toEqual([value, true, omitted.failures]);
      expect(inputs).toEqual(omitted.inputs);
    }
  });
});

/** An empty list where a list is expected, and an empty object where an object is. */
function isEmptyOf({ type }: Argument, value: Json): boolean {
  if (typeof type === "string") return false;
  if (Array.isArray(value)) return value.length === 0 && "list" in type;
  return isObject(value) && Object.keys(value).length === 0 && !("list" in type);
}

/** A field of a rule, in both spellings. */
interface Place {
  readonly ours: Path;
  readonly service: Path;
  readonly type: FieldType;
}

function placesIn(type: FieldType, ours: Path, service: Path): Place[] {
  if (type.kind === "list") return placesIn(type.of, [...ours, 0], [...service, 0]);
  if (type.kind === "map") return placesIn(type.of, [...ours, "x"], [...service, "x"]);
  if (type.kind === "plain") return [];
  const { fields, readOnly } = getShape(type.name);
  return [...fields, ...readOnly].flatMap((field) => {
    const [at, wire] = [
      [...ours, field.name],
      [...service, field.wire],
    ];
    return [{ ours: at, service: wire, type: field.type }, ...placesIn(field.type, at, wire)];
  });
}

function nested([step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  return typeof step === "number" ? [nested(rest, value)] : { [step]: nested(rest, value) };
}

/** The ref of the only rule, if the check got that far. */
function onlyRef(inputs: Json): string {
  const order = valueAt(inputs, ["order"]);
  return typeof order === "string" ? order.trim() : "";
}

describe("fields of a rule", () => {
  const places = placesIn({ kind: "shape", name: "RulesetRule" }, [], []);
  const readOnly = getShape("RulesetRule").readOnly.map(({ name }) => name);
  const spelled = places.flatMap(({ ours, service, type }, index): [string, Path, Path, FieldType, number][] => [
    [ours.join("."), ours, ours, type, index],
    ...(ours.join() === service.join()
      ? []
      : [[service.join("."), service, ours, type, index + 1] as [string, Path, Path, FieldType, number]]),
  ]);
  const isNone = (path: Path, type: FieldType, value: Json): boolean => {
    const [name = ""] = path;
    if (value === null) return true;
    if (path.length === 1 && ["id", "ref", "version"].includes(String(name)) && value === "") return true;
    if (
      path.length === 1 &&
      readOnly.includes(String(name)) &&
      (typeof value === "string" || JSON.stringify(value) === "[]")
    )
      return true;
    if (Array.isArray(value)) return value.length === 0 && type.kind === "list";
    return isObject(value) && Object.keys(value).length === 0 && (type.kind === "map" || type.kind === "shape");
  };

  test("there are many", () => {
    expect(places.length).toBeGreaterThan(200);
  });

  test.each(spelled)("%s is refused or kept in a list and in a RulesetRule", async (_, written, ours, type, from) => {
    for (const value of VALUES.filter((__, index) => (index + from) % 3 < TIMES)) {
      const own = nested(written, value) as object;
      const whole = { ...rule, ...own };
      const list = await check("PhaseEntrypoint", { zoneId, phase: custom, rules: [whole] });
      judge(list, ["rules", 0], value);
      if (["id", "ref"].includes(String(written[0]))) continue;
      judge(await check("RulesetRule", { zoneId, phase: custom, ...whole }), [], value);
    }
    function judge({ failures, inputs }: Outcome, at: Path, value: Json): void {
      const isRefused = failures.some(({ path }) => touches(path.slice(at.length), ours));
      const keyed = ["rules", onlyRef(inputs)];
      // What may be a newer field of the service is in `wire`.
      const places = [at, keyed].flatMap((place) => [
        [...place, ...ours],
        [...place, ...ours, "wire"],
      ]);
      const isKept = places.some((place) => JSON.stringify(valueAt(inputs, place)) === JSON.stringify(value));
      if (!isRefused && !isKept) expect([value, isNone(ours, type, value), failures]).toEqual([value, true, failures]);
    }
  });
});
