import { isVersion, newestFirst, noVersionText, rangesText } from "../../../core/model/versions.js";

test.each([
  [["1"], "1"],
  [["2", "1"], "1, 2"],
  [["3", "1", "2"], "1 to 3"],
  [["10", "9", "1", "3", "11", "4"], "1, 3, 4, 9 to 11"],
])("%j is written as %s", (versions, text) => {
  expect(rangesText(versions)).toBe(text);
});

test.each(["1", "12", "9007199254740991"])("%s is a version", (text) => {
  expect(isVersion(text)).toBe(true);
});
test.each(["", "0", "01", "-1", "1.0", "latest", " 1", "1e3", "9007199254740992"])("%j is not a version", (text) => {
  expect(isVersion(text)).toBe(false);
});

test("the latest version is the one with the greatest number", () => {
  const versions = ["9", "10", "2"].map((version) => ({ version }));
  expect(newestFirst(versions).map(({ version }) => version)).toEqual(["10", "9", "2"]);
});

test("a missing version is reported with the existing ones", () => {
  expect(noVersionText("x of zone z", "3", [])).toBe("there is no x of zone z, so it has no version 3");
  expect(noVersionText("x of zone z", "3", [{ version: "4" }, { version: "5" }])).toBe(
    "x of zone z has no version 3: it never existed, or it has been deleted. Versions that exist: 4, 5 (version 5 is the current one)",
  );
});
