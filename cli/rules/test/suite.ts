import { dirname, resolve } from "node:path";
import { isObject } from "../../../provider/model/json.js";
import { rulesOfDocument } from "../source/document.js";
import { TextDocument, type LoadedRules } from "../source/index.js";
import type { ProgramOptions } from "../source/program.js";
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

/** @throws Error with the line of the mistake */
export function readSuite(file: string): Suite {
  return suiteOf(TextDocument.read(file));
}

/** @throws Error with the line of the mistake */
export function suiteOf(document: TextDocument): Suite {
  const { file } = document;
  const tests = readTests(document, MEMBERS);
  const value = isObject(document.value) ? document.value : {};
  const own = Array.isArray(value.rules) ? rulesOfDocument(document, value.rules, ["rules"]) : undefined;
  const path = (name: "rules" | "mocks"): string | undefined => {
    const text = textAt(document, value, name, []);
    return text === undefined ? undefined : resolve(dirname(file), text);
  };
  return {
    file,
    ...tests,
    ...(own === undefined ? { rules: path("rules") } : { own }),
    mocks: path("mocks"),
    stack: textAt(document, value, "stack", []),
    config: readConfig(document, value.config),
  };
}

function readConfig(document: TextDocument, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!isObject(value)) throw document.errorAt(["config"], "must be an object of settings");
  return Object.entries(value).map(([key, item]) => `${key}=${typeof item === "string" ? item : JSON.stringify(item)}`);
}
