import { Claims } from "../../../provider/engine/claims.js";
import { Ledger, type Asker, type ManagingAsker, type Owner } from "../../../provider/kinds/rulesets/ledger.js";
import { RunRecord } from "../../../provider/kinds/rulesets/run-record.js";
import { desiredFrom, objectKeys, ruleKeys, targetOf } from "../../../provider/kinds/rulesets/desired.js";
import { recordOf, type ReleasedRule } from "../../../provider/kinds/rulesets/records.js";
import { keyedEntries, type KeyedRules } from "../../../provider/rules/keyed.js";
import { Rule } from "../../../provider/rules/rule.js";

const PLACE = { zoneId: "z", phase: "http_ratelimit", kind: "custom", rules: {}, order: "" };
const TARGET = targetOf(PLACE);
/** The rule that all cases are about, as the resource `me` sees it. */
const RULE = { id: "id-a", ref: "a", version: "3" };
const ME: Asker = { urn: "me" };

/** What is known. Everything else is as in a stack in which nothing moves. */
interface Facts {
  /** Which resources of the program declare the rule, by its ref or its ID. */
  readonly declares?: Readonly<Record<string, string>>;
  /** Which resources of the program own the whole ruleset, and which share it. */
  readonly owns?: string;
  readonly shares?: readonly string[];
  /** The resource for which this run has written the rule. */
  readonly applied?: string;
  /** Resources that do not change in this run. */
  readonly unchanged?: readonly string[];
  /** Resources that this run has checked, and that it has deleted. */
  readonly checked?: readonly string[];
  readonly deleted?: readonly string[];
  /** Resources that this run is to create. */
  readonly creates?: readonly string[];
  /** By URN, rules that deletes of this run released for a resource, with their rulesets. */
  readonly releasedTo?: Readonly<Record<string, ReleasedRule & { readonly rulesetId: string }>>;
  /** The state of the stack; `unread` where it cannot be read, as in a `destroy`. @default an empty stack */
  readonly states?: readonly object[] | "unread";
  readonly asker?: Asker;
  /** By URN, what resources declared before this run replaced them. */
  readonly before?: Readonly<Record<string, KeyedRules>>;
}

/** The state of a list that has the rule. */
const has = (urn: string, more: object = {}) => ({
  ...{ __urn: urn, rulesetId: "rs", ownership: "shared", ruleIds: { a: "id-a" } },
  deployedRules: [RULE],
  ...more,
});
/** The state of a list that released the rule for another resource, which did not have it by then. */
const released = (urn: string, to: string, version = "3") => {
  const rule = { id: "id-a", ref: "a", version, to };
  return { __urn: urn, rulesetId: "rs", ownership: "shared", ruleIds: {}, deployedRules: [], __released: [rule] };
};

/** What a ledger reads where it is not asked about rules of the program. */
const NOTHING = { rulesets: objectKeys(TARGET, "rs"), rulesetId: "rs" };

function ledgerFor(facts: Facts): Ledger {
  const { declares = {}, applied, unchanged = [], checked = [], deleted = [], states = [], before = {} } = facts;
  const { owns, shares = [], creates = [], releasedTo = {} } = facts;
  const claims = new Claims();
  const rulesets = objectKeys(TARGET, "rs");
  if (owns !== undefined) claims.add(rulesets, owns);
  for (const urn of shares) claims.add(rulesets, urn, "parts");
  for (const [urn, name] of Object.entries(declares)) claims.add(ruleKeys(TARGET, "rs", [name]), urn);
  const run = new RunRecord();
  if (applied !== undefined) run.applied.set("id-a", applied);
  for (const urn of unchanged) run.unchanged.add(urn);
  for (const urn of deleted) run.deleted.add(urn);
  for (const urn of creates) run.toCreate.add(urn);
  for (const [urn, rule] of Object.entries(releasedTo)) run.release([{ ...rule, to: urn }], rule.rulesetId);
  for (const [urn, rules] of Object.entries(before))
    run.wantedBefore.set(urn, { from: {}, desired: { ...desiredFrom(PLACE), rules } });
  const read = states === "unread" ? [] : states;
  const urns = new Set(read.map((state) => (state as { readonly __urn?: string }).__urn));
  return new Ledger({
    ...NOTHING,
    claims,
    run,
    isChecked: (urn) => checked.includes(urn),
    stack: {
      records: read.flatMap((state) => recordOf({ ...state }, "rs") ?? []),
      isRead: states !== "unread",
      exists: (urn) => urns.has(urn),
    },
  });
}

const mine: Owner = { kind: "mine" };
const foreign: Owner = { kind: "foreign" };
const other = (standing: "pending" | "applied" | "recorded"): Owner => ({ kind: "other", urn: "you", standing });

/* Who owns a rule, as `me` sees it: the situation, what is known, and the answer. */
const CASES: readonly (readonly [situation: string, facts: Facts, owner: Owner])[] = [
  // Nobody of this stack.
  ["a rule that this stack never had", {}, foreign],
  ["a rule of this program's ref that this stack never had", { declares: { me: "a" } }, foreign],
  [
    "a rule that was only taken over because it was equal",
    { states: [has("me", { __takenOverRules: ["a"] })] },
    foreign,
  ],
  ["the same of a whole ruleset", { states: [has("me", { ownership: "exclusive", __takenOver: true })] }, foreign],
  ["a rule of another ruleset", { states: [has("me", { rulesetId: "other" })] }, foreign],
  ["the rule of a resource that a program only reads", { states: [{ ...has("me"), __urn: undefined }] }, foreign],

  // Mine.
  ["a rule in my state", { states: [has("me")] }, mine],
  ["a single rule", { states: [{ __urn: "me", rulesetId: "rs", ruleId: "id-a", ref: "a", version: "3" }] }, mine],
  ["a rule of the whole ruleset that I own", { states: [has("me", { ownership: "exclusive" })] }, mine],
  [
    "a rule in my state under the name that I had before",
    { states: [has("i-was")], asker: { urn: "me", formerUrn: "i-was" } },
    mine,
  ],
  ["a rule that this run wrote for me", { applied: "me", declares: { me: "id-a" } }, mine],
  ["a rule that my state has and I no longer declare", { checked: ["me"], states: [has("me")] }, mine],
  [
    "a rule that two states have, as after a run that stopped halfway, when only mine is checked",
    { checked: ["me"], states: [has("me"), has("you")] },
    { kind: "mine", alsoOwnedBy: "you" },
  ],
  [
    "the same when both are checked and only I declare it",
    { checked: ["me", "you"], states: [has("me"), has("you")] },
    mine,
  ],
  ["the same when the other one has been deleted", { deleted: ["you"], states: [has("me"), has("you")] }, mine],

  // Another resource, which is to have it.
  [
    "a rule that moves to a resource which has not written it",
    { declares: { you: "a" }, states: [has("me")] },
    other("pending"),
  ],
  [
    "the same where that resource claims it by its ID",
    { declares: { you: "id-a" }, states: [has("me")] },
    other("pending"),
  ],
  [
    "the same where the state of the stack cannot be read",
    { declares: { you: "a" }, states: "unread" },
    other("pending"),
  ],
  [
    "a rule that this run wrote for me before the program moved it on",
    { declares: { you: "a" }, applied: "me" },
    other("pending"),
  ],

  // Another resource, which has it.
  ["a rule that this run wrote for another resource", { declares: { you: "a" }, applied: "you" }, other("applied")],
  ["a rule of a resource that does not change", { declares: { you: "a" }, unchanged: ["you"] }, other("applied")],
  [
    "a rule that the state of the resource which declares it has",
    { declares: { you: "a" }, states: [has("you")] },
    other("applied"),
  ],
  ["the same while my state has it too", { declares: { you: "a" }, states: [has("me"), has("you")] }, other("applied")],

  // Another resource, by its state alone.
  [
    "a rule of a resource that this run does not check, as with `--target`",
    { states: [has("you")] },
    other("recorded"),
  ],

  // Released.
  [
    "a rule that a resource of the program no longer declares",
    { checked: ["you"], states: [has("you")] },
    { kind: "released", by: "you" },
  ],
  [
    "a rule of a resource that this run deleted",
    { deleted: ["you"], states: [has("you")] },
    { kind: "released", by: "you" },
  ],
  [
    "a rule that I released in an earlier run, for a resource that does not have it",
    { states: [released("me", "you")] },
    { kind: "released", by: "me", rule: { id: "id-a", ref: "a", version: "3", to: "you" } },
  ],
  [
    "a rule that another resource released for me",
    { declares: { me: "a" }, states: [released("you", "me")] },
    { kind: "released", by: "you", rule: { id: "id-a", ref: "a", version: "3", to: "me" } },
  ],
  [
    "a rule that I released and that the other resource has by now",
    { states: [released("me", "you"), has("you")] },
    other("recorded"),
  ],
  [
    "a rule that I released when I was in this ruleset, before I was replaced in another one",
    {
      states: [
        {
          __urn: "me",
          rulesetId: "new",
          __released: [{ id: "id-a", ref: "a", version: "3", to: "you", rulesetId: "rs" }],
        },
      ],
    },
    { kind: "released", by: "me", rule: { id: "id-a", ref: "a", version: "3", to: "you", rulesetId: "rs" } },
  ],
];

describe("who owns a rule", () => {
  test.each(CASES)("%s", (_, facts, owner) => {
    expect(ledgerFor(facts).ownerOf(RULE, facts.asker ?? ME)).toEqual(owner);
  });
});

test("a resource that this run creates gets what the stack released, and what only a state has that it does not check", () => {
  const inherited = (facts: Facts) => ledgerFor(facts).isInherited(RULE, ME);
  const states = [has("you")];
  expect([
    inherited({ states }),
    inherited({ states, checked: ["you"] }),
    inherited({ states: [released("you", "me")] }),
  ]).toEqual([true, true, true]);
  expect([inherited({ states, declares: { you: "a" } }), inherited({ states: [has("me")] }), inherited({})]).toEqual([
    false,
    false,
    false,
  ]);
});

test("nobody has changed a rule if a state of the stack has its version, or had it when it released the rule", () => {
  const ledger = ledgerFor({ states: [has("you")] });
  expect(["3", "4", ""].map((version) => ledger.isUnchanged({ id: "id-a", version }))).toEqual([true, false, false]);
  expect(ledgerFor({ states: [released("me", "you", "2")] }).isUnchanged(RULE)).toBe(false);
  expect(ledgerFor({ states: [released("me", "you")] }).isUnchanged(RULE)).toBe(true);
  // One of the two states was not written by the run that stopped.
  const stale = has("me", { deployedRules: [{ ...RULE, version: "1" }] });
  expect(ledgerFor({ states: [stale, has("you")] }).isUnchanged(RULE)).toBe(true);
});

describe("a rule that a resource released and that nobody has", () => {
  const rule = { id: "id-a", ref: "a", version: "3", to: "you" };
  const orphans = (facts: Facts, of = rule) => ledgerFor(facts).orphansAmong([of], ME);
  const nobody = { mine: new Map(), unclear: [] };

  test("is its own again if the resource that was to have it exists without it", () => {
    const states = [released("me", "you"), { ...has("you"), ruleIds: {} }];
    expect(orphans({ states })).toEqual({ mine: new Map([["id-a", rule]]), unclear: [] });
  });
  test("belongs to nobody if that resource does not exist, also once that was reported", () => {
    const reported = { ...rule, reported: true };
    expect(orphans({ states: [released("me", "you")] })).toEqual({ mine: new Map(), unclear: [rule] });
    const states = [released("me", "you"), { ...has("you"), ruleIds: {} }];
    expect(orphans({ states }, reported)).toEqual({ mine: new Map(), unclear: [reported] });
  });
  test("is not an orphan while another resource has it or is to have it, or where the state cannot be read", () => {
    const states = [released("me", "you")];
    expect(orphans({ states: [...states, has("you")] })).toEqual(nobody);
    expect(orphans({ states: [...states, has("they")], checked: ["they"] })).toEqual(nobody);
    expect(orphans({ states, declares: { you: "a" } })).toEqual(nobody);
    expect(orphans({ states: "unread" })).toEqual(nobody);
  });
});

describe("a rule that a resource no longer has after a write", () => {
  const known = { ...RULE, secretPaths: [["expression"]] };
  const open = (facts: Facts, before: readonly object[] = [], now: object = RULE) =>
    ledgerFor(facts).openReleases([now as never], new Map([["id-a", known]]), before as never, ME);
  const nothing = { pending: [], unclear: [], edited: [], unread: [] };
  const given = { ...RULE, to: "you" };

  test("is recorded, with its secrets, until the resource that declares it has written it", () => {
    expect(open({ declares: { you: "a" } })).toEqual({ ...nothing, pending: [{ ...known, to: "you" }] });
    expect(open({ declares: { you: "a" }, applied: "you" })).toEqual(nothing);
    expect(open({})).toEqual(nothing);
  });
  test("is unclear if an earlier run released it for a resource that does not exist, and edited if it changed since", () => {
    const states = [released("me", "you")];
    expect(open({ states }, [given])).toEqual({ ...nothing, unclear: [given] });
    expect(open({ states }, [given], { ...RULE, version: "4" })).toEqual({ ...nothing, edited: [given] });
    expect(open({ states, declares: { you: "a" } }, [given])).toMatchObject({ unclear: [], pending: [{ to: "you" }] });
  });
  test("stays recorded where the state of the stack cannot be read, unless somebody has changed it", () => {
    expect(open({ states: "unread" }, [given])).toEqual({ ...nothing, unread: [given] });
    expect(open({ states: "unread" }, [given], { ...RULE, version: "4" })).toEqual(nothing);
  });
});

test("a removal leaves out the rules that other resources of the program declare or that are known to move", () => {
  const rule = { ...RULE, action: "block" };
  const removal = { removed: [rule as never], before: 3 };
  const left = (facts: Facts, moved?: ReadonlyMap<string, string>) =>
    ledgerFor(facts).withoutReleased(removal, ME, moved);
  const moves = { removed: [], before: 3, released: [{ rule, to: "you" }] };
  expect(left({})).toBe(removal);
  expect(left({ declares: { you: "a" } })).toEqual(moves);
  expect(left({ states: [has("you")] })).toBe(removal);
  expect(left({}, new Map([["id-a", "you"]]))).toEqual(moves);
  expect(left({ declares: { me: "a" } })).toBe(removal);
});

test("a whole ruleset is pending until the resource that is to manage it has written it or does not change", () => {
  const whole = (facts: Omit<Facts, "declares">, appliedTo?: string) => {
    const { states = [], unchanged = [] } = facts;
    const claims = new Claims();
    claims.add(objectKeys(TARGET, "rs"), "you");
    const run = new RunRecord();
    for (const urn of unchanged) run.unchanged.add(urn);
    if (appliedTo !== undefined) run.appliedWhole.set("rs", appliedTo);
    const records = (states === "unread" ? [] : states).flatMap((state) => recordOf({ ...state }, "rs") ?? []);
    const stack = { records, isRead: true, exists: () => true };
    return new Ledger({ ...NOTHING, claims, run, isChecked: () => true, stack }).pendingWhole(ME);
  };
  expect(whole({})).toBe("you");
  expect([whole({}, "you"), whole({ unchanged: ["you"] })]).toEqual([undefined, undefined]);
  expect(whole({ states: [has("you", { ownership: "exclusive" })] })).toBeUndefined();
  expect(whole({ states: [has("you")] })).toBe("you");
});

describe("a delete keeps", () => {
  const whole = (facts: Facts) => ledgerFor(facts).keeperOfWhole([RULE], ME);
  const one = { ruleIds: { a: "id-a" } };
  const list = { ...ME, words: { manages: "rules" } } as const;
  const single = { ...ME, words: { manages: "rule" } } as const;
  const rules = (facts: Facts, asker: ManagingAsker = list) => ledgerFor(facts).keeperOfRules(one, asker);

  test("a whole ruleset for the resource that owns it now, which may be the same one again", () => {
    expect([whole({}), whole({ owns: "you" }), whole({ owns: "me" })]).toEqual([undefined, "you", "me"]);
  });
  test("a whole ruleset for those that share it, if they have every rule, or the same one is among them", () => {
    expect(whole({ shares: ["you"] })).toBeUndefined();
    expect(whole({ shares: ["you"], declares: { you: "a" } })).toBe("you");
    expect([whole({ shares: ["me"] }), whole({ shares: ["me", "you"] })]).toEqual(["me", "you"]);
    expect([{}, { shares: ["me"] }, { shares: ["you"] }].map((facts) => ledgerFor(facts).hasOthers(ME))).toEqual([
      false,
      false,
      true,
    ]);
  });

  const own = has("me", { version: "7" });
  const shared = (facts: Facts, state: object = own) => ledgerFor(facts).keeperOfShared(state as never, list);
  test("the rules of one that shares it for the resource that owns it, and not for those that share it", () => {
    expect([shared({ owns: "you" }), shared({ shares: ["you"] })]).toEqual(["you", undefined]);
  });
  test("the rules of one that shares it for others that have every rule, unless it has released some", () => {
    expect(shared({ declares: { you: "a" } })).toBe("you");
    const released = [{ id: "id-b", ref: "b", version: "1", to: "you" }];
    expect(shared({ declares: { you: "a" } }, { ...own, __released: released })).toBeUndefined();
  });
  test("the rules of one that is created again after this, and not those of its old object", () => {
    const facts: Facts = { shares: ["me"], creates: ["me"], states: [own] };
    expect([shared(facts), shared({ ...facts, creates: [] })]).toEqual(["me", undefined]);
    expect(shared(facts, { ...own, version: "6" })).toBeUndefined();
  });
  test("rules that others have, and a single rule that is created again", () => {
    expect([rules({}), rules({ declares: { you: "a" } })]).toEqual([undefined, "you"]);
    const two = ledgerFor({ declares: { you: "a" } }).keeperOfRules({ ruleIds: { a: "id-a", b: "id-b" } }, list);
    expect(two).toBeUndefined();
    expect([rules({ declares: { me: "a" } }), rules({ declares: { me: "a" } }, single)]).toEqual([undefined, "me"]);
    expect(ledgerFor({}).keeperOfRules({ ruleIds: {} }, list)).toBeUndefined();
  });
});

test("the previous holder of a ruleset is the resource that owned it, or else one that took it over", () => {
  const holder = (states: readonly object[]) => ledgerFor({ states }).previousHolder([RULE]);
  const whole = (urn: string, more: object = {}) => has(urn, { ownership: "exclusive", ...more });
  expect(holder([whole("taken", { __takenOver: true }), whole("you")])).toEqual({ urn: "you", owned: true });
  expect(holder([whole("taken", { __takenOver: true })])).toEqual({ urn: "taken", owned: false });
  // One that shared the ruleset owned it only if it had every rule; a single rule never did.
  expect(holder([has("you")])).toEqual({ urn: "you", owned: true });
  expect(holder([released("you", "they")])).toEqual({ urn: "you", owned: true });
  expect(holder([has("you", { ruleIds: {} })])).toEqual({ urn: "you", owned: false });
  expect(holder([{ __urn: "one", rulesetId: "rs", ruleId: "id-a", ref: "a", version: "3" }])).toBeUndefined();
  expect(holder([])).toBeUndefined();
});

test("a resource that is created again has its rules; where no state can be read, those that it declared before", () => {
  const rule = { ...RULE, action: "block", expression: 'http.host eq "a"' };
  const before = { me: keyedEntries([{ ref: "a", rule: { action: "block", expression: 'http.host eq "a"' } }]) };
  const isMineAgain = (facts: Facts, target = TARGET) => ledgerFor(facts).isMineAgain(rule, { ...ME, target });
  expect(isMineAgain({ states: [has("me")] })).toBe(true);
  expect([isMineAgain({ before }), isMineAgain({ before, states: "unread" })]).toEqual([false, true]);
  expect(isMineAgain({ before: { you: before.me }, states: "unread" })).toBe(false);
  const edited = { me: keyedEntries([{ ref: "a", rule: { action: "log", expression: 'http.host eq "a"' } }]) };
  expect(isMineAgain({ before: edited, states: "unread" })).toBe(false);
  // Whoever asked for the ledger of a ruleset first, each asks for its own place.
  const byId = targetOf({ zoneId: "z", phase: "http_ratelimit", rulesetId: "rs", __byId: true, __kind: "custom" });
  expect(isMineAgain({ before, states: "unread" }, byId)).toBe(false);
});

describe("a delete is of a resource that this run creates again after it", () => {
  const own = has("me", { version: "7" });
  const rule = { __urn: "me", rulesetId: "rs", ref: "a", ruleId: "id-a", version: "3", __rulesetVersion: "7" };
  const isFirst = (facts: Facts, state: object = own) => ledgerFor(facts).isDeletedFirst(state as never, ME);
  const creates = ["me"];

  test.each<[situation: string, facts: Facts, state: object | undefined, isFirst: boolean]>([
    ["its last object, with `deleteBeforeReplace`", { creates, states: [own] }, undefined, true],
    ["the same of a single rule", { creates, states: [rule] }, undefined, true],
    ["the same of one whose time is over", { creates, states: [{ ...rule, __expired: true }] }, { ruleIds: {} }, true],
    ["a resource that is not created", { states: [own] }, undefined, false],
    ["an old object, which had another version", { creates, states: [own] }, { version: "6" }, false],
    ["an old object, which had other rules", { creates, states: [own] }, { ruleIds: { a: "id-b" } }, false],
    ["an old object in another ruleset", { creates, states: [{ ...own, rulesetId: "new" }] }, undefined, false],
    ["any object, where the state of the stack cannot be read", { creates, states: "unread" }, { version: "6" }, true],
  ])("%s", (_, facts, state, expected) => {
    expect(isFirst(facts, { ...own, ...state })).toBe(expected);
  });
});

describe("of an old object of a resource that an earlier run replaced, the new one has", () => {
  const now = has("me", { version: "7" });
  const old = { ...now, version: "6" };
  const newer = (facts: Facts, state: object = old) => [...ledgerFor(facts).heldByNewer(state as never, ME)];
  const checked = ["me"];

  test("the rules that it owns or has released", () => {
    expect(newer({ checked, states: [now] })).toEqual(["id-a"]);
    expect(newer({ checked, states: [{ ...released("me", "you"), version: "7" }] })).toEqual(["id-a"]);
    expect(newer({ checked, states: [{ ...now, __takenOverRules: ["a"] }] })).toEqual([]);
  });
  test("nothing if it is the same object, or if the resource is not in the program or is elsewhere now", () => {
    expect(newer({ checked, states: [now] }, now)).toEqual([]);
    const left = {
      ...now,
      __released: [
        { ...RULE, to: "you" },
        { ...RULE, to: "you", rulesetId: "old" },
      ],
    };
    expect(newer({ checked, states: [left] }, left)).toEqual([]);
    expect(newer({ checked, states: [now] }, { ...now, __released: [{ ...RULE, to: "you" }] })).toEqual(["id-a"]);
    expect(newer({ states: [now] })).toEqual([]);
    const elsewhere = {
      ...released("me", "you"),
      rulesetId: "new",
      __released: [{ ...RULE, to: "you", rulesetId: "rs" }],
    };
    expect(newer({ checked, states: [elsewhere] })).toEqual([]);
    expect(newer({ checked, states: "unread" })).toEqual([]);
  });
});

test("a delete waits for those that are to have its rules, each or all of the ruleset", () => {
  const pending = (facts: Facts, state: object = has("me")) =>
    ledgerFor(facts).pendingOnDelete([RULE, { id: "id-b", ref: "b" }], state as never, ME);
  expect(pending({})).toEqual([]);
  expect(pending({ declares: { you: "a" } })).toEqual([{ id: "id-a", ref: "a", to: "you" }]);
  expect(pending({ declares: { you: "a" }, applied: "you" })).toEqual([]);
  expect(pending({ owns: "you" })).toEqual([{ ref: "a", to: "you" }]);
  // Rules that it only took over are not its own; those that it released are.
  expect(pending({ owns: "you" }, has("me", { __takenOverRules: ["a"] }))).toEqual([]);
  expect(pending({ owns: "you" }, released("me", "you"))).toEqual([{ ref: "a", to: "you" }]);
});

describe("rules that a resource released, when it is deleted,", () => {
  const given = { ...RULE, to: "you" };
  const of = (facts: Facts) => ledgerFor(facts).releasedOnDelete({ __released: [given] }, ME);
  const nothing = { mine: new Map(), unclear: [], withOthers: [] };
  const states = [released("me", "you")];

  test("are deleted with it if their new owner exists without them, and unclear if that does not exist", () => {
    const without = { ...has("you"), ruleIds: {} };
    expect(of({ states: [...states, without] })).toEqual({ ...nothing, mine: new Map([["id-a", given]]) });
    expect(of({ states })).toEqual({ ...nothing, unclear: [given] });
  });
  test("are not its own while another resource has them, or its new object", () => {
    expect(of({ states: [...states, has("you")] })).toEqual(nothing);
    expect(of({ states, declares: { you: "a" } })).toEqual(nothing);
    expect(of({ states, declares: { me: "id-a" } })).toEqual(nothing);
  });
  test("stay for their new owner where the state cannot be read, unless that was deleted before", () => {
    expect(of({ states: "unread" })).toEqual({ ...nothing, withOthers: [given] });
    expect(of({ states: "unread", deleted: ["you"] })).toEqual({ ...nothing, mine: new Map([["id-a", given]]) });
  });
  test("are those of others too that this run deleted and that released them for it", () => {
    const rule = { ...RULE, to: "me", rulesetId: "rs" };
    const mine = (releasedTo: Facts["releasedTo"]) =>
      ledgerFor({ ...(releasedTo === undefined ? {} : { releasedTo }) }).releasedOnDelete({}, ME).mine;
    expect(mine({ me: rule })).toEqual(new Map([["id-a", rule]]));
    expect(mine({ me: { ...rule, rulesetId: "new" } })).toEqual(new Map());
    expect(mine({ you: rule })).toEqual(new Map());
  });
});

test("a rule has an owner if a state has it or this run has written it, whoever that is", () => {
  const isOwned = (facts: Facts) => ledgerFor(facts).isOwned(RULE);
  expect([isOwned({}), isOwned({ states: [has("you")] }), isOwned({ applied: "you" })]).toEqual([false, true, true]);
  expect([isOwned({ declares: { you: "a" } }), isOwned({ states: [released("me", "you")] })]).toEqual([false, false]);
  expect(isOwned({ states: "unread", applied: "you" })).toBe(true);
});

describe("a rule that is about to be deleted", () => {
  const block = Rule.of({ action: "block", expression: 'http.host eq "a"' });
  const deployed = [{ ...block.fields, id: "id-a", ref: "a", version: "3" }] as never;
  const unwritten = (urn: string, ref: string, rules = deployed) => {
    const run = new RunRecord();
    run.declare(objectKeys(TARGET, "rs"), urn, keyedEntries([{ ref, rule: block.fields as never }]));
    const sources = { ...NOTHING, claims: new Claims(), run, isChecked: () => true };
    return new Ledger(sources).unwrittenAmong(rules, ({ id }) => id === "id-a", ME);
  };
  test("stays while another resource declares what it does and nothing at the service does it yet", () => {
    expect(unwritten("you", "b")).toEqual([{ ref: "a", to: "you" }]);
    const written = { ...block.fields, id: "id-b", ref: "b", version: "1" };
    expect(unwritten("you", "b", [...(deployed as object[]), written] as never)).toEqual([]);
  });
  test("stays while the new object of the same resource is to have it", () => {
    expect(unwritten("me", "a")).toEqual([{ ref: "a", to: "me" }]);
    expect(unwritten("me", "b")).toEqual([]);
  });
});

test("owners are looked up, so the work does not grow with the pairs of rules", () => {
  const count = 500;
  const ids = Array.from({ length: count }, (_, index) => `id-${String(index)}`);
  let reads = 0;
  const infos = ids.map((id) =>
    Object.defineProperty({ ref: id, version: "3" }, "id", {
      get: () => {
        reads += 1;
        return id;
      },
    }),
  );
  const state = has("you", { ruleIds: Object.fromEntries(ids.map((id) => [id, id])), deployedRules: infos });
  const ledger = ledgerFor({ states: [state] });
  for (const id of ids) {
    expect(ledger.ownerOf({ id, ref: id }, ME)).toEqual(other("recorded"));
    expect(ledger.isUnchanged({ id, version: "3" })).toBe(true);
  }
  expect(reads).toBeLessThanOrEqual(5 * count);
});
