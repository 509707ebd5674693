import { fromText } from "../../provider/engine/stored-as-json.js";
import type { Service, WireRule } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";
import { secret, secretPathsIn } from "./secrets-apart.js";

/* States hold the rules and the deployed rules as one text each, because the engine and the SDK take time for every value. */

const phase = "http_request_firewall_custom";

describe("rules in a state", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
  });

  const programOf = (...rules: object[]) => ({ zoneId, phase, rules });
  const two = () => programOf(block("A", "ssl"), block("B", "not ssl"));
  const held = () => resource.stored?.outputs.deployedRules;
  const declared = () => resource.stored?.outputs.rules;
  const editFirst = async (rule: WireRule = { ...block("A", "ssl"), enabled: false }): Promise<void> => {
    const { rulesetId = "", deployedRules = [] } = resource.kept?.state ?? {};
    await service.editRule(`zones/${zoneId}`, rulesetId, deployedRules[0]?.id ?? "", rule);
  };
  test("are one text after a create, an update, and a refresh with or without drift", async () => {
    await resource.up(two());
    const first = held();
    expect(typeof first).toBe("string");
    expect(fromText(declared())).toEqual(resource.stored?.inputs.rules);
    expect(fromText(first)).toMatchObject([
      { version: "1", action: "block", description: "A", enabled: true },
      { version: "1", action: "block", description: "B", enabled: true },
    ]);
    await resource.refresh();
    expect(held()).toBe(first);
    await editFirst();
    await resource.refresh();
    expect(fromText(held())).toMatchObject([{ version: "2", enabled: false }, { version: "1" }]);
    expect(fromText(declared())).toEqual(resource.stored?.inputs.rules);
    expect(Object.values(fromText(declared()) as object)).toMatchObject([{ enabled: false }, {}]);
    await resource.up(programOf(block("A", "ssl")));
    expect(fromText(held())).toMatchObject([{ version: "3", enabled: true }]);
    await resource.settled(programOf(block("A", "ssl")));
  });

  test("have the same text as long as they are equal, in whatever order their fields are", async () => {
    const { action, expression, description } = block("A", "ssl");
    await resource.up(programOf({ ref: "a", action, expression, description }));
    const before = declared();
    await editFirst({ description, expression, action, ref: "a" });
    await resource.refresh();
    expect(resource.kept?.state.version).toBe("2");
    expect(declared()).toBe(before);
  });

  test("have each field of a rule on its own line, so that a line which Pulumi cuts names what differs", async () => {
    await resource.up(programOf({ ...block("A", "ssl"), ref: "a" }, { ...block("B", "not ssl"), ref: "b" }));
    const lines = () => String(declared()).split("\n");
    const before = lines();
    await editFirst({ ...block("A", "true"), ref: "a" });
    await resource.refresh();
    expect(lines().filter((line, index) => line !== before[index])).toEqual(['"expression": "true",']);
    expect(lines()).toHaveLength(before.length);
  });

  test("are values where one of them is secret, and only that is encrypted", async () => {
    await resource.up(
      programOf({ ...block("A", "ssl"), ref: "a", expression: secret('http.host eq "the-hidden-name"') }),
    );
    expect(secretPathsIn(resource.stored?.outputs)).toEqual([["rules", "a", "expression"]]);
    expect(typeof held()).toBe("string");
    await resource.up(programOf({ ...block("A", "ssl"), ref: "a" }));
    expect(typeof declared()).toBe("string");
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
    const intact = [held(), declared()];
    resource.kept = kept && { ...kept, state: { ...kept.state, rules: "{" as never, deployedRules: "[{" as never } };
    await expect(resource.up(programOf(block("A", "ssl")))).rejects.toThrow(
      "the state of this PhaseEntrypoint cannot be read: rules, deployedRules are missing or invalid. To continue: run `pulumi refresh`",
    );
    await resource.refresh();
    expect([held(), declared()]).toEqual(intact);
    expect(await resource.up(two())).toMatchObject({ action: "none", requests: [] });
  });
});
