import { fromStruct, Messages, toStruct } from "../../../provider/border/grpc/grpc.js";
import { PackageCalls } from "../../../provider/border/grpc/package-calls.js";
import { wrapSecret } from "../../../core/model/secret.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

/** What the engine keeps of the arguments of a provider, and what is wrong with them. */
async function checkConfig(args: object, env = {}) {
  const warnings: string[] = [];
  const nothing = () => undefined;
  const done = () => Promise.resolve(undefined);
  const calls = new PackageCalls({
    info: { name: "rulesets", version: "1.0.0" } as never,
    env,
    onWarning: (_provider, text) => Promise.resolve(void warnings.push(text)),
    ...{ onEngine: nothing, onConfigure: nothing, onInvoke: done, onCancel: done },
  });
  const request = new Messages.CheckRequest();
  request.setNews(toStruct(args));
  const response = await calls.checkConfig(request);
  // As the engine gets it.
  const inputs = fromStruct(Messages.CheckResponse.deserializeBinary(response.serializeBinary()).getInputs());
  return { inputs, warnings, faults: response.getFailuresList().map((failure) => failure.getReason()) };
}

test("credentials are secrets in the state of a provider, also those that an SDK took from the environment", async () => {
  const { inputs } = await checkConfig({ apiToken: "token-0123456789", timeoutSeconds: 5 });
  expect(inputs).toEqual({ apiToken: wrapSecret("token-0123456789"), timeoutSeconds: 5 });
  const marked = wrapSecret("token-0123456789");
  expect((await checkConfig({ apiToken: marked })).inputs).toEqual({ apiToken: marked });
});

test("a token of the program is not mixed with a key that an SDK took from the environment", async () => {
  const env = { CLOUDFLARE_EMAIL: "a@example.com", CLOUDFLARE_API_KEY: "key-0123456789" };
  const taken = { email: "a@example.com", apiKey: "key-0123456789" };
  expect(await checkConfig({ apiToken: "token-0123456789", ...taken }, env)).toEqual({
    warnings: [],
    inputs: { apiToken: wrapSecret("token-0123456789") },
    faults: [],
  });
  expect(await checkConfig(taken, env)).toEqual({
    warnings: [],
    inputs: { email: "a@example.com", apiKey: wrapSecret("key-0123456789") },
    faults: [],
  });
  expect((await checkConfig({ apiToken: "token-0123456789", ...taken })).faults).toHaveLength(1);
});

test("settings that are not known in a preview are named, because the engine then asks nothing about resources", async () => {
  const secretly = await checkConfig({ apiToken: wrapSecret(UNKNOWN), baseUrl: "https://api.example.com/client/v4" });
  expect(secretly).toMatchObject({ inputs: { apiToken: wrapSecret(UNKNOWN) }, faults: [] });
  expect(secretly.warnings).toEqual([expect.stringMatching(/^apiToken is not known in this preview, and without it/)]);
  const both = await checkConfig({ apiToken: UNKNOWN, baseUrl: UNKNOWN });
  expect(both.warnings).toEqual([expect.stringMatching(/^apiToken and baseUrl are not known in this preview/)]);
});
