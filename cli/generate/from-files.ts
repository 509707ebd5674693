import { readUserFile } from "../../provider/files/read-file.js";
import { readForeign, type ForeignResource } from "../../generator/index.js";

/** Reads states of Terraform, OpenTofu and Pulumi. */
export function readFiles(paths: readonly string[]): ForeignResource[] {
  return paths.flatMap(readState);
}

/** A state may contain secrets, so no part of it appears in a message. */
function readState(path: string): ForeignResource[] {
  const text = decoded(readUserFile(path === "-" ? 0 : path));
  const name = path === "-" ? "standard input" : path;
  const resources = readForeign(parse(text, name));
  if (resources !== undefined) return resources;
  throw new Error(
    `${name} is not a readable state file. To continue: pass a state file of Terraform or OpenTofu (version 4), the output of ` +
      "`terraform show -json` or `tofu show -json`, or that of `pulumi stack export`",
  );
}

/** Decodes a file by its byte order mark: PowerShell writes UTF-16 when output is redirected to a file. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
