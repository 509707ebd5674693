import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The bundle of `style.css`: beside the compiled commands, and for their sources in the folder of the compiled ones. */
const STYLE_FILES = [
  join(__dirname, "report.css"),
  join(__dirname, "..", "..", "..", "dist", "tools", "cli", "page", "report.css"),
];

/** The style of the pages. */
export function readStyle(): string {
  const file = STYLE_FILES.find((path) => existsSync(path));
  if (file === undefined) throw new Error("the style of the page is not bundled: run npm run build");
  return readFileSync(file, "utf8");
}
