import { toBytes } from "../../../core/language/bytes";
import { compileRegex } from "../../../core/language/regex/engine";
import { regexFault } from "../../../core/language/regex/parse";
import { fc, runs } from "../../support/properties.js";

const test = (pattern: string, text: string): boolean | undefined => compileRegex(pattern)?.test(toBytes(text));

describe("regular expressions", () => {
  it.each([
    ["b", "abc", true],
    ["^b", "abc", false],
    ["^/a", "/abc", true],
    ["c$", "abc", true],
    ["a$", "a\n", false],
    ["a\\z", "a", true],
    ["(?m)^b$", "a\nb\nc", true],
    ["A", "a", false],
    ["(?i)A", "a", true],
    ["(?i:A)b", "aB", false],
    ["(?i)a(?-i)b", "Ab", true],
    ["(?i)a(?-i)b", "AB", false],
    ["a(?i)b|c", "C", true],
    [".", "\n", false],
    ["(?s).", "\n", true],
    [".", "\u2028", true],
    ["^.$", "é", false],
    ["^..$", "é", true],
    ["(?u)^.$", "é", true],
    ["(?u)^.$", "😀", true],
    ["é", "café", true],
    ["^caf\\xc3\\xa9$", "café", true],
    ["^caf\\xe9$", "café", false],
    ["(?u)^caf\\xe9$", "café", true],
    ["\\x{e9}", "café", true],
    ["\\u00e9", "café", true],
    ["(?i)É", "é", false],
    ["(?iu)É", "é", true],
    ["(?iu)k", "\u212a", true],
    ["(?i)k", "\u212a", false],
    ["\\w", "é", false],
    ["(?u)^\\w+$", "é", true],
    ["(?u)\\p{Hangul}+", "한", true],
    ["(?u)\\p{L}", "1", false],
    ["(?u)^\\P{L}$", "1", true],
    ["(?u)[é-ü]", "ö", true],
    ["(?u)^[^é]$", "e", true],
    ["\\d{2,3}", "a12", true],
    ["^\\d{2,3}$", "1234", false],
    ["^a{2}$", "aa", true],
    ["^a{2,}$", "aaaa", true],
    ["^a{ 1 , 2 }$", "aa", true],
    ["^a{1 ,}$", "aa", true],
    ["\\s", "\u000b", true],
    ["[a-y&&xyz]", "x", true],
    ["[a-y&&xyz]", "a", false],
    ["[0-9--4]", "4", false],
    ["[a-g~~b-h]", "a", true],
    ["[a-g~~b-h]", "c", false],
    ["(?i)[a-c--a]", "A", false],
    ["(?i)[a-c&&B]", "b", true],
    ["(?i)[a-c~~B]", "b", false],
    ["(?i)[a-c--[^A]]", "a", true],
    ["^(?:(?i))*a$", "a", true],
    ["[x[^xyz]]", "a", true],
    ["[x[^xyz]]", "y", false],
    ["[[:alpha:]_]", "_", true],
    ["[[:^alpha:]]", "a", false],
    ["[]a]", "]", true],
    ["[^]a]", "]", false],
    ["[-a]", "-", true],
    ["[--a]", "a", true],
    ["[^--a]", "-", false],
    ["[---a]", "a", true],
    ["[]--]]", "]", false],
    ["[[:alpha:]-z]", "-", true],
    ["[a-]", "-", true],
    ["[\\w-]", "-", true],
    ["[\\]\\[]", "[", true],
    ["(?x) a b # comment", "ab", true],
    ["\\bfoo\\b", "a foo b", true],
    ["\\bfoo\\b", "afoo", false],
    ["\\Boo", "foo", true],
    ["(?P<year>\\d+)-(?<month>\\d+)", "2026-10", true],
    ["a*+", "aaa", true],
    ["a**", "", true],
    ["(?U)a+", "aaa", true],
    ["", "anything", true],
    ["a|", "", true],
    ["()", "", true],
    ["}", "}", true],
    ['\\/\\-\\"\\_', '/-"_', true],
    ["^(?:a|ab)(?:c|bcd)$", "abcd", true],
    [`^a{${String(2500)}}$`, "a".repeat(2500), true],
    [`^a{${String(2500)}}$`, "a".repeat(2499), false],
  ])("%s on %s", (pattern, text, expected) => {
    expect(regexFault(pattern)).toBeUndefined();
    expect(test(pattern, text)).toBe(expected);
  });

  it.each([
    ["(a", /no closing/, true],
    ["a)", /no matching/, true],
    ["[a", /class has no closing/, true],
    ["[]", /class has no closing/, true],
    ["(?=a)", /look-around/, true],
    ["(?<!a)", /look-around/, true],
    ["(a)\\1", /is a backreference/, true],
    ["\\k<a>", /is a backreference/, true],
    ["*a", /nothing to repeat/, true],
    ["a|+", /nothing to repeat/, true],
    ["a{3,1}", /maximum below/, true],
    ["[z-a]", /reversed/, true],
    ["a\\", /single backslash/, true],
    ["(?>a)", /not start a valid group/, true],
    ["(?<a>x)(?<a>y)", /two groups/, true],
    ["(?ii)a", /`i` twice/, true],
    ["(?i-i:a)", /`i` twice/, true],
    ["a(?i)*", /nothing to repeat/, true],
    ["a(?i){2}", /nothing to repeat/, false],
    ["[\\w-z]", /range must start with a single character/, true],
    ["a{x}", /repetition count/, false],
    ["a{,2}", /repetition count/, false],
    ["a{1, }", /repetition count/, false],
    ["\\Z", /`\\z`/, false],
    ["\\y", /not a valid escape/, false],
    ["(?q)a", /not a flag/, false],
    ["\\p{L}", /\(\?u\)/, false],
    ["[é]", /\(\?u\)/, false],
    ["(?u)\\p{Nonsense}", /not a known property/, false],
  ])("reports what is wrong with %s", (pattern, message, sure) => {
    expect(regexFault(pattern)).toMatchObject({ message: expect.stringMatching(message) as string, sure });
  });

  it('reports "unknown" where it cannot run a pattern', () => {
    expect(compileRegex("(?u)\\bx")).toBeUndefined();
    expect(compileRegex("a{4294967295}")).toBeUndefined();
    expect(compileRegex("(a")).toBeUndefined();
  });

  it("finds the first match with its groups", () => {
    expect(compileRegex("(a+)(b)?")?.find("xaac")).toEqual({ start: 1, end: 3, groups: ["aa", "aa", ""] });
    expect(compileRegex("a")?.find("b")).toBeUndefined();
  });

  it("agrees with JavaScript where both have the same meaning", () => {
    const atom = fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        "c",
        ".",
        "[ab]",
        "[^a]",
        "\\d",
        "\\w",
        "\\W",
        "\\.",
        "^",
        "$",
        "\\b",
        "\\B",
        "(?:)",
        "[\\d-]",
      ),
    );
    const pattern = fc.letrec((tie) => ({
      one: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie("one"), tie("one")).map((two) => two.join("")),
        fc.tuple(tie("one"), tie("one")).map((two) => `(?:${two.join("|")})`),
        fc
          .tuple(tie("one"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "*?", "+?"))
          .map(([one, count]) => `(${String(one)})${count}`),
      ),
    })).one;
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abc1. ]{0,8}$/), (one, text) => {
        expect(test(one, text)).toBe(new RegExp(one).test(text));
      }),
      { numRuns: runs(700) },
    );
  });

  it("never crashes on any pattern", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab()[\]{}*+?|\\^$.,0-9:=!<>Piu&~é-]{0,12}$/), (pattern) => {
        const fault = regexFault(pattern);
        if (fault === undefined) compileRegex(pattern)?.test("ab");
        else expect(fault.message).toContain("invalid regular expression");
      }),
      { numRuns: runs(1000) },
    );
  });

  it("does not take exponential time where JavaScript does", () => {
    expect(test("^(a+)+$", `${"a".repeat(5000)}b`)).toBe(false);
    expect(test("(a|a|a)*(a|aa)+$", `${"a".repeat(5000)}b`)).toBe(false);
  });
});
