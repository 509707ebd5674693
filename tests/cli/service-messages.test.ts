import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { cli } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

describe("messages in the responses of the service", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await emulatorWith();
  });

  test("are printed to standard error, once", async () => {
    await new Service(emulator).fault({ times: 99, messages: ["this operation goes away next year"] });
    const env = { RULESETS_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url };
    const zones = ["--zone", "pro.example.com", "--zone", "enterprise.example.com"];
    const { stdout, stderr } = await cli(["migration", "status", ...zones], env);
    expect(stderr.split("the service says: this operation goes away next year")).toHaveLength(2);
    expect(stdout).toContain("enterprise.example.com");
    expect(stdout).not.toContain("the service says");
  });
});
