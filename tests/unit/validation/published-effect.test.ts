import { listEffectText, parseListEffect, type ListEffect } from "../../../provider/validation/published-effect.js";

const EFFECT: ListEffect["effect"] = {
  verdict: "looser",
  weakens: "yes",
  looser: "shown",
  stricter: "ruledOut",
  lines: ["GET /admin from 192.0.2.8: blocked → allowed", "  by nobody"],
  notJudged: [{ what: 'rule "Secret"', why: "its expression is secret", decidedBy: "the expression" }],
};

test("an effect of changed lists is a sentence for people", () => {
  expect(listEffectText({ lists: ["office", "partners"], effect: EFFECT })).toBe(
    "plan: the change of $office, $partners makes these rules looser " +
      "(protection is weakened: yes; looser: shown; stricter: ruledOut)\n" +
      "  GET /admin from 192.0.2.8: blocked → allowed\n    by nobody\n" +
      '  not judged: rule "Secret", because its expression is secret; decided by the expression',
  );
});

test.each<[string, Partial<ListEffect["effect"]>]>([
  ["as it is", {}],
  ["with words", { words: "lets requests through that were blocked" }],
  ["without lines", { lines: [], notJudged: [] }],
  ["that changes nothing", { verdict: "equivalent", weakens: "no", looser: "ruledOut" }],
  ["in both directions", { verdict: "both", looser: "momentary", stricter: "undecided" }],
  ["that is unknown", { verdict: "unknown", weakens: "unknown" }],
])("an effect %s is read back as it was written", (_, more) => {
  const effect = { lists: ["office"], effect: { ...EFFECT, ...more } };
  expect(parseListEffect(listEffectText(effect))).toEqual(effect);
});

test.each(["plan: sends PUT /x", "the change of $office makes these rules looser"])("%j is another message", (text) => {
  expect(parseListEffect(text)).toBeUndefined();
});
