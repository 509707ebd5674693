import { existsSync, statSync } from "node:fs";
import type { RequestInput } from "../../language/index.js";
import { fromLine, readRequest } from "../../rules-files/request.js";
import { TextDocument } from "../../provider/files/text-document.js";

/** Parses `--request`: a file, an object in YAML or JSON, or `METHOD URL`. */
export function requestFrom(text: string): RequestInput {
  const isFile = existsSync(text) && statSync(text).isFile();
  if (!isFile && !text.trim().startsWith("{")) return fromLine(text) as RequestInput;
  const document = isFile ? TextDocument.read(text) : TextDocument.parse(text, "--request");
  return readRequest(document, document.value, []);
}
