import { SETTING_NAMES } from "../../core/model/settings.js";
import { credentialsNote, missingCredentials, readSettings } from "../../provider/settings.js";

const read = (config: Record<string, string> = {}, env: Record<string, string> = {}) =>
  readSettings((key) => config[key], env);

describe("the first layer with any credential is used as a whole", () => {
  const run = { RULESETS_API_TOKEN: "run" };
  const own = { "rulesets:apiToken": "own" };
  const cloudflare = { "cloudflare:apiToken": "cloudflare" };
  const machine = { CLOUDFLARE_API_TOKEN: "machine" };
  test.each([
    [
      "environment variables of this run",
      { ...own, ...cloudflare },
      { ...run, ...machine },
      "run",
      "RULESETS_API_TOKEN",
    ],
    ["own configuration", { ...own, ...cloudflare }, machine, "own", "rulesets:apiToken"],
    ["the configuration of @pulumi/cloudflare", cloudflare, machine, "cloudflare", "cloudflare:apiToken"],
    ["Cloudflare's environment variables", {}, machine, "machine", "CLOUDFLARE_API_TOKEN"],
  ])("%s", (_, config, env, apiToken, source) => {
    const settings = read(config, env);
    expect(settings.credentials).toEqual({ kind: "token", apiToken });
    expect(settings.source).toContain(source);
  });

  test("never mixes layers: a key above beats a token below", () => {
    const pair = { "rulesets:email": "a@example.com", "rulesets:apiKey": "key" };
    const settings = read({ ...pair, "cloudflare:apiToken": "token" });
    expect(settings.credentials).toEqual({ kind: "key", email: "a@example.com", apiKey: "key" });
  });
  test("never takes half of a pair from another layer", () => {
    expect(() => read({ "rulesets:apiKey": "key" }, { CLOUDFLARE_EMAIL: "a@example.com" })).toThrow(
      "rulesets:apiKey is set but rulesets:email is not",
    );
  });
  test("prefers the token where a layer has both", () => {
    expect(read({}, { CLOUDFLARE_API_TOKEN: "t", CLOUDFLARE_EMAIL: "e", CLOUDFLARE_API_KEY: "k" }).credentials).toEqual(
      { kind: "token", apiToken: "t" },
    );
  });
  test("treats blank values as unset", () => {
    expect(read({ "rulesets:apiToken": " " }).credentials).toBeUndefined();
    expect(missingCredentials().message).toContain("pulumi config set --secret rulesets:apiToken");
  });
});

describe("different credentials in other layers are named, without their values", () => {
  const own = { "rulesets:apiToken": "stored-value" };
  const key = { CLOUDFLARE_EMAIL: "a@example.com", CLOUDFLARE_API_KEY: "key-value" };
  const next = " To use other credentials than the stored ones for one run, set RULESETS_API_TOKEN.";
  const note = (channel: string, used: string, others: string) => {
    const text = `using the token in ${used}. Ignored, because it is different: ${others}.`;
    return { channel, text: channel === "warn" ? text + next : text };
  };
  const stored = "configuration key rulesets:apiToken";
  const variable = "the token in environment variable CLOUDFLARE_API_TOKEN";
  test.each<[string, Record<string, string>, Record<string, string>, object | undefined]>([
    [
      "an override for one run",
      own,
      { RULESETS_API_TOKEN: "run-value", CLOUDFLARE_API_TOKEN: "stored-value" },
      note("info", "environment variable RULESETS_API_TOKEN", `the token in ${stored}, ${variable}`),
    ],
    [
      "a variable that does not override a stored token",
      own,
      { CLOUDFLARE_API_TOKEN: "read-value" },
      note("warn", stored, variable),
    ],
    [
      "the token of @pulumi/cloudflare",
      { ...own, "cloudflare:apiToken": "another-value" },
      {},
      note("warn", stored, "the token in configuration key cloudflare:apiToken"),
    ],
    [
      "a key beside a token",
      { "cloudflare:apiToken": "token-value" },
      key,
      note("warn", "configuration key cloudflare:apiToken", "the key in environment variable CLOUDFLARE_API_KEY"),
    ],
    ["equal ones", own, { CLOUDFLARE_API_TOKEN: "stored-value ", RULESETS_API_TOKEN: "stored-value" }, undefined],
    ["one layer", {}, key, undefined],
    ["none", {}, {}, undefined],
  ])("%s", (_, config, env, expected) => {
    expect(credentialsNote(read(config, env))).toEqual(expected);
  });
});

describe("variables with the prefix of this package", () => {
  test.each([
    ["RULESETS_ON_CONFLCT", "RULESETS_ON_CONFLICT"],
    ["RULESETS_MAX_REMOVED_PERCNT", "RULESETS_MAX_REMOVED_PERCENT"],
    ["RULESETS_API_TOKN", "RULESETS_API_TOKEN"],
    ["RULESETS_APITOKEN", "RULESETS_API_TOKEN"],
    ["RULESETS_BASEURL", "RULESETS_BASE_URL"],
  ])("%s is refused as a misspelling of %s, without its value", (name, near) => {
    expect(() => read({}, { [name]: "a-value" })).toThrow(
      `the environment variable ${name} does not exist; did you mean ${near}?`,
    );
    expect(read({}, { [name]: " " })).toEqual(read());
  });
  test("every one that is read is known", () => {
    const names = new Set<string>();
    const env = new Proxy({}, { get: (_, name) => void names.add(String(name)) });
    readSettings(() => undefined, env);
    const own = [...names].filter((name) => name.startsWith("RULESETS_"));
    expect(own).toContain("RULESETS_MAX_REMOVED_PERCENT");
    for (const name of own) {
      const attempt = () => read({}, { [name]: "?" });
      expect(() => attempt()).not.toThrow("does not exist");
    }
  });
  test.each(["RULESETS_TEST_URL", "RULESETS_TOKEN_FILE", "RULESETS_ZONE_ID", "RULESETS_HOME", "MY_RULESETS_API_TOKN"])(
    "%s may belong to something else",
    (name) => {
      expect(read({}, { [name]: "a-value" })).toEqual(read());
    },
  );
});

test("the base URL is looked up in the same way", () => {
  expect(
    read({ "rulesets:baseUrl": "http://127.0.0.1:1/client/v4/" }, { CLOUDFLARE_BASE_URL: "https://x" }).baseUrl,
  ).toBe("http://127.0.0.1:1/client/v4");
  expect(read({ "rulesets:baseUrl": "http://a" }, { RULESETS_BASE_URL: "http://b" }).baseUrl).toBe("http://b");
  expect(read().baseUrl).toBeUndefined();
  expect(read({ "rulesets:baseUrl": "http://a" }, { CLOUDFLARE_BASE_URL: "other" }).baseUrl).toBe("http://a");
  expect(() => read({}, { RULESETS_BASE_URL: "other" })).toThrow("RULESETS_BASE_URL must be an address such as");
});

test("settings are numbers and choices", () => {
  const settings = read(
    {
      "rulesets:timeoutSeconds": "9",
      "rulesets:maxRetries": "0",
      "rulesets:requestsPerSecond": "2.5",
      "rulesets:previewChecks": "require",
      "rulesets:onConflict": "fail",
      "rulesets:maxRemovedPercent": "12.5",
      "rulesets:dnsServer": "1.1.1.1",
    },
    { RULESETS_DNS_SERVER: "127.0.0.1:5353", RULESETS_ON_CONFLICT: "overwrite", RULESETS_MAX_REMOVED_PERCENT: "100" },
  );
  expect(settings).toMatchObject({
    timeoutSeconds: 9,
    maxRetries: 0,
    requestsPerSecond: 2.5,
    previewChecks: "require",
    onConflictOverride: "overwrite",
    onConflictDefault: "fail",
    maxRemovedPercentOverride: 100,
    maxRemovedPercentDefault: 12.5,
    dnsServer: "127.0.0.1:5353",
  });
});

test.each([
  [
    { "rulesets:timeoutSeconds": "soon" },
    'rulesets:timeoutSeconds is "soon"; it must be a number of seconds from 0.001 to 2147483.',
  ],
  [{ "rulesets:timeoutSeconds": "Infinity" }, "it must be a number of seconds from 0.001 to 2147483."],
  // With 2^31 ms and more a timer fires immediately, and every request with it.
  [{ "rulesets:timeoutSeconds": "2147484" }, "it must be a number of seconds from 0.001 to 2147483."],
  [{ "rulesets:timeoutSeconds": "0x10" }, 'rulesets:timeoutSeconds is "0x10"'],
  [{ "rulesets:requestsPerSecond": "0" }, "it must be a number from 0.001 to 1000000."],
  [{ "rulesets:requestsPerSecond": "1e12" }, "it must be a number from 0.001 to 1000000."],
  [{ "rulesets:requestsPerSecond": "NaN" }, "it must be a number from 0.001 to 1000000."],
  [{ "rulesets:maxRetries": "-1" }, "it must be a whole number from 0 to 100."],
  [{ "rulesets:maxRetries": "1.5" }, "it must be a whole number from 0 to 100."],
  [{ "rulesets:maxRetries": "1e12" }, "it must be a whole number from 0 to 100."],
  [{ "rulesets:dryRun": "yes" }, "must be one of on, warn, off, true, false"],
  [{ "rulesets:maxRemovedPercent": "101" }, 'rulesets:maxRemovedPercent is "101"; it must be a number from 0 to 100.'],
  [{ "rulesets:maxRemovedPercent": "50%" }, "it must be a number from 0 to 100."],
  [{ "rulesets:previewChecks": "sometimes" }, "must be one of auto, require, off"],
  [{ "rulesets:previewChecks": "toString" }, "must be one of auto, require, off"],
  [{ "rulesets:baseUrl": "example.com" }, "must be an address such as"],
  [{ "rulesets:dnsServer": "dns.example.com" }, "rulesets:dnsServer must be the IP address of a DNS server"],
  [{ "rulesets:dnsServer": "5353:53" }, "rulesets:dnsServer must be the IP address of a DNS server"],
])("%j is refused", (config, text) => {
  expect(() => read(config as Record<string, string>)).toThrow(text);
});

test("accepts numbers at the limits of their ranges, and small ones in the notations of people and programs", () => {
  expect(
    read({ "rulesets:timeoutSeconds": "2147483", "rulesets:requestsPerSecond": "1e-3", "rulesets:maxRetries": "100" }),
  ).toMatchObject({ timeoutSeconds: 2_147_483, requestsPerSecond: 0.001, maxRetries: 100 });
});

describe("invalid credentials", () => {
  test.each([
    ["a line break", "abc\ndef"],
    ["a space", "Bearer abcdef"],
    ["a character that headers do not allow", "abc\u2028def"],
    ["quotes", '"abcdef"'],
  ])("a token with %s, which is not shown", (_, token) => {
    const attempt = () => read({ "rulesets:apiToken": token });
    expect(attempt).toThrow("the token in configuration key rulesets:apiToken");
    expect(attempt).toThrow("letters, digits and . _ ~ + / = - only");
    expect(attempt).toThrow(/^(?![^]*abc)/);
  });
  test("a key with a line break, and an e-mail address with one", () => {
    expect(() => read({ "rulesets:email": "a@b.test", "rulesets:apiKey": "a\nb" })).toThrow("rulesets:apiKey");
    expect(() => read({ "rulesets:email": "a@b.test\nx", "rulesets:apiKey": "abc" })).toThrow("rulesets:email");
  });
  test("line breaks around a token come from a file and are removed", () => {
    expect(read({}, { RULESETS_API_TOKEN: " abc\n" }).credentials).toEqual({ kind: "token", apiToken: "abc" });
  });
  test("a token together with a key", () => {
    expect(() => read({ "rulesets:apiToken": "abc", "rulesets:apiKey": "def", "rulesets:email": "a@b.test" })).toThrow(
      "rulesets:apiToken and rulesets:apiKey are both set, but are mutually exclusive: remove one with `pulumi config rm`, or from " +
        "the arguments of Provider.",
    );
    expect(() => read({}, { RULESETS_API_TOKEN: "abc", RULESETS_API_KEY: "def" })).toThrow(
      "RULESETS_API_TOKEN and RULESETS_API_KEY are both set",
    );
  });
  test("an e-mail address with a token is ignored, and other tools' settings may contain both", () => {
    const token = { kind: "token", apiToken: "abc" };
    expect(read({ "rulesets:apiToken": "abc", "rulesets:email": "a@b.test" }).credentials).toEqual(token);
    const both = { CLOUDFLARE_API_TOKEN: "abc", CLOUDFLARE_API_KEY: "def", CLOUDFLARE_EMAIL: "a@b.test" };
    expect(read({}, both).credentials).toEqual(token);
    const config = { "cloudflare:apiToken": "abc", "cloudflare:apiKey": "def", "cloudflare:email": "a@b.test" };
    expect(read(config).credentials).toEqual(token);
  });
});

test.each([
  ["on", "on"],
  ["warn", "warn"],
  ["off", "off"],
  ["true", "on"],
  ["false", "off"],
  [undefined, undefined],
])("rulesets:dryRun may be %s", (value, expected) => {
  expect(readSettings((key) => (key === "rulesets:dryRun" ? value : undefined), {}).dryRun).toBe(expected);
});

test("the arguments of Provider are the settings that are read from the configuration", () => {
  const keys = new Set<string>();
  readSettings((key) => void keys.add(key), {});
  const names = [...keys].flatMap((key) => (key.startsWith("rulesets:") ? [key.slice("rulesets:".length)] : []));
  expect(names.sort()).toEqual([...SETTING_NAMES].sort());
});
