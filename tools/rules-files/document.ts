import { readBySchema } from "../../core/files/file-schema.js";
import { schema, type Ruleset, type Rulesets } from "../../core/files/generated/validate-rulesets.js";
import { findNearest } from "../../core/model/failure.js";
import { readEach, readParts } from "../../core/model/file-error.js";
import type { FileValues } from "../../core/model/file-values.js";
import { isObject, pick } from "../../core/model/json.js";
import { snakeCase } from "../../core/model/shapes.js";
import { inOurNames } from "../../core/model/spelling.js";
import type { RuleInput, RulesetInput } from "../../core/simulator/index.js";
import written from "../../schema/rulesets.schema.json";
import type { FilePlace, TextDocument, Steps } from "./text/text-document.js";
import { listsOfDocument } from "./lists.js";
import type { LoadedRules, SourceRuleset } from "./loaded.js";

/**
 * Reads rulesets from a JSON or YAML document: one ruleset, a list, `{ "rulesets": [ … ] }`, or an API response (`{ "result": …
 * }`). Rules may be in a program's notation or the API's. Items of lists that they use stand beside them.
 * @param value the part of the document to read, which is at `at`
 * @throws Error with the line of the mistake
 */
export function rulesOfDocument(document: TextDocument, value: unknown = document.value, at: Steps = []): LoadedRules {
  const found = rulesetsIn(value, at);
  if (found === undefined) {
    throw document.errorAt(
      at,
      'contains no ruleset. A ruleset is {"phase": "http_request_firewall_custom", "rules": [ … ]}',
    );
  }
  const beside = isObject(value) ? pick(value, DOCUMENT_FIELDS) : {};
  const whole = isObject(value) && "rulesets" in value ? value : {};
  const { file, rulesets } = readFound(document, found, { at, beside, whole });
  const lists = listsOfDocument(document, file, at);
  return {
    label: document.file,
    rulesets: lists === undefined ? rulesets : rulesets.map((one) => ({ ...one, input: { ...one.input, lists } })),
    notes: [],
    secrets: [],
  };
}

/** Reads a list of rules, without a ruleset around it, as those of a phase. */
export function rulesOfList(document: TextDocument, rules: readonly unknown[], at: Steps, phase: string): LoadedRules {
  const found = [{ value: { phase, rules }, at, rulesAt: at, label: phase }];
  const { rulesets } = readFound(document, found, { at, beside: {}, whole: {} });
  return { label: document.file, rulesets, notes: [], secrets: [] };
}

interface FoundRuleset {
  readonly value: unknown;
  readonly at: Steps;
  /** Where its rules are. */
  readonly rulesAt: Steps;
  /** Empty for the only ruleset in a file. */
  readonly label: string;
}

function rulesetsIn(value: unknown, at: Steps): readonly FoundRuleset[] | undefined {
  const found = (value: unknown, at: Steps, label: string) => ({ value, at, rulesAt: [...at, "rules"], label });
  if (Array.isArray(value)) {
    const name = String(at.at(-1) ?? "");
    return (value as unknown[]).map((item, index) => found(item, [...at, index], `${name}[${String(index)}]`));
  }
  if (!isObject(value)) return undefined;
  if ("rules" in value || "phase" in value) return [found(value, at, "")];
  for (const key of ["rulesets", "result"]) {
    if (key in value) return rulesetsIn(value[key], [...at, key]);
  }
  return undefined;
}

/** Reads rulesets, wherever they stand in a document, and what is beside them, as its schema says. */
function readFound(
  document: TextDocument,
  found: readonly FoundRuleset[],
  { at, beside, whole }: { readonly at: Steps; readonly beside: object; readonly whole: object },
): { readonly file: Rulesets; readonly rulesets: readonly SourceRuleset[] } {
  const inDocument = ([name, index, ...path]: Steps): Steps => {
    const one = name === "rulesets" ? found[Number(index)] : undefined;
    if (one === undefined) return [...at, ...[name, index].filter((step) => step !== undefined), ...path];
    return path[0] === "rules" ? [...one.rulesAt, ...path.slice(1)] : [...one.at, ...path];
  };
  const source: FileValues = {
    value: { ...beside, rulesets: found.map(({ value }) => value) },
    errorAt: (steps, reason, details) => document.errorAt(inDocument(steps), reason, details),
  };
  const named = [
    { value: whole, at, known: DOCUMENT_FIELDS },
    ...found.map((one) => ({ ...one, known: RULESET_FIELDS })),
  ];
  const { file } = readParts({
    names: () =>
      readEach(named, (one) => {
        refuseMisspelled(document, one);
      }),
    file: () => readBySchema(source, schema),
  });
  const rulesets = found.flatMap((one, index) => {
    const ruleset = file.rulesets[index];
    return ruleset === undefined ? [] : [sourceOf(document, one, ruleset, index)];
  });
  return { file, rulesets };
}

/** A ruleset that is the whole document has beside it what its rules use. */
const DOCUMENT_FIELDS = Object.keys(written.properties);
const RULESET_FIELDS = [...Object.keys(written.definitions.ruleset.properties), ...DOCUMENT_FIELDS];

/** A misspelled field hides what it contains from every check. Other unknown fields may be newer than this package. */
function refuseMisspelled(
  document: TextDocument,
  { value, at, known }: { readonly value: unknown; readonly at: Steps; readonly known: readonly string[] },
): void {
  for (const name of Object.keys(isObject(value) ? value : {})) {
    if (known.some((field) => field === name || snakeCase(field) === name)) continue;
    const meant = findNearest(name, known);
    if (meant === undefined) continue;
    throw document.errorAt(
      [...at, name],
      `there is no field ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`,
      { inName: true, instead: meant },
    );
  }
}

/** A ruleset, in the names of this package. */
function sourceOf(
  document: TextDocument,
  { at, rulesAt, label }: FoundRuleset,
  ruleset: Ruleset,
  index: number,
): SourceRuleset {
  const { phase, rules = [], position } = ruleset;
  const fields: Readonly<Record<string, unknown>> = ruleset;
  const text = (name: string): string | undefined => {
    const found = fields[name] ?? fields[snakeCase(name)];
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  const name = text("name");
  const input: RulesetInput = {
    // Tells rulesets of one file apart in reports; `execute` rules refer to real IDs.
    id: text("id") ?? `ruleset-${String(index)}`,
    name,
    kind: text("kind"),
    phase,
    zoneId: text("zoneId"),
    accountId: text("accountId"),
    ...(ruleset.ownership === "shared" ? { isPart: true } : {}),
    ...(position === undefined ? {} : { position }),
    rules: rules.map((rule) => inOurNames(rule) as unknown as RuleInput),
  };
  const place = ([first, ...path]: Steps): FilePlace =>
    document.place(first === "rules" ? inFile(document, rulesAt, path) : inFile(document, at, [first ?? "", ...path]));
  return { label: label === "" ? (name ?? phase) : label, input, place };
}

/** A path in a ruleset as the file spells it: in camelCase, or as the API does. */
function inFile(document: TextDocument, start: Steps, path: Steps): Steps {
  return path.reduce<Steps>((at, step) => {
    const plain = [...at, step];
    if (typeof step === "number" || document.has(plain)) return plain;
    const wire = [...at, snakeCase(step)];
    return document.has(wire) ? wire : plain;
  }, start);
}
