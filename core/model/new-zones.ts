import { isObject, mapFrom, objectsIn, textOf, textsIn } from "./json.js";
import { isUnknown } from "./unknown.js";
import { isZone, ownType } from "./urn.js";

/** A zone that the program creates. Its ID is not known in a preview, so the resource tells it apart from others. */
export interface NewZone {
  readonly urn: string;
  /** As far as the program says so. */
  readonly name?: string;
  readonly accountId?: string;
}

const HOST_NAME = /^[\w-]+(\.[\w-]+)+$/;

/** A zone by its URN and the inputs of its resource, in the words of any version of the Cloudflare provider. */
export function newZoneFrom(urn: string, inputs: Readonly<Record<string, unknown>>): NewZone {
  const { name, zone, accountId, account } = inputs;
  const named = [name, zone].map((text) => textOf(text).toLowerCase()).find((text) => HOST_NAME.test(text));
  const owner = [accountId, isObject(account) ? account.id : ""]
    .map(textOf)
    .find((text) => /^[0-9a-f]{32}$/.test(text));
  return {
    urn,
    ...(named === undefined ? {} : { name: named }),
    ...(owner === undefined ? {} : { accountId: owner }),
  };
}

/**
 * By URN of a resource with rules, the zone that it is for, from the steps that `pulumi preview --json` prints.
 * @param hasRules whether resources of a type of this package have rules
 */
export function newZonesInPreview(
  printed: unknown,
  hasRules: (type: string) => boolean,
): Readonly<Record<string, NewZone>> {
  const steps = isObject(printed) ? objectsIn(printed.steps) : [];
  const states = steps.flatMap(({ newState }) => (isObject(newState) ? [newState] : []));
  const byUrn = new Map(states.map((state) => [textOf(state.urn), state]));
  return mapFrom(
    states.flatMap((state): [string, NewZone][] => {
      const { inputs: own, propertyDependencies } = state;
      const type = ownType(textOf(state.urn));
      // The zones of others, and IDs that are known, need no other preview.
      if (type === undefined || !hasRules(type) || !isObject(own) || !isUnknown(own.zoneId)) return [];
      const [zone, ...others] = isObject(propertyDependencies) ? textsIn(propertyDependencies.zoneId) : [];
      if (zone === undefined || others.length > 0 || !isZone(zone)) return [];
      const { inputs, custom } = byUrn.get(zone) ?? {};
      // A component may create several.
      if (custom === false) return [];
      return [[textOf(state.urn), newZoneFrom(zone, isObject(inputs) ? inputs : {})]];
    }),
  );
}
