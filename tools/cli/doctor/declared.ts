import { findKind } from "../../../provider/kinds/index.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import { nameIn, ownType } from "../../../core/model/urn.js";
import { listUsesOf } from "../../../provider/validation/list-uses.js";
import { readUserText } from "../../rules-files/text/read-file.js";
import { readPath } from "../rules/source/index.js";
import type { SourceRuleset } from "../../rules-files/loaded.js";
import { failuresIn, parsePreview } from "../summarize/preview.js";
import type { DeclaredObject } from "./needs.js";

const ID = /^[0-9a-f]{32}$/;

/** What a program declares: by running it without the engine, and by the file of a preview, which knows more IDs. */
export async function readDeclared({
  program = [],
  preview = [],
  ...options
}: {
  readonly program?: readonly string[];
  readonly preview?: readonly string[];
  readonly stack?: string;
  readonly config?: readonly string[];
  readonly mocks?: string;
}): Promise<readonly DeclaredObject[]> {
  const programs = await Promise.all(program.map((path) => readPath(path, options)));
  return [
    ...programs.flatMap(({ rulesets, resources = [] }) => [
      ...rulesets.map(ofRuleset),
      ...resources.map(({ type, name, inputs }) => ofInputs(type, name, inputs)),
    ]),
    ...preview.flatMap(ofPreview),
  ];
}

function ofPreview(file: string): readonly DeclaredObject[] {
  const preview = parsePreview(readUserText(file), file);
  const [failure] = failuresIn(preview);
  if (failure !== undefined)
    throw new Error(`${file} is from a preview that failed, so resources may be missing in it: ${failure}`);
  return preview.steps.flatMap(({ urn, before, after }) => {
    const type = ownType(urn);
    const inputs = after?.inputs ?? before?.inputs;
    return type === undefined || inputs === undefined ? [] : [ofInputs(type, nameIn(urn), inputs)];
  });
}

/** What a file of rulesets contains: as much as the resource of a program that has such rules. */
const OF_FILE: Pick<DeclaredObject, "type" | "operations"> = { type: "ruleset", operations: [{ path: "/rulesets" }] };

function ofRuleset({ label, input: { zoneId, accountId, phase, rules }, type }: SourceRuleset): DeclaredObject {
  const object = type === undefined ? { ...OF_FILE, name: label } : objectOf(type, label);
  return { ...object, phase, ...placeOf({ zoneId, accountId }), usesLists: usesLists(rules) };
}

function ofInputs(type: string, name: string, inputs: JsonObject): DeclaredObject {
  const { zoneId, accountId, phase } = inputs;
  const rules = isObject(inputs.rules) || Array.isArray(inputs.rules) ? Object.values(inputs.rules) : [inputs];
  return {
    ...objectOf(type, name),
    ...placeOf({ zoneId, accountId }),
    ...(typeof phase === "string" ? { phase } : {}),
    usesLists: findKind(type)?.description.hasRules === true && usesLists(rules),
  };
}

function objectOf(type: string, name: string): Pick<DeclaredObject, "type" | "name" | "operations"> {
  return { type, name, operations: findKind(type)?.description.operations ?? [] };
}

function placeOf({
  zoneId,
  accountId,
}: {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
}): Pick<DeclaredObject, "zoneId" | "accountId"> {
  return {
    ...(typeof zoneId === "string" && ID.test(zoneId) ? { zoneId } : {}),
    ...(typeof accountId === "string" && ID.test(accountId) ? { accountId } : {}),
  };
}

function usesLists(rules: readonly unknown[]): boolean {
  return rules.some((rule) => isObject(rule) && listUsesOf(rule).length > 0);
}
