import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { SourcePlace } from "../../rules-files/loaded.js";

/** One run in SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
interface SarifRun {
  /** Of this package. */
  readonly version: string;
  /** What results refer to by `ruleId`. */
  readonly rules: readonly object[];
  readonly results: readonly object[];
  readonly notes: readonly string[];
  /** What could not be read. */
  readonly failures: readonly { readonly label: string; readonly failure: string }[];
}

/** What the format calls the severities of findings. */
export const SARIF_LEVELS = { error: "error", warning: "warning", info: "note" } as const;

export function sarifLog({ version, rules, results, notes, failures }: SarifRun): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "pulumi-rulesets", version, semanticVersion: version, rules } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: [
              ...notes.map((text) => ({ level: "note", message: { text } })),
              ...failures.map(({ label, failure }) => ({ level: "error", message: { text: `${label}: ${failure}` } })),
            ],
          },
        ],
        results,
      },
    ],
  };
}

/** The physical location of a result, as far as it is known. */
export function physicalLocation(place: SourcePlace | undefined): object {
  if (place === undefined) return {};
  const { file, line, column } = place;
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column } };
  return { physicalLocation: { artifactLocation: artifactOf(file), ...region } };
}

/** Identifies a result across runs. */
export function fingerprint(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A file relative to its repository, which is how code scanning finds it; outside of one, to the folder of the command. */
function artifactOf(file: string): object {
  const parts = relative(repositoryOf(resolve(file)) ?? "", resolve(file)).split(/[\\/]/);
  return { uri: parts.map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
}

function repositoryOf(file: string): string | undefined {
  const folder = dirname(file);
  if (existsSync(join(folder, ".git"))) return folder;
  return folder === file ? undefined : repositoryOf(folder);
}
