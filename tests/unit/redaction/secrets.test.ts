import { Secrets } from "../../../client/redaction/secrets.js";

const hiding = (...values: unknown[]): Secrets => {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
};
const inExpression = (expression: string): Secrets => {
  const secrets = new Secrets();
  secrets.add(expression, ["rules", 0, "expression"]);
  return secrets;
};

describe("a request", () => {
  const secret = 'http.request.headers["x-key"][0] eq "hunter2 & <sön>"';
  test.each<[string, unknown, boolean]>([
    ["as it is", { rules: [{ expression: secret }] }, true],
    ["inside a longer expression", { rules: [{ expression: `(${secret}) and ssl` }] }, true],
    ["with other white space and case", [secret.toUpperCase().replaceAll(" ", "  ")], true],
    ["as a key", { [secret]: true }, true],
    ["not at all", { rules: [{ expression: "ssl", description: "hunter" }] }, false],
    ["without a body", undefined, false],
  ])("carries a secret %s: %j, %s", (_, body, expected) => {
    expect(inExpression(secret).isIn(body)).toBe(expected);
  });

  test("carries no credential: those are in a header", () => {
    const secrets = new Secrets();
    secrets.addCredential("a-token-of-forty-characters");
    expect(secrets.isIn({ description: "a-token-of-forty-characters" })).toBe(false);
    expect(secrets.hide("Bearer A-token-of-forty-characters")).toBe("Bearer [secret]");
    expect(secrets.contains("somebody pasted a-token-of-forty-characters")).toBe(true);
  });
});

describe("a sentence about a secret", () => {
  test("loses what it quotes, and the words of the secret", () => {
    const secrets = inExpression('http.host eq "hunter2');
    expect(secrets.hideQuotes('"hunter2 is not closed; did you mean "hunt"? near hunter2')).toBe(
      '"[secret]"hunt"? near [secret]',
    );
  });
});

describe("our own messages", () => {
  test("are unchanged, except for secrets that they quote", () => {
    const secrets = hiding("to-continue-in-production", "abcd");
    expect(secrets.hide("To continue: name abcd, or to-continue-in-production")).toBe(
      "To continue: name [secret], or [secret]",
    );
  });
  test("keep the words of the API, whatever the secret rules are", () => {
    const secrets = hiding({ action: "block", expression: "true", description: "night shift" });
    expect(secrets.hide('block "night shift" when true')).toBe('block "[secret]" when true');
  });
  test("keep the words of the rules language", () => {
    const secrets = inExpression('http.request.uri.path eq "/hidden-door" and ip.src in {198.51.100.77 $friends}');
    expect(secrets.hide('http.request.uri.path eq "/admin"')).toBe('http.request.uri.path eq "/admin"');
    expect(secrets.hide("/hidden-door 198.51.100.77 $friends")).toBe("[secret] [secret] [secret]");
  });
  test("keep what is shown in clear elsewhere, even if a secret contains it, and nothing next to it", () => {
    const secrets = new Secrets();
    secrets.publish(["partners-3f9a"]);
    secrets.add([{ ref: "partners-3f9a", expression: 'http.cookie contains "hunter2-qxz"' }], ["rules"]);
    expect(secrets.hide("rule partners-3f9a was moved")).toBe("rule partners-3f9a was moved");
    expect(secrets.contains("partners-3f9a")).toBe(false);
    expect(secrets.contains('http.cookie contains "hunter2-qxz"')).toBe(true);
    expect([secrets.isPublished("partners-3f9a"), secrets.isPublished("hunter2-qxz"), secrets.isPublished(7)]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("keep a word of which a secret is only a part, and not the secret itself", () => {
    const secrets = hiding("test");
    expect(secrets.hide("the latest about a test, and (Test)")).toBe("the latest about a [secret], and ([secret])");
  });
  test("hide nothing shorter than four characters", () => {
    expect(hiding("abc", "", 7).hide("abc 7")).toBe("abc 7");
  });
});

describe("a value written by someone else", () => {
  const secrets = inExpression('http.request.headers["x-key"][0] eq "hunter2-very-secret"');
  test.each<[string, unknown, boolean]>([
    ["a copy", 'http.request.headers["x-key"][0] eq "hunter2-very-secret"', true],
    ["the same text with other formatting", 'http.host contains "hunter2-very-secret"', true],
    ["a long part of it", "was hunter2-very, now else", true],
    ["another rule in the same language", 'http.request.headers["x-other"][0] eq "open"', false],
    ["a common word", "very good", false],
    ["inside an object", { headers: { "x-a": { value: "hunter2-very-secret" } } }, true],
    ["a word of the API", "block", false],
  ])("%s: %j is %s", (_, value, expected) => {
    expect(secrets.contains(value)).toBe(expected);
  });
  test("an expression without strings is treated as a whole", () => {
    const plain = inExpression("cf.client.bot and ssl");
    expect(plain.contains("cf.client.bot and ssl")).toBe(true);
    expect(plain.contains("cf.client.bot or not ssl")).toBe(true);
    expect(plain.contains("ssl")).toBe(false);
  });
  test("numbers count as they are written, and keys inside a secret as strings", () => {
    const secrets = hiding({ headers: { "X-Hidden": { value: 90_210 } } });
    expect([secrets.contains(90_210), secrets.contains("x-hidden"), secrets.contains(864)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
