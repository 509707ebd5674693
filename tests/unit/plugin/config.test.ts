import { fromStruct, Messages, toStruct } from "../../../provider/plugin/grpc.js";
import { PackageCalls } from "../../../provider/plugin/package-calls.js";
import { wrapSecret } from "../../../provider/model/secret.js";

/** What the engine keeps of the arguments of a provider, and what is wrong with them. */
function checkConfig(args: object, env = {}) {
  const nothing = () => undefined;
  const calls = new PackageCalls({
    info: { name: "rulesets", version: "1.0.0" } as never,
    env,
    ...{ onEngine: nothing, onConfigure: nothing, onInvoke: nothing, onCancel: () => Promise.resolve() },
  });
  const request = new Messages.CheckRequest();
  request.setNews(toStruct(args));
  const response = calls.checkConfig(request);
  // As the engine gets it.
  const inputs = fromStruct(Messages.CheckResponse.deserializeBinary(response.serializeBinary()).getInputs());
  return { inputs, faults: response.getFailuresList().map((failure) => failure.getReason()) };
}

test("credentials are secrets in the state of a provider, also those that an SDK took from the environment", () => {
  const { inputs } = checkConfig({ apiToken: "token-0123456789", timeoutSeconds: 5 });
  expect(inputs).toEqual({ apiToken: wrapSecret("token-0123456789"), timeoutSeconds: 5 });
  const marked = wrapSecret("token-0123456789");
  expect(checkConfig({ apiToken: marked }).inputs).toEqual({ apiToken: marked });
});

test("a token of the program is not mixed with a key that an SDK took from the environment", () => {
  const env = { CLOUDFLARE_EMAIL: "a@example.com", CLOUDFLARE_API_KEY: "key-0123456789" };
  const taken = { email: "a@example.com", apiKey: "key-0123456789" };
  expect(checkConfig({ apiToken: "token-0123456789", ...taken }, env)).toEqual({
    inputs: { apiToken: wrapSecret("token-0123456789") },
    faults: [],
  });
  expect(checkConfig(taken, env)).toEqual({
    inputs: { email: "a@example.com", apiKey: wrapSecret("key-0123456789") },
    faults: [],
  });
  expect(checkConfig({ apiToken: "token-0123456789", ...taken }).faults).toHaveLength(1);
});
