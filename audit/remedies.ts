import type { FindingName } from "./report.js";

/** What to do about each finding. */
export const REMEDIES: Readonly<Record<FindingName, string>> = {
  "no-protection":
    "Deploy rules in this phase, as in the other zones, or remove what the zone does not need to protect.",
  "log-only": "Change the action of the rules to block or managed_challenge once their matches have been reviewed.",
  "managed-ruleset-off": "Enable the rule that executes it, or its rules in the overrides.",
  "managed-rules-off":
    "Remove the overrides that switch rules off, or replace them with a skip rule for the requests concerned.",
  "managed-rules-logged": "Remove the overrides that only log once their matches have been reviewed.",
  "sensitivity-lowered": "Remove the overrides of the sensitivity, or limit them to the rules that need them.",
  "dead-override": "Delete it, or name the rule that took its place; `managed diff` shows what changed.",
  "managed-for-some": "Execute it for every request, with a skip rule for exceptions.",
  "skip-for-everybody": "Limit the expression to the requests that must pass, or remove the rule.",
  "skip-without-description": "Describe for whom the rule is and who asked for it, or remove it.",
  skip: "Check that the requests still need to pass; name addresses and paths as narrowly as possible.",
  "disabled-rule": "Enable the rule, or delete it.",
  expired: "Delete the rule, or give it another end.",
  expiring: "Decide whether the rule is still needed, and give it another end or none.",
  "never-matches": "Correct the expression, or delete the rule.",
  covered: "Move the rule before those that cover it, or delete it.",
  "late-skip": "Move the rule before what it is to skip.",
  "invalid-expression": "Correct the expression; `rules explain` shows where it fails.",
  "not-executed": "Execute the ruleset in the entry point of its phase, or delete it.",
  quota: "Join rules, use lists, or order more rules before the quota is used up.",
  "unused-list": "Delete the list, or use it in a rule.",
  "list-of-everything": "Remove items until the list names only those that it is for.",
  "wide-item": "Replace the item with the networks that it is for.",
  "expired-item": "Remove the item, or give it a new date.",
};
