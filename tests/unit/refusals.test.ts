import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import actions from "../../schema/actions.json";
import table from "../../schema/refusals.json";
import { refusalSites } from "../support/refusal-sites.js";

/* Everything that refuses, in the emulator and in previews, stands in schema/refusals.json with its source. */

const SERVICE = [
  "emulator/rulesets",
  "emulator/lists",
  "emulator/certificates",
  "emulator/previous-waf",
  "emulator/body.ts",
];
const PREVIEW = ["provider/validation", "provider/kinds", "core/lists", "core/model/failure.ts"];

const filesIn = (folders: readonly string[]): string[] =>
  execFileSync("git", ["ls-files", ...folders], { encoding: "utf8" })
    .split("\n")
    .filter((file) => file.endsWith(".ts") && !file.includes("/generated/"));
const sites = [
  ...filesIn(SERVICE).flatMap((file) => refusalSites(file, ["refuse", "invalidValue", "invalidItem"])),
  ...filesIn(PREVIEW).flatMap((file) => refusalSites(file, ["failure", "invalid"])),
].map(({ file, text }) => `${file}: ${text}`);
const patterns = table.flatMap(({ code, sites: own = [] }) => own.map((text) => ({ code, pattern: new RegExp(text) })));

describe("the table of refusals", () => {
  test("has one entry for everything that refuses", () => {
    expect(sites.length).toBeGreaterThan(250);
    const entries = sites.map((site) => [
      site,
      ...new Set(patterns.filter(({ pattern }) => pattern.test(site)).map(({ code }) => code)),
    ]);
    expect(entries.filter(({ length }) => length !== 2)).toEqual([]);
  });

  test("has an entry for every error of an expression", () => {
    const known = new Set(table.map(({ finding }) => finding));
    const codes = filesIn(["core/language/check"]).flatMap((file) =>
      Array.from(
        readFileSync(file, "utf8").matchAll(/collector\s*[.](?:error|report)\([^"]*"([a-z-]+)"/g),
        ([, code]) => code,
      ),
    );
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  test("names no place that is gone", () => {
    expect(patterns.filter(({ pattern }) => !sites.some((site) => pattern.test(site)))).toEqual([]);
  });

  test("has each code once, with what it refuses, and a place that says so unless it is assumed, with its date", () => {
    expect(new Set(table.map(({ code }) => code)).size).toBe(table.length);
    for (const { code, refuses, class: known, source, says = "", date = "none" } of table) {
      expect(refuses).not.toBe("");
      expect(["documented", "recorded", "assumed"]).toContain(known);
      const place = known === "assumed" ? /^$/ : /^(?:https:[/][/]\S+|[a-z-]+[.]md)$/;
      expect([code, source]).toEqual([code, expect.stringMatching(place)]);
      expect([code, says === ""]).toEqual([code, known === "assumed"]);
      // Of a page of this package, no date.
      expect(date).toMatch(source.startsWith("https:") ? /^20\d\d-\d\d(-\d\d)?$/ : /^none$/);
    }
  });

  test("and each action its page", () => {
    for (const { source } of Object.values(actions))
      expect(source).toMatch(/^https:[/][/]developers[.]cloudflare[.]com[/]\S+[/]/);
  });
});
