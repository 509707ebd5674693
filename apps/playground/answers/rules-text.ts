import { rulesOfDocument, rulesOfList } from "../../../tools/rules-files/document.js";
import type { LoadedRules } from "../../../tools/rules-files/loaded.js";
import { TextDocument, type Steps } from "../../../tools/rules-files/text/text-document.js";
import { isObject } from "../../../core/model/json.js";
import type { RuleInput } from "../../../core/simulator/index.js";

/** What a text contains: an expression, a list of rules, or rulesets as `rules check` reads them from a file. */
export type TextKind = "expression" | "rules" | "rulesets";

export interface RulesText {
  readonly kind: TextKind;
  readonly loaded: LoadedRules;
  /** The phase that was assumed, if the text names none. */
  readonly assumedPhase?: string;
  /** What was read; missing for an expression. */
  readonly document?: TextDocument;
  /** Whether the document has tests of the rules. */
  readonly hasTests?: boolean;
}

/**
 * Reads what somebody pasted. An expression becomes a rule that blocks, and a list of rules gets a phase, so that everything that
 * works for a file works for them.
 * @param name of the text, for messages
 * @throws Error with the line of the mistake
 */
export function readRulesText(text: string, name: string): RulesText {
  if (!looksLikeDocument(text)) return ofExpression(text.trim());
  const document = TextDocument.parse(text, name);
  const { value } = document;
  if (isRuleList(value)) return ofRules(document, value, []);
  if (isObject(value) && typeof value.rules === "string") {
    throw document.errorAt(["rules"], "names a file or a folder, which this page cannot read: put the rules here");
  }
  if (isObject(value) && "tests" in value) return { ...ofTests(document, value), hasTests: true };
  return { kind: "rulesets", document, loaded: rulesOfDocument(document) };
}

/** Rules with tests, as in a file that ends in `.firewall.yaml`; a list of rules without a phase gets one here too. */
function ofTests(document: TextDocument, { rules, phase }: Readonly<Record<string, unknown>>): RulesText {
  if (phase !== undefined) return { kind: "rulesets", document, loaded: rulesOfDocument(document) };
  if (isRuleList(rules)) return ofRules(document, rules, ["rules"]);
  return { kind: "rulesets", document, loaded: rulesOfDocument(document, rules, ["rules"]) };
}

/** A document starts with a list, an object, a comment or a member; no expression does. */
export function looksLikeDocument(text: string): boolean {
  return /^\s*(?:-\s|---|[[{#]|"?[A-Za-z_]\w*"?:(?:\s|$))/.test(text);
}

const CUSTOM = "http_request_firewall_custom";

function ofExpression(expression: string): RulesText {
  const rule: RuleInput = { action: "block", expression, description: "the expression" };
  const input = { id: "ruleset-0", phase: CUSTOM, rules: [rule] };
  return {
    kind: "expression",
    assumedPhase: CUSTOM,
    loaded: { label: "the expression", rulesets: [{ label: "", input }], notes: [], secrets: [] },
  };
}

function isRuleList(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && "action" in item);
}

/** Reads a list of rules, which is at `at`, as the rules of a ruleset. */
function ofRules(document: TextDocument, rules: readonly Record<string, unknown>[], at: Steps): RulesText {
  const assumedPhase = rules.every((rule) => "ratelimit" in rule) ? "http_ratelimit" : CUSTOM;
  return { kind: "rules", assumedPhase, document, loaded: rulesOfList(document, rules, at, assumedPhase) };
}
