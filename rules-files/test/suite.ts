import { dirname, resolve } from "node:path";
import { readParts } from "../../provider/model/file-error.js";
import { isObject, writtenText } from "../../provider/model/json.js";
import { rulesOfDocument } from "../document.js";
import type { LoadedRules, ProgramOptions } from "../loaded.js";
import type { TextDocument } from "../../provider/files/text-document.js";
import { readTests, textAt, type Tests } from "./tests.js";

/** A file of tests. */
export interface Suite extends ProgramOptions, Tests {
  readonly file: string;
  /** The rules under test: the folder of a program, or a JSON file. */
  readonly rules?: string;
  /** The rules under test, if the file contains them. */
  readonly own?: LoadedRules;
}

const MEMBERS = ["rules", "stack", "config", "mocks"];

/** @throws FileError with the lines of all mistakes */
export function suiteOf(document: TextDocument): Suite {
  const { file } = document;
  const value = isObject(document.value) ? document.value : {};
  const text = (name: "rules" | "mocks" | "stack") => textAt(document, value, name, []);
  const path = (name: "rules" | "mocks"): string | undefined => {
    const given = text(name);
    return given === undefined ? undefined : resolve(dirname(file), given);
  };
  const { tests, rules, mocks, stack, config } = readParts({
    tests: () => readTests(document, MEMBERS),
    rules: () =>
      Array.isArray(value.rules)
        ? { own: rulesOfDocument(document, value.rules, ["rules"]) }
        : { rules: path("rules") },
    mocks: () => path("mocks"),
    stack: () => text("stack"),
    config: () => readConfig(document, value.config),
  });
  return { file, ...tests, ...rules, mocks, stack, config };
}

function readConfig(document: TextDocument, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!isObject(value)) throw document.errorAt(["config"], "must be an object of settings");
  return Object.entries(value).map(([key, item]) => `${key}=${writtenText(item)}`);
}
