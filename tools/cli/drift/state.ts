import {
  isList,
  isObject,
  mapFrom,
  type Json,
  type JsonObject,
  textOf,
  objectsIn,
  writtenText,
} from "../../../core/model/json.js";
import { HIDDEN, secretInState } from "../../../core/model/secret.js";
import { nameIn, ownType, ownTypeOf, stackIn } from "../../../core/model/urn.js";

/** A resource of this package in the state of a stack. */
export interface StateResource {
  readonly urn: string;
  /** Such as `PhaseEntrypoint`. */
  readonly kind: string;
  readonly id: string;
  /** With secrets in plain text. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** The same with `[secret]` in their place. */
  readonly shown: JsonObject;
  /** URN of the provider that it uses. */
  readonly provider: string;
}

/** Something that could not be compared, and why. */
export interface NotCompared {
  /** The resource as its URN ends, or a stack or a file. */
  readonly name: string;
  readonly urn?: string;
  readonly reason: string;
}

/** What the state of a stack says about this package. */
export interface StackState {
  /** `project/stack`; what was asked for if the state does not say. */
  readonly stack: string;
  readonly resources: readonly StateResource[];
  readonly notRead: readonly NotCompared[];
  /** The configuration of a provider, by its URN; undefined if the provider is not in the state. */
  readonly configOf: (provider: string) => ProviderConfig | undefined;
}

/** What the state of a provider says of its configuration. */
interface ProviderConfig {
  /** By key, what can be read. */
  readonly config: Readonly<Record<string, string>>;
  /** Keys of what is encrypted. */
  readonly encrypted: readonly string[];
}

/** Those of states that the engine writes: the second one says which features a state uses. */
const KNOWN_VERSIONS: ReadonlySet<unknown> = new Set([3, 4]);

/**
 * Parses the output of `pulumi stack export`.
 * @param name of the stack or file, for messages
 * @throws Error when it is something else
 */
export function parseState(text: string, name: string): StackState {
  const document = parseDocument(text, name);
  const { deployment } = document;
  if (!isObject(deployment))
    throw new Error(`${name} is not the output of \`pulumi stack export\`: it has no deployment`);
  if (!KNOWN_VERSIONS.has(document.version))
    throw new Error(
      `${name} has version ${JSON.stringify(document.version)}, which this version of pulumi-rulesets does not know`,
    );
  const all = objectsIn(deployment.resources);
  const own = all.filter(({ type, external }) => ownTypeOf(textOf(type)) !== undefined && external !== true);
  const parsed = own.map(parseResource);
  const pending = objectsIn(deployment.pending_operations).flatMap(pendingIn);
  return {
    stack: stackIn(textOf(all[0]?.urn)) ?? name,
    resources: parsed.flatMap((one) => ("id" in one ? [one] : [])),
    notRead: [...parsed.flatMap((one) => ("id" in one ? [] : [one])), ...pending],
    configOf: (provider) => {
      const resource = all.find(({ urn }) => urn === provider);
      return resource && configIn(resource);
    },
  };
}

function parseDocument(text: string, name: string): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON: pass the output of \`pulumi stack export\``);
  }
  if (isObject(document)) return document;
  throw new Error(`${name} is not the output of \`pulumi stack export\``);
}

function parseResource(resource: JsonObject): StateResource | NotCompared {
  const { type, id, inputs, outputs, provider } = resource;
  const urn = textOf(resource.urn);
  const name = nameOf(urn);
  if (resource.delete === true)
    return {
      name,
      urn,
      reason: "an earlier run replaced it and did not delete the old object. To continue: run `pulumi up`",
    };
  if (typeof id !== "string" || !isObject(inputs) || !isObject(outputs))
    return { name, urn, reason: "its state cannot be read: it has no ID, inputs or outputs" };
  const [given, state] = [decrypt(inputs), decrypt(outputs)];
  if (given === undefined || state === undefined)
    return {
      name,
      urn,
      reason: "its state contains secrets that are encrypted. To continue: `pulumi stack export --show-secrets`",
    };
  return {
    urn,
    kind: ownTypeOf(textOf(type)) ?? "",
    id,
    inputs: given.plain as JsonObject,
    outputs: state.plain as JsonObject,
    shown: given.shown as JsonObject,
    provider: textOf(provider).split("::").slice(0, -1).join("::"),
  };
}

/** A resource that a run was changing when it was interrupted. */
function pendingIn({ resource, type }: JsonObject): NotCompared[] {
  if (!isObject(resource) || ownTypeOf(textOf(resource.type)) === undefined) return [];
  const urn = textOf(resource.urn);
  const reason = `a run was interrupted while it was ${textOf(type)} it. To continue: run \`pulumi up\` with the program of that run, then \`pulumi refresh\``;
  return [{ name: nameOf(urn), urn, reason }];
}

/** The type and the name of a resource. */
export function nameOf(urn: string): string {
  return `${ownType(urn) ?? ""} ${nameIn(urn)}`;
}

/** By the names that they have in the configuration of a stack, which the provider plugin's own settings have without the prefix. */
function configIn({ type, inputs }: JsonObject): ProviderConfig {
  const prefix = type === "pulumi:providers:rulesets" ? "rulesets:" : "";
  const entries = Object.entries(isObject(inputs) ? inputs : {}).flatMap(([key, value]) =>
    value === undefined ? [] : [[`${prefix}${key}`, decrypt(value)?.plain] as const],
  );
  return {
    config: mapFrom(
      entries.flatMap(([key, plain]) => (plain === undefined ? [] : [[key, writtenText(plain)] as const])),
    ),
    encrypted: entries.flatMap(([key, plain]) => (plain === undefined ? [key] : [])),
  };
}

interface Decrypted {
  readonly plain: Json;
  readonly shown: Json;
}

/** A value with its secrets in plain text, and without them; undefined if one is encrypted. */
function decrypt(value: Json): Decrypted | undefined {
  const secret = secretInState(value);
  if (secret !== undefined) return secret.plain === undefined ? undefined : { plain: secret.plain, shown: HIDDEN };
  if (isList(value)) {
    const items = value.map(decrypt);
    if (items.includes(undefined)) return undefined;
    const known = items.filter((item) => item !== undefined);
    return { plain: known.map(({ plain }) => plain), shown: known.map(({ shown }) => shown) };
  }
  if (!isObject(value)) return { plain: value, shown: value };
  const plain: [string, Json][] = [];
  const shown: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const known = decrypt(item);
    if (known === undefined) return undefined;
    plain.push([key, known.plain]);
    shown.push([key, known.shown]);
  }
  return { plain: mapFrom(plain), shown: mapFrom(shown) };
}
