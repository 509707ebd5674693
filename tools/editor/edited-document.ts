import { checkPhase } from "../rules-files/check/rule-checks.js";
import { TextDocument } from "../rules-files/text/text-document.js";
import type { Embedded } from "./embedded/embedded.js";
import { expressionsOfInvariants, expressionsOfRules, expressionsOfYamlProgram } from "./embedded/of-document.js";
import { expressionsOfProgram } from "./embedded/of-program.js";

/** What a document is, which decides what is checked in it. */
export type DocumentKind = "rules" | "tests" | "invariants" | "waivers" | "program" | "yaml-program";

const BY_NAME: readonly (readonly [pattern: RegExp, kind: DocumentKind])[] = [
  [/\.firewall\.(?:ya?ml|json)$/, "tests"],
  [/\.invariants\.(?:ya?ml|json)$/, "invariants"],
  [/(?:^|[/.-])waivers\.(?:ya?ml|json)$/, "waivers"],
];

/** What a document is, by its name and, for programs and for rules in any file, by its text; undefined if it is neither. */
export function kindOf(name: string, text: string): DocumentKind | undefined {
  const [, named] = BY_NAME.find(([pattern]) => pattern.test(name)) ?? [];
  if (named !== undefined) return named;
  if (/\.[cm]?[jt]sx?$/.test(name)) return /["']pulumi-rulesets["']/.test(text) ? "program" : undefined;
  if (/\.ya?ml$/.test(name) && /^\s*["']?type["']?:\s*["']?rulesets:/m.test(text)) return "yaml-program";
  return /\.(?:ya?ml|json)$/.test(name) && hasRules(text) ? "rules" : undefined;
}

/** Whether a text looks like rulesets, in the spelling of a program or of a response. */
function hasRules(text: string): boolean {
  return (
    /(?:^|[\s{,])"?rules"?\s*:/.test(text) &&
    /(?:^|[\s{,])"?expression"?\s*:/.test(text) &&
    [...text.matchAll(/(?:^|[\s{,])"?phase"?\s*:\s*["']?(\w+)/g)].some(([, phase = ""]) => isLikePhase(phase))
  );
}

/** Whether a name is that of a phase, of one that is newer than this version, or of one that is misspelled. */
function isLikePhase(name: string): boolean {
  if (/^(?:http_|ddos_|magic_transit)/.test(name)) return true;
  return checkPhase({ phase: name, rules: [] }, 0).some(({ instead }) => instead !== undefined);
}

/** A document as an editor has it, saved or not, and what is in it. Everything is worked out when it is first asked for. */
export class EditedDocument {
  private parsed: TextDocument | undefined;
  private found: readonly Embedded[] | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    readonly kind: DocumentKind,
  ) {}

  /** The document of YAML or JSON; only for those that are no programs. */
  get yaml(): TextDocument {
    this.parsed ??= TextDocument.parseLeniently(this.text, this.name);
    return this.parsed;
  }

  /** Its expressions, in their order. */
  get expressions(): readonly Embedded[] {
    this.found ??= this.findExpressions();
    return this.found;
  }

  private findExpressions(): readonly Embedded[] {
    switch (this.kind) {
      case "program":
        return expressionsOfProgram(this.text);
      case "yaml-program":
        return expressionsOfYamlProgram(this.yaml, this.text);
      case "invariants":
        return expressionsOfInvariants(this.yaml, this.text);
      case "waivers":
        return [];
      case "rules":
      case "tests":
        return expressionsOfRules(this.yaml, this.text);
    }
  }
}
