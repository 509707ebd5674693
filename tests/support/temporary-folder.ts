import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, removed at the end of the run with all other temporary files. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "test-"));
