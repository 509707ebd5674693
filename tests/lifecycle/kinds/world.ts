import { Service } from "../../support/emulator.js";
import { freshEmulator } from "../../support/emulators.js";
import { SEED, ZONE, type World } from "./kind-case.js";
import { cache, cached, phase } from "./shared.js";

interface StartedWorld {
  readonly service: Service;
  readonly world: World;
}

/** An emulator with `SEED`, and what the changes of all kinds need besides. */
export async function startWorld(): Promise<StartedWorld> {
  const service = new Service(await freshEmulator({ seed: SEED }));
  const zones = await service.ask<{ id: string; name: string }[]>("GET", "/zones");
  const [zoneId = "", otherZoneId = ""] = [ZONE, "other.example.com"].map(
    (name) => zones.find((zone) => zone.name === name)?.id ?? "",
  );
  const accountId = await service.account();
  const custom = async (name: string): Promise<string> => {
    const body = { kind: "custom", name, phase, rules: [{ ref: "theirs", action: "log", expression: "true" }] };
    return (await service.ask<{ id: string }>("POST", `/accounts/${accountId}/rulesets`, body)).id;
  };
  const { ref, action, expression, actionParameters } = cached("theirs");
  const rules = [{ ref, action, expression, action_parameters: actionParameters }];
  await service.create(`zones/${otherZoneId}`, { name: "default", kind: "zone", phase: cache, rules });
  const rulesetIds = [await custom("custom 1"), await custom("custom 2")] as const;
  const hostnames = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
  const [first = "", second = ""] = hostnames.map(({ id }) => id);
  return { service, world: { zoneId, otherZoneId, accountId, rulesetIds, hostnameIds: [first, second] } };
}
