import { ApiError, RulesetsError } from "../../../core/model/errors.js";
import { withProgramFrames } from "../../../core/model/program-frames.js";

const frames = (frame: string) =>
  withProgramFrames(new Error("no zone"), `Error: no\nzone\n${frame}\n    at f (node:x:1:1)`);

test.each([
  ["of a function", "    at getIt (/home/me/firewall/index.ts:14:9)"],
  ["without a function", "    at /home/me/firewall/index.ts:14:9"],
  ["after an await", "    at async /home/me/firewall/index.ts:14:9"],
  ["of an ES module", "    at file:///home/me/firewall/index.ts:14:9"],
  ["of a method", "    at Zones.list [as all] (/home/me/firewall/zones.ts:1:2)"],
  ["in a folder with brackets", "    at f (/home/me/firewall (old)/index.ts:14:9)"],
  ["on Windows", "    at f (C:\\me\\firewall\\index.ts:14:9)"],
  ["of an example in this repository", `    at f (${process.cwd()}/examples/quickstart/index.ts:14:9)`],
])("a frame %s is kept", (_, frame) => {
  expect(frames(frame)).toBe(`Error: no zone\n${frame}`);
});

test.each([
  [
    "the SDK, at the path that its source maps give",
    "    at applyHelperAsync (/p/node_modules/@pulumi/output.ts:519:31)",
  ],
  ["the SDK on Windows", "    at async C:\\p\\node_modules\\@pulumi\\output.ts:519:31"],
  ["an ES module of a package", "    at file:///p/node_modules/x/index.js:1:1"],
  [
    "this package, installed",
    "    at getZone (/p/node_modules/pulumi-rulesets/dist/provider/sdk/functions/zones.js:1:1)",
  ],
  ["this package, linked", `    at getZone (${process.cwd()}/dist/provider/sdk/functions/zones.js:1:1)`],
  [
    "this package, linked, through source maps",
    `    at getZone (${process.cwd()}/provider/sdk/functions/zones.ts:1:1)`,
  ],
  ["Node.js", "    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)"],
  ["no file", "    at async Promise.all (index 0)"],
  ["evaluated text", "    at eval (eval at f (/home/me/x.js:1:1), <anonymous>:3:1)"],
  ["a header that looks like one", "    at no place: Error"],
])("a frame of %s is left out", (_, frame) => {
  expect(frames(frame)).toBe("Error: no zone");
});

describe("the stack of an expected failure", () => {
  const throwInSdk = (throwIt: () => never): Error => {
    const before: unknown = Reflect.get(Error, "prepareStackTrace");
    // Source maps of the SDK give this path for a frame between that of this package and that of the program.
    Error.prepareStackTrace = (error) =>
      `${String(error)}\n    at apply (/p/node_modules/@pulumi/output.ts:519:31)\n    at /home/me/index.ts:3:1`;
    try {
      return throwIt();
    } catch (error) {
      // The stack is made when it is read.
      expect((error as Error).stack).toContain("index.ts");
      return error as Error;
    } finally {
      Reflect.set(Error, "prepareStackTrace", before);
    }
  };

  test.each([
    ["RulesetsError", () => new RulesetsError("no zone", { code: "LOOKUP_NOT_FOUND" })],
    ["ApiError", () => new ApiError("no zone", { code: "API_NOT_FOUND" })],
    ["ApiError", () => new ApiError("no zone", { code: "API_NOT_FOUND", cause: new Error("reset") })],
  ])("has the name of %s, its message and the frames of the program", (name, make) => {
    const error = throwInSdk(() => {
      throw make();
    });
    expect(error.stack).toBe(`${name}: no zone\n    at /home/me/index.ts:3:1`);
    if (error.cause instanceof Error) expect(error.cause.stack).toBe("Error: reset\n    at /home/me/index.ts:3:1");
  });

  test("follows the message that the SDK extends, can be replaced, and is not listed as a property", () => {
    const error = new RulesetsError("no zone", { code: "LOOKUP_NOT_FOUND" });
    error.message = `error serializing property "zoneId": ${error.message}`;
    expect(error.stack).toMatch(
      /^RulesetsError: error serializing property "zoneId": no zone\n {4}at .*program-frames.test/,
    );
    expect(Object.keys(error).sort()).toEqual(["code", "name"]);
    expect("cause" in error).toBe(false);
    error.stack = "shorter";
    expect(error.stack).toBe("shorter");
  });
});
