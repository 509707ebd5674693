import { levelOfKind } from "../../../core/model/ids.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, warning, withCode, type Findings } from "../../../core/model/failure.js";
import type { ActionRules, ParameterRules } from "../tables.js";
import { joinNames } from "../../../core/model/words.js";
import { bytesIn } from "./fields.js";
import type { RulesetPlace } from "./meaning.js";

/** Checks what `schema/actions.json` says of the values of an action's parameters, as the service's pages do. */
export function checkValues(table: ParameterRules, parameters: JsonObject, place: RulesetPlace, at: Path): Findings {
  return [
    checkPlaces(table, parameters, place, at),
    checkSizes(table, parameters, place, at),
    checkTogether(table, parameters, at),
    checkPatterns(table, parameters, at),
    checkNumbersOfItems(table, parameters, at),
    checkDisjoint(table, parameters, at),
    checkHeadersWith(table, parameters, at),
    checkLast(table, parameters, at),
    withCode("ended", checkEnded(table, parameters, at)),
  ].flat();
}

/** Checks the expression of an action that runs for every request. */
export function checkRequiredExpression(
  action: string,
  { expression: wanted }: ActionRules,
  expression: unknown,
  path: Path,
): Findings {
  if (wanted === undefined || typeof expression !== "string" || isUnknown(expression)) return [];
  if (expression.trim() === wanted || expression.trim() === "") return [];
  return failure(
    [...path, "expression"],
    `the action ${action} needs the expression ${wanted}: it applies to all requests`,
  );
}

/** A value at a path of parameters. */
interface Found {
  readonly value: unknown;
  readonly path: Path;
}

/** The known values at a place such as `requestFields.*.name`, where `*` is every item. */
function valuesAt(parameters: unknown, place: string): readonly Found[] {
  const start: readonly Found[] = [{ value: parameters, path: [] }];
  return place
    .split(".")
    .reduce((found, step) => found.flatMap((one) => stepInto(one, step)), start)
    .filter(({ value }) => value !== undefined && !isUnknown(value));
}

function stepInto({ value, path }: Found, step: string): readonly Found[] {
  if (step === "*")
    return Array.isArray(value) ? value.map((item: unknown, index) => ({ value: item, path: [...path, index] })) : [];
  if (!isObject(value)) return [];
  // The names of headers differ in case.
  return Object.keys(value)
    .filter((key) => key.toLowerCase() === step.toLowerCase())
    .map((key) => ({ value: value[key], path: [...path, key] }));
}

/** The texts at a place; of an object, its keys. */
function textsAt(parameters: unknown, place: string): readonly Found[] {
  return valuesAt(parameters, place).flatMap(({ value, path }) =>
    isObject(value) ? Object.keys(value).map((key) => ({ value: key, path: [...path, key] })) : [{ value, path }],
  );
}

function checkPatterns({ patterns = [] }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return patterns.flatMap(({ at: places, matches, flags, words }) => {
    const pattern = new RegExp(matches, flags);
    return places
      .flatMap((place) => textsAt(parameters, place))
      .filter(({ value }) => typeof value === "string" && !pattern.test(value))
      .flatMap(({ value, path }) => failure([...at, ...path], `${JSON.stringify(value)} is not allowed: ${words}`));
  });
}

function checkNumbersOfItems({ most = {} }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return Object.entries(most).flatMap(([place, limit]) =>
    valuesAt(parameters, place).flatMap(({ value, path }) => {
      const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
      if (size <= limit) return [];
      return failure([...at, ...path], `has ${String(size)} items; the service allows at most ${String(limit)}`);
    }),
  );
}

function checkDisjoint({ disjoint = {} }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return Object.entries(disjoint).flatMap(([one, other]) => {
    const known = new Set(textsAt(parameters, one).map(({ value }) => value));
    return textsAt(parameters, other)
      .filter(({ value }) => known.has(value))
      .flatMap(({ value, path }) =>
        failure(
          [...at, ...path],
          `${JSON.stringify(value)} is also in ${one.split(".")[0] ?? one}; choose one of the two`,
        ),
      );
  });
}

function checkHeadersWith({ headersWith = {} }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return Object.entries(headersWith).flatMap(([place, settings]) =>
    Object.entries(settings).flatMap(([setting, header]) =>
      textsAt(parameters, place)
        .filter(({ value }) => value !== header)
        .flatMap(({ path }) => valuesAt(parameters, [...path, setting].join(".")))
        .flatMap(({ path }) => failure([...at, ...path], `is possible for the header ${header} only`)),
    ),
  );
}

function checkLast({ last = {} }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return Object.entries(last).flatMap(([place, values]) => {
    const found = textsAt(parameters, place);
    return found
      .slice(0, -1)
      .filter(({ value }) => typeof value === "string" && values.includes(value))
      .flatMap(({ value, path }) => failure([...at, ...path], `${String(value)} must be the last of the list`));
  });
}

function checkEnded({ ended = {} }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return Object.entries(ended).flatMap(([name, { product, on, source }]) =>
    parameters[name] === undefined
      ? []
      : warning([...at, name], `${product} ended on ${on}, so this has no effect; leave it out (${source})`),
  );
}

function checkSizes(
  { bytes = [] }: ParameterRules,
  parameters: JsonObject,
  { phase }: RulesetPlace,
  at: Path,
): Findings {
  const limits = new Map(bytes.filter((one) => (one.phase ?? phase) === phase).map((one) => [one.at, one.most]));
  return [...limits].flatMap(([place, most]) =>
    valuesAt(parameters, place).flatMap(({ value, path }) => {
      const size = typeof value === "string" ? bytesIn(value) : 0;
      if (size <= most) return [];
      const where = bytes.some((one) => one.at === place && one.phase === phase) ? ` in ${String(phase)}` : "";
      return failure([...at, ...path], `has ${String(size)} bytes; the service allows at most ${String(most)}${where}`);
    }),
  );
}

function checkTogether({ together = [] }: ParameterRules, parameters: JsonObject, at: Path): Findings {
  return together.flatMap(({ at: places, most }) => {
    const texts = places.flatMap((place) => textsAt(parameters, place));
    const size = texts.reduce((sum, { value }) => sum + (typeof value === "string" ? value.length : 0), 0);
    const [first] = texts;
    if (first === undefined || size <= most) return [];
    const parts = joinNames(texts.map(({ path }) => path.join(".")));
    return failure(
      [...at, ...first.path.slice(0, 1)],
      `has ${String(size)} characters in ${parts}; the service allows at most ${String(most)}`,
    );
  });
}

function checkPlaces(
  { only = {}, notIn = {} }: ParameterRules,
  parameters: JsonObject,
  { phase, kind, level }: RulesetPlace,
  at: Path,
): Findings {
  if (typeof phase !== "string" || isUnknown(phase)) return [];
  const here = level ?? levelOfKind(kind);
  const foreign = Object.keys(notIn).filter((name) => parameters[name] !== undefined && notIn[name] === phase);
  const misplaced = Object.entries(only)
    .filter(
      ([name, wanted]) =>
        parameters[name] !== undefined && (wanted.phase !== phase || (here ?? wanted.level) !== wanted.level),
    )
    .flatMap(([name, wanted]) =>
      failure(
        [...at, name],
        `is possible only in the phase ${wanted.phase} of ${wanted.level === "zones" ? "a zone" : "an account"}`,
      ),
    );
  return [...misplaced, ...foreign.flatMap((name) => failure([...at, name], `is not possible in the phase ${phase}`))];
}
