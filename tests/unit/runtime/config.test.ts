import { missingCredentials, readSettings } from "../../../provider/runtime/config.js";

const read = (config: Record<string, string> = {}, env: Record<string, string> = {}) =>
  readSettings((key) => config[key], env);

describe("the first layer that holds any credential wins whole", () => {
  const layers = {
    run: { RULESETS_API_TOKEN: "run" },
    own: { "rulesets:apiToken": "own" },
    vendor: { "cloudflare:apiToken": "vendor" },
    machine: { CLOUDFLARE_API_TOKEN: "machine" },
  };
  test.each([
    [
      "variables of this run",
      { ...layers.own, ...layers.vendor },
      { ...layers.run, ...layers.machine },
      "run",
      "RULESETS_API_TOKEN",
    ],
    ["own configuration", { ...layers.own, ...layers.vendor }, layers.machine, "own", "rulesets:apiToken"],
    ["the vendor's configuration", layers.vendor, layers.machine, "vendor", "cloudflare:apiToken"],
    ["the vendor's variables", {}, layers.machine, "machine", "CLOUDFLARE_API_TOKEN"],
  ])("%s", (_, config, env, apiToken, source) => {
    const settings = read(config, env);
    expect(settings.credentials).toEqual({ kind: "token", apiToken });
    expect(settings.source).toContain(source);
  });

  test("never mixes layers: a key above beats a token below", () => {
    const settings = read({
      "rulesets:email": "a@example.com",
      "rulesets:apiKey": "key",
      "cloudflare:apiToken": "token",
    });
    expect(settings.credentials).toEqual({ kind: "key", email: "a@example.com", apiKey: "key" });
  });
  test("never takes half a pair from another layer", () => {
    expect(() => read({ "rulesets:apiKey": "key" }, { CLOUDFLARE_EMAIL: "a@example.com" })).toThrow(
      "rulesets:apiKey is set but rulesets:email is not",
    );
  });
  test("prefers the token where a layer holds both", () => {
    expect(read({}, { CLOUDFLARE_API_TOKEN: "t", CLOUDFLARE_EMAIL: "e", CLOUDFLARE_API_KEY: "k" }).credentials).toEqual(
      { kind: "token", apiToken: "t" },
    );
  });
  test("takes blank values for none", () => {
    expect(read({ "rulesets:apiToken": " " }).credentials).toBeUndefined();
    expect(missingCredentials().message).toContain("pulumi config set --secret rulesets:apiToken");
  });
});

test("the base URL is looked up alike", () => {
  expect(
    read({ "rulesets:baseUrl": "http://127.0.0.1:1/client/v4/" }, { CLOUDFLARE_BASE_URL: "https://x" }).baseUrl,
  ).toBe("http://127.0.0.1:1/client/v4");
  expect(read({ "rulesets:baseUrl": "http://a" }, { RULESETS_BASE_URL: "http://b" }).baseUrl).toBe("http://b");
  expect(read().baseUrl).toBeUndefined();
});

test("settings are numbers and choices", () => {
  const settings = read(
    {
      "rulesets:timeoutSeconds": "9",
      "rulesets:maxRetries": "0",
      "rulesets:requestsPerSecond": "2.5",
      "rulesets:previewChecks": "require",
      "rulesets:onConflict": "fail",
    },
    { RULESETS_ON_CONFLICT: "overwrite" },
  );
  expect(settings).toMatchObject({
    timeoutSeconds: 9,
    maxRetries: 0,
    requestsPerSecond: 2.5,
    previewChecks: "require",
    onConflictOverride: "overwrite",
    onConflictDefault: "fail",
  });
});

test.each([
  [{ "rulesets:timeoutSeconds": "soon" }, 'rulesets:timeoutSeconds is "soon"; it must be a number above 0.'],
  [{ "rulesets:requestsPerSecond": "0" }, "above 0"],
  [{ "rulesets:maxRetries": "-1" }, "0 or more"],
  [{ "rulesets:previewChecks": "sometimes" }, "must be one of auto, require, off"],
  [{ "rulesets:baseUrl": "example.com" }, "it must be an address"],
])("%j is refused", (config, text) => {
  expect(() => read(config as Record<string, string>)).toThrow(text);
});
