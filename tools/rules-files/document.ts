import { findNearest } from "../../core/model/failure.js";
import { readEach, readParts } from "../../core/model/file-error.js";
import { isObject } from "../../core/model/json.js";
import { snakeCase } from "../../core/model/shapes.js";
import { inOurNames } from "../../core/model/spelling.js";
import type { RuleInput, RulesetInput } from "../../core/simulator/index.js";
import schema from "../../schema/rulesets.schema.json";
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
  const { lists, rulesets } = readParts({
    fields: () => {
      if (isObject(value) && "rulesets" in value) refuseMisspelled(document, value, { at, known: DOCUMENT_FIELDS });
    },
    lists: () => (isObject(value) ? listsOfDocument(document, value, at) : undefined),
    rulesets: () => readEach(found, (one, index) => readRuleset(document, one.value, { ...one, index })),
  });
  return {
    label: document.file,
    rulesets: lists === undefined ? rulesets : rulesets.map((one) => ({ ...one, input: { ...one.input, lists } })),
    notes: [],
    secrets: [],
  };
}

/** Reads a list of rules, without a ruleset around it, as those of a phase. */
export function rulesOfList(document: TextDocument, list: readonly unknown[], at: Steps, phase: string): LoadedRules {
  const { rules, place } = readRules(document, list, at);
  const rulesets = [
    { label: phase, input: { id: "ruleset-0", phase, rules }, place: ([, ...path]: Steps) => place(path) },
  ];
  return { label: document.file, rulesets, notes: [], secrets: [] };
}

interface FoundRuleset {
  readonly value: unknown;
  readonly at: Steps;
  /** Empty for the only ruleset in a file. */
  readonly label: string;
}

function rulesetsIn(value: unknown, at: Steps): readonly FoundRuleset[] | undefined {
  if (Array.isArray(value)) {
    const name = at.at(-1) ?? "";
    return (value as unknown[]).map((item, index) => ({
      value: item,
      at: [...at, index],
      label: `${String(name)}[${String(index)}]`,
    }));
  }
  if (!isObject(value)) return undefined;
  if ("rules" in value || "phase" in value) return [{ value, at, label: "" }];
  for (const key of ["rulesets", "result"]) {
    if (key in value) return rulesetsIn(value[key], [...at, key]);
  }
  return undefined;
}

/** A ruleset that is the whole document has beside it what its rules use. */
const DOCUMENT_FIELDS = Object.keys(schema.properties);
const RULESET_FIELDS = [...Object.keys(schema.definitions.ruleset.properties), ...DOCUMENT_FIELDS];

/** A misspelled field hides what it contains from every check. Other unknown fields may be newer than this package. */
function refuseMisspelled(
  document: TextDocument,
  value: object,
  { at, known }: { readonly at: Steps; readonly known: readonly string[] },
): void {
  for (const name of Object.keys(value)) {
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

function readRuleset(
  document: TextDocument,
  value: unknown,
  { at, label, index }: { readonly at: Steps; readonly label: string; readonly index: number },
): SourceRuleset {
  if (!isObject(value)) throw document.errorAt(at, "must be a ruleset, an object with phase and rules");
  const { phase, read } = readParts({
    fields: () => {
      refuseMisspelled(document, value, { at, known: RULESET_FIELDS });
    },
    phase: () => {
      if (typeof value.phase === "string") return value.phase;
      throw document.errorAt([...at, "phase"], "is required: the phase that the rules run in");
    },
    read: () => {
      const { rules = [] } = value;
      if (!Array.isArray(rules)) throw document.errorAt([...at, "rules"], "must be a list");
      return readRules(document, rules, [...at, "rules"]);
    },
  });
  const text = (name: string): string | undefined => {
    const found = value[name] ?? value[snakeCase(name)];
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
    ...(text("ownership") === "shared" ? { isPart: true } : {}),
    ...(isObject(value.position) ? { position: value.position } : {}),
    rules: read.rules,
  };
  const place = (path: Steps): FilePlace =>
    path[0] === "rules" ? read.place(path.slice(1)) : document.place(inFile(document, at, path));
  return { label: label === "" ? (name ?? phase) : label, input, place };
}

/** The rules of a list, and the place of a part of them by its path in what was read. */
function readRules(
  document: TextDocument,
  list: readonly unknown[],
  at: Steps,
): { readonly rules: readonly RuleInput[]; readonly place: (path: Steps) => FilePlace } {
  const read = readEach(list, (rule, position) => readRule(document, rule, [...at, position]));
  return { rules: read, place: (path) => document.place(inFile(document, at, path)) };
}

/** A rule, in the names of this package. */
function readRule(document: TextDocument, rule: unknown, at: Steps): RuleInput {
  if (!isObject(rule)) throw document.errorAt(at, "must be a rule, an object with action and expression");
  readParts({
    action: () => {
      if (typeof rule.action === "string") return;
      throw document.errorAt([...at, "action"], "is required: the name of an action");
    },
    expression: () => {
      if (rule.expression === undefined || typeof rule.expression === "string") return;
      throw document.errorAt([...at, "expression"], "must be a string");
    },
  });
  return inOurNames(rule) as unknown as RuleInput;
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
