import { readCorpora, verdictOf } from "./corpus";

describe.each(readCorpora())("the corpus $name", ({ entries }) => {
  it("has entries", () => {
    expect(entries.length).toBeGreaterThan(20);
  });

  it("is judged as recorded", () => {
    const differences = entries.filter((entry) => JSON.stringify(verdictOf(entry)) !== JSON.stringify(entry.verdict));
    expect(differences).toEqual([]);
  });
});
