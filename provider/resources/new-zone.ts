import * as pulumi from "@pulumi/pulumi";
import { newZoneFrom, textOfZone } from "../engine/new-zones.js";
import { isZone } from "../engine/predecessors.js";
import { isKnown, isSecret, promiseOf, resourcesOf } from "./promise-of.js";

/**
 * What tells apart the zone that the program creates for a resource, as text: its ID is not known in a preview. Undefined if the ID
 * is known, or comes from anything but one zone.
 */
export function newZoneText(zoneId: unknown): Promise<string | undefined> | undefined {
  return pulumi.runtime.isDryRun() && pulumi.Output.isInstance(zoneId) ? textFrom(zoneId) : undefined;
}

async function textFrom(zoneId: pulumi.Output<unknown>): Promise<string | undefined> {
  if (await isKnown(zoneId)) return undefined;
  const [zone, ...others] = await resourcesOf(zoneId);
  // A component may create several.
  if (!pulumi.CustomResource.isInstance(zone) || others.length > 0) return undefined;
  const urn = await promiseOf(zone.urn);
  if (!isZone(urn)) return undefined;
  const names = ["name", "zone", "accountId", "account"] as const;
  const inputs = await Promise.all(names.map(async (name) => [name, await valueOf(Reflect.get(zone, name))] as const));
  return textOfZone(newZoneFrom(urn, Object.fromEntries(inputs)));
}

async function valueOf(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  return (await isKnown(value)) && !(await isSecret(value)) ? promiseOf(value) : undefined;
}
