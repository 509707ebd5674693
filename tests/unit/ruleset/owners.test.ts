import { Claims } from "../../../provider/engine/claims.js";
import { objectKeys, ruleKeys, targetOf } from "../../../provider/kinds/rulesets/desired.js";
import { Owners } from "../../../provider/kinds/rulesets/run.js";

const TARGET = targetOf({ zoneId: "z", phase: "http_ratelimit", kind: "custom" });
/** The rule that all cases are about, as the resource `me` sees it. */
const RULE = { id: "id-a", ref: "a" };

/** What is known. Everything else is as in a run in which nothing moves. */
interface Facts {
  /** Which resources of the program declare the rule, by its ref or its ID. */
  readonly declares?: Readonly<Record<string, string>>;
  /** Which resources of the program own the whole ruleset, and which share it. */
  readonly owns?: string;
  readonly shares?: readonly string[];
  /** The resource that had the rule before, and that this run changes or deletes. */
  readonly had?: string;
}

function ownersFor({ declares = {}, owns, shares = [], had }: Facts): Owners {
  const claims = new Claims();
  const rulesets = objectKeys(TARGET, "rs");
  if (owns !== undefined) claims.add(rulesets, owns);
  for (const urn of shares) claims.add(rulesets, urn, "parts");
  for (const [urn, name] of Object.entries(declares)) claims.add(ruleKeys(TARGET, "rs", [name]), urn);
  return new Owners(rulesets, claims, new Map(had === undefined ? [] : [["id-a", { urn: had, version: "3" }]]), "me");
}

const DECLARES = { urn: "you", declares: true };
const had = (urn: string) => ({ urn, declares: false, version: "3" });

test.each<[string, Facts, object | undefined]>([
  ["a rule that nobody declares or had", {}, undefined],
  ["a rule that I declare", { declares: { me: "a" } }, undefined],
  ["a rule that another resource declares by its ref", { declares: { you: "a" } }, DECLARES],
  ["a rule that another resource declares by its ID", { declares: { you: "id-a" } }, DECLARES],
  ["a rule that both declare", { declares: { me: "a", you: "a" } }, DECLARES],
  ["a rule of a ruleset that another resource owns", { owns: "you" }, undefined],
  ["a rule that I had", { had: "me" }, had("me")],
  ["a rule that I had and that another resource declares", { had: "me", declares: { you: "a" } }, DECLARES],
  ["a rule that another resource had and no longer declares", { had: "you" }, had("you")],
  ["the same where I declare it", { had: "you", declares: { me: "a" } }, had("you")],
  ["a rule that another resource had and declares again", { had: "you", declares: { you: "a" } }, DECLARES],
  ["a rule that moves on to another one", { had: "she", declares: { you: "a" } }, DECLARES],
])("the owner of %s is known", (_, facts, owner) => {
  expect(ownersFor(facts).ownerOf(RULE)).toEqual(owner);
});

test("a ruleset is inherited from resources that had all of its rules", () => {
  expect(ownersFor({ had: "you" }).previousHolder([RULE])).toBe("you");
  expect(ownersFor({ had: "you" }).previousHolder([RULE, { id: "id-b", ref: "b" }])).toBeUndefined();
  expect(ownersFor({}).previousHolder([])).toBeUndefined();
});

test.each<[string, Facts, string | undefined]>([
  ["nobody", {}, undefined],
  ["another resource that owns it", { owns: "you" }, "you"],
  ["me, who owns it again", { owns: "me" }, "me"],
  ["others that share it and have every rule", { shares: ["you"], declares: { you: "a" } }, "you"],
  ["nobody, if others that share it lack a rule", { shares: ["you"] }, undefined],
  ["me, who shares it now", { shares: ["me"] }, "me"],
])("a delete of a whole ruleset keeps it for %s", (_, facts, urn) => {
  expect(ownersFor(facts).keeperOfWhole([RULE])).toBe(urn);
});

test.each<[string, Facts, string | undefined]>([
  ["nobody", { shares: ["you"] }, undefined],
  ["another resource that owns the whole", { owns: "you" }, "you"],
  ["another resource that declares it", { declares: { you: "a" } }, "you"],
  ["me, who declare it again", { declares: { me: "id-a" } }, "me"],
])("a delete of the only rule of a list keeps it for %s", (_, facts, urn) => {
  expect(ownersFor(facts).keeperOfRules([RULE])).toBe(urn);
});

test("a removal leaves out what others declare", () => {
  const rules = ["a", "b"].map((ref) => ({ id: `id-${ref}`, ref, version: "1", action: "block" }));
  const [a, b] = rules;
  const removal = { removed: rules, before: 2 };
  expect(ownersFor({}).withoutReleased(removal)).toBe(removal);
  expect(ownersFor({ declares: { you: "a" } }).withoutReleased(removal)).toEqual({
    removed: [b],
    before: 2,
    released: [{ rule: a, to: "you" }],
  });
});
