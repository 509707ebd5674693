import type { Emulator } from "../../emulator/index.js";
import { isList } from "../../provider/model/json.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";
import { secret, secretPathsIn } from "./secrets-apart.js";

/* States hold the deployed rules as one text, because the engine and the SDK take time for every value. */

const phase = "http_request_firewall_custom";

describe("the deployed rules in a state", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ emulator, service, zoneId, resource } = await startEntrypoint());
  });
  afterEach(() => emulator.close());

  const programOf = (...rules: object[]) => ({ zoneId, phase, rules });
  const two = () => programOf(block("A", "ssl"), block("B", "not ssl"));
  const held = () => resource.stored?.outputs.deployedRules;
  const editFirst = async (): Promise<void> => {
    const { rulesetId = "", deployedRules = [] } = resource.kept?.state ?? {};
    const rule = { ...block("A", "ssl"), enabled: false };
    await service.editRule(`zones/${zoneId}`, rulesetId, deployedRules[0]?.id ?? "", rule);
  };
  /** Stores the state as earlier versions did. */
  const storeAsList = (): void => {
    const { kept } = resource;
    if (!isList(kept?.state.deployedRules)) throw new Error("there are no rules");
    resource.kept = kept;
  };

  test("are one text after a create, an update, and a refresh with or without drift", async () => {
    await resource.up(two());
    const first = held();
    expect(typeof first).toBe("string");
    expect(JSON.parse(String(first))).toMatchObject([
      { version: "1", action: "block", description: "A", enabled: true },
      { version: "1", action: "block", description: "B", enabled: true },
    ]);
    await resource.refresh();
    expect(held()).toBe(first);
    await editFirst();
    await resource.refresh();
    expect(JSON.parse(String(held()))).toMatchObject([{ version: "2", enabled: false }, { version: "1" }]);
    await resource.up(programOf(block("A", "ssl")));
    expect(JSON.parse(String(held()))).toMatchObject([{ version: "3", enabled: true }]);
    await resource.settled(programOf(block("A", "ssl")));
  });

  test("stay a list where an earlier version has written one, until something is written", async () => {
    await resource.up(two());
    storeAsList();
    const before = resource.kept;
    expect(await resource.up(two())).toMatchObject({ action: "none", requests: [] });
    await resource.refresh();
    expect(resource.stored?.outputs).toEqual(before?.state);
    await editFirst();
    await resource.refresh();
    expect(held()).toMatchObject([{ version: "2" }, { version: "1" }]);
    expect(await resource.up(two())).toMatchObject({ action: "update" });
    expect(typeof held()).toBe("string");
    await resource.settled(two());
  });

  test("are a list where somebody has copied a secret into one, and only that is encrypted", async () => {
    await resource.up(programOf({ ...block("A", "ssl"), expression: secret('http.host eq "the-hidden-name"') }));
    expect(typeof held()).toBe("string");
    const { rulesetId = "" } = resource.kept?.state ?? {};
    const copy = { ...block("B", "not ssl"), ref: "the-hidden-name" };
    await service.addRule(`zones/${zoneId}`, rulesetId, copy);
    await resource.refresh();
    const paths = secretPathsIn(resource.stored?.outputs).filter(([name]) => name === "deployedRules");
    expect(paths).toEqual([["deployedRules", 1, "ref"]]);
  });

  test("that cannot be read are an error that names them, and a refresh reads them again", async () => {
    await resource.up(two());
    const { kept } = resource;
    const intact = held();
    resource.kept = kept && { ...kept, state: { ...kept.state, deployedRules: "[{" as never } };
    await expect(resource.up(programOf(block("A", "ssl")))).rejects.toThrow(
      "the state of this PhaseEntrypoint cannot be read: deployedRules is missing or invalid. To continue: run `pulumi refresh`",
    );
    await resource.refresh();
    expect(held()).toBe(intact);
    expect(await resource.up(two())).toMatchObject({ action: "none", requests: [] });
  });
});
