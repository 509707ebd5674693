import type { DeclareRules } from "../../engine/declare-rules.js";
import { restoreSecrets } from "../../engine/secrets.js";
import { LIST_KINDS } from "../../../core/lists/kind.js";
import { listInputOf } from "../../../core/lists/list-input.js";
import { isObject } from "../../../core/model/json.js";
import { valueAt } from "../../../core/model/path.js";
import { isUnknown, NOT_KNOWN } from "../../../core/model/unknown.js";
import { findingText } from "../../validation/index.js";
import { readItems } from "./given-items.js";

/**
 * Records the items of a list, unless others have items in it too. Its outputs are for the test to say.
 * @throws TypeError if its items are invalid or their file cannot be read, because rules with the list would decide nothing
 */
export const declareList: DeclareRules = ({ name: resource, inputs, secrets, id }, program) => {
  if (id !== undefined) return undefined;
  const { value, paths } = restoreSecrets(inputs, secrets);
  program.secrets.push(...paths.map((path) => ({ path, value: valueAt(value, path) })));
  if (!isObject(value)) return undefined;
  const { accountId, name, kind, items, itemsFile, ownership } = value;
  const known = LIST_KINDS.find((one) => one === kind);
  if (typeof name !== "string" || isUnknown(name) || known === undefined || ownership === "shared") return undefined;
  const found = readItems(known, items, itemsFile);
  if (found === NOT_KNOWN) return undefined;
  const [fault] = found.faults;
  if (fault !== undefined) throw new TypeError(`RulesList ${resource}: ${findingText(fault)}`);
  if (!found.hasUnknown) program.lists.push({ accountId, name, input: listInputOf(known, found.items) });
  return undefined;
};
