/** Rules without refs, about a kilobyte each. */
export const rulesOf = (count, word) =>
  Array.from({ length: count }, (_, index) => ({
    action: "block",
    description: `${word} ${index}`,
    expression: `http.host in {${Array.from({ length: 32 }, (_item, at) => `"${word}-${index}-${at}.example.com"`).join(" ")}}`,
  }));

/** A value as the engine passes it on: nothing is shared with the original, so nothing computed for that one is known. */
export const copyOf = (value) => JSON.parse(JSON.stringify(value));
