import { dirname, resolve } from "node:path";
import { writtenText } from "../../../core/model/json.js";
import { rulesOfDocument } from "../document.js";
import type { LoadedRules, ProgramOptions } from "../loaded.js";
import type { TextDocument } from "../text/text-document.js";
import { readBySchema } from "../../../core/files/file-schema.js";
import { schema } from "../../../core/files/generated/validate-firewall-tests.js";
import { readTests, type Tests } from "./tests.js";

/** A file of tests. */
export interface Suite extends ProgramOptions, Tests {
  readonly file: string;
  /** The rules under test: the folder of a program, or a JSON file. */
  readonly rules?: string;
  /** The rules under test, if the file contains them. */
  readonly own?: LoadedRules;
}

/** @throws FileError with the lines of all mistakes */
export function suiteOf(document: TextDocument): Suite {
  const { file } = document;
  const { rules, mocks, stack, config = {} } = readBySchema(document, schema);
  const pathOf = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(dirname(file), path);
  return {
    file,
    ...readTests(document),
    ...(typeof rules === "object" ? { own: rulesOfDocument(document, rules, ["rules"]) } : { rules: pathOf(rules) }),
    mocks: pathOf(mocks),
    stack,
    config: Object.entries(config).map(([key, item]) => `${key}=${writtenText(item)}`),
  };
}
