import type { GeneratedProgram, LeftOut } from "../../generator/index.js";
import { plural } from "../../../core/model/words.js";

/** A zone or account that could not be read. */
export interface UnreadScope {
  readonly name: string;
  readonly failure: string;
}

/** What the program does not contain, with the reasons, and what has to be added by hand. */
export function missingWords(
  { secrets, leftOut, unchecked }: Pick<GeneratedProgram, "secrets" | "leftOut" | "unchecked">,
  unread: readonly UnreadScope[],
): string[] {
  return [
    ...unread.map(({ name, failure }) => `${name} could not be read: ${failure}`),
    ...section(`${plural(leftOut.length, "item")} left out:`, leftOut.map(leftOutWords)),
    ...section(
      `${plural(unchecked.length, "part")} in \`wire\`, unchecked, because a preview refuses or does not know what is there:`,
      unchecked.map(leftOutWords),
    ),
    ...section(
      `${plural(secrets.length, "value")} not written, because ${secrets.length === 1 ? "it looks" : "they look"} like a secret. Set ${secrets.length === 1 ? "it" : "each"} to the value at the service:`,
      secrets.map(({ key, where, what }) => `pulumi config set --secret ${key}   # ${what}, ${where}`),
    ),
  ];
}

/** Values that an import writes in clear, because it cannot know that they are secrets. */
export function clearSecretWords(secrets: GeneratedProgram["secrets"]): string[] {
  return section(
    `${plural(secrets.length, "value")} ${secrets.length === 1 ? "looks" : "look"} like a secret. An import writes ${secrets.length === 1 ? "it" : "them"} to the program and the state in clear; make ${secrets.length === 1 ? "it a secret" : "them secrets"} in the program before the next \`pulumi up\`:`,
    secrets.map(({ where, what }) => `${what}, ${where}`),
  );
}

function leftOutWords({ where, what, reason }: LeftOut): string {
  return `${where}: ${what}: ${reason.replace(/\n/g, "\n    ")}`;
}

function section(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[head, ...lines.map((line) => `  ${line}`)].join("\n")];
}

/** Where the previous WAF still protects zones, which no program declares. */
export function previousWafWords(zones: readonly string[]): string[] {
  return section(
    "The previous WAF, which no program can declare, still protects these zones. To see the rules that replace it:",
    zones.map((zone) => `npx pulumi-rulesets migration plan --zone ${zone}`),
  );
}

/** What another tool's state does not say about previous features. */
export const FROM_STATE =
  "The previous rules stay with the old tool; MIGRATION.md says how to switch. A state may lack rules of the zone: " +
  "`npx pulumi-rulesets migration verify` compares all that the zone has.";

/** That project files existed already. */
export function keptWords(kept: readonly string[]): string[] {
  const was = kept.length === 1 ? "was" : "were";
  return kept.length === 0 ? [] : [`${kept.join(", ")} ${was} already there and left unchanged.`];
}

/** What to do with a project that was just written. */
export function nextSteps(folder: string, secrets: number, adds: boolean): string {
  return [
    "To continue:",
    `  cd ${folder}`,
    "  npm install",
    "  pulumi stack init <name>",
    "  pulumi config set --secret rulesets:apiToken",
    ...(secrets === 0 ? [] : ["  pulumi config set --secret <key>             # for each of the values above"]),
    `  pulumi preview                               # takes ${adds ? "over what exists, and shows the new rules" : "everything over and writes nothing"}`,
  ].join("\n");
}

/** What to do with an import file that was just written. */
export function importSteps(path: string): string {
  return [
    "To continue, in a project whose plugin is installed (docs/plugin.md):",
    `  pulumi import --file ${path} --out imported.<extension of the language>`,
    "  # add the code of that file to the program",
    "  pulumi preview                               # finds nothing to change",
  ].join("\n");
}
