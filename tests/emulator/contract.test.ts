import { ruleToWire } from "../../core/model/codec.js";
import { Contract } from "../support/contract.js";
import { Service } from "../support/emulator.js";
import { everyAction, sampleSeed } from "../support/every-action.js";
import { emulatorWith } from "../support/emulators.js";

/** That every operation answers as the API description says, whatever it is sent, is shown by fuzz.test.ts. */
describe("rules with every action are returned as the API description says", () => {
  let contract: Contract;
  let roots: { readonly zones: string; readonly accounts: string };
  beforeAll(async () => {
    const emulator = await emulatorWith({ seed: sampleSeed });
    contract = new Contract(emulator.url);
    const service = new Service(emulator);
    roots = { zones: `/zones/${await service.zone()}`, accounts: `/accounts/${await service.account()}` };
  });

  test.each(everyAction.map((sample) => [sample.phase, sample] as const))("in %s", async (phase, { rules, level }) => {
    const path = `${roots[level]}/rulesets/phases/${phase}/entrypoint`;
    await contract.send("PUT", path, { name: "default", rules: rules.map(ruleToWire) });
    await contract.send("GET", path);
  });
});
