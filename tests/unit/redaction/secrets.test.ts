import { Secrets } from "../../../provider/redaction/secrets.js";
import { echoes, partsOf } from "../../support/echoes.js";
import { fc, runs } from "../../support/properties.js";

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

describe("messages of the service", () => {
  const secret = 'http.request.headers["x-key"][0] eq "hunter2 & <sön>"';
  test.each<[string, string, string]>([
    ["unchanged", `'${secret}' is not valid`, "'[secret]' is not valid"],
    ["half of it", 'at character 9: "eaders["x-key"][0] e"', 'at character 9: "[secret]"'],
    ["cut off with an ellipsis", "near 'hunter2 &…'", "near '[secret]…'"],
    ["escaped by JSON", `bad value ${JSON.stringify(secret)}`, 'bad value "[secret]"'],
    ["escaped by JSON in JSON", `bad ${JSON.stringify(JSON.stringify(secret))}`, 'bad "\\"[secret]\\""'],
    ["escaped by a URL", `?q=${encodeURIComponent(secret)}&page=1`, "?q=[secret]&page=1"],
    ["in a query string", `?${new URLSearchParams({ q: secret }).toString()}&page=1`, "?q=[secret]&page=1"],
    ["in lower case with the digits of a URL", "?q=hunter2%20%26%20%3cs%c3%b6n%3e", "?q=[secret]"],
    ["partly escaped", "x hunter2%20& &lt;sön\\u003e y", "x [secret] y"],
    ["escaped by HTML", "<b>hunter2 &amp; &lt;s&#246;n&#x3E;</b>", "<b>[secret]</b>"],
    ["in upper case", "(HUNTER2) IS NOT VALID", "([secret]) IS NOT VALID"],
    ["quoted by Go", String.raw`(hunter2 & <s\u00f6n>)`, "([secret])"],
    ["as bytes", String.raw`hunter2 & <s\xc3\xb6n>`, "[secret]"],
    ["with its spaces collapsed", "hunter2   &\n<sön>", "[secret]"],
    ["in Base64", `body ${Buffer.from(`{"a":"${secret}"}`).toString("base64")}`, "body eyJhIjoi[secret]In0="],
    ["in hexadecimal", `body ${Buffer.from("hunter2").toString("hex")}00`, "body [secret]00"],
    ["nowhere", "the zone is locked", "the zone is locked"],
  ])("%s", (_, text, expected) => {
    expect(inExpression(secret).hideEcho(text)).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    [
      "the words of a sentence are kept, even if a secret contains them",
      "use a log book of the third gate at night",
      "not entitled: to use the log action in this zone, contact the owner of the account",
      "not entitled: to use the log action in this zone, contact the owner of the account",
    ],
    [
      "but not twelve characters of them in a row",
      "we are not entitled to use it",
      "the zone is not entitled to use the log action",
      "the zone is[secret]the log action",
    ],
    [
      "nor a secret that is one such word",
      "value",
      "'value' is not a valid value",
      "'[secret]' is not a valid [secret]",
    ],
    ["nor two words that are the whole secret", "use this", "near 'use this'", "near '[secret]'"],
    ["nor a word with anything else next to it", "token: use-me!", "near 'token: use-m'", "near '[secret]'"],
    ["nor a word of the secret itself among them", "use the hunter2", "cannot use the hunt", "cannot [secret]"],
    ["nor escaped words", "to use the gate", "?q=to%20use%20the", "?q=[secret]"],
    [
      "a word of a sentence is kept, if the secret has only a part of it",
      "test-5f0c2a9b",
      "the latest version is the greatest one; testing is not over",
      "the latest version is the greatest one; testing is not over",
    ],
    [
      "but not the whole word, if it is ordinary only around other text",
      "latest!9",
      "near 'the latest'",
      "near 'the [secret]'",
    ],
    ["nor what more than one word has of it", "test of 5f0c2a9b", "the latest of all", "the la[secret]all"],
    ["nor the end of another word", "the wintergate", "no value for intergalactic", "no value for [secret]lactic"],
  ])("%s", (_, secret, text, expected) => {
    expect(hiding(secret).hideEcho(text)).toBe(expected);
  });

  test("never shows four consecutive characters of a secret, in any encoding, whole or in part", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 4, maxLength: 60, unit: "grapheme" }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...Object.keys(echoes)),
        fc.nat(),
        fc.nat(),
        (values, encoding, from, length) => {
          const echo = echoes[encoding] ?? String;
          const [value] = values as [string];
          // A run of white space counts as one character.
          fc.pre(values.every((one) => !/[\s+]{2}/.test(one)));
          const characters = Array.from(value);
          const start = from % characters.length;
          const part = characters.slice(start, start + 4 + (length % characters.length)).join("");
          const shown = hiding(...values).hideEcho(`before ${echo(part)} after`);
          for (const piece of partsOf(part, 4)) expect(shown).not.toContain(echo(piece));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe("our own messages", () => {
  test("are unchanged, except for secrets that they quote", () => {
    const secrets = hiding("to-continue-in-production", "abcd");
    expect(secrets.hide("To continue: name abcd, or to-continue-in-production")).toBe(
      "To continue: name [secret], or [secret]",
    );
    expect(secrets.hide('"to-continue-in-\\u0070roduction"')).toBe('"[secret]"');
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
    const text = "the latest about a test, latest2, \\ntest and xtest";
    const shown = "the latest about a [secret], la[secret]2, \\n[secret] and x[secret]";
    expect([secrets.hide(text), secrets.hideEcho(text)]).toEqual([shown, shown]);
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
