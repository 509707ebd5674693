import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { assignRefs } from "../provider/rules/assign-refs.js";
import { restoreSecrets } from "../provider/engine/secrets.js";
import { isObject, type Json } from "../provider/model/json.js";
import { PhaseEntrypoint } from "../provider/resources/phase-entrypoint.js";
import { Ruleset } from "../provider/resources/ruleset.js";
import { compileProgram, type RuleInput, type RulesetInput } from "../simulator/index.js";
import { Firewall } from "./firewall.js";

export interface LoadOptions {
  /** @default "project" */
  readonly project?: string;
  /** @default "test" */
  readonly stack?: string;
  /** Configuration of the program by key; a key without `:` belongs to the project. */
  readonly config?: Readonly<Record<string, string>>;
  /** Answers of functions and outputs of other resources that the program asks for. */
  readonly mocks?: Partial<pulumi.runtime.Mocks>;
}

/**
 * Runs a program without the engine, on Pulumi's own mocks, and takes the rules that it declares. No request is made.
 * @param program runs the program: `() => import("./index.js")`
 * @throws TypeError on an expression that is wrong, with the resource and the rule
 *
 * @example
 * const firewall = await loadFirewall(() => import("../index.js"), { config: { zoneId: "z1" } });
 * expect(firewall.zone("z1")).toBlock(makeRequest({ url: "https://example.com/admin" }));
 */
export async function loadFirewall(program: () => unknown, options: LoadOptions = {}): Promise<Firewall> {
  const { project = "project", stack = "test", config = {}, mocks = {} } = options;
  const declared: RulesetInput[] = [];
  const keys = Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${project}:${key}`, value]);
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        if (isRuleset(args.type)) return declare(args, declared);
        return mocks.newResource?.(args) ?? { id: `${args.name}-id`, state: args.inputs as object };
      },
      call: (args) => mocks.call?.(args) ?? {},
    },
    project,
    stack,
    false,
  );
  pulumi.runtime.setAllConfig(Object.fromEntries(keys) as Record<string, string>);
  await program();
  await pulumi.runtime.disconnect();
  return new Firewall(compileProgram(declared));
}

function isRuleset(type: string): boolean {
  return type === PhaseEntrypoint.__pulumiType || type === Ruleset.__pulumiType;
}

/** Notes what a resource declares, and answers as the provider would. */
function declare(
  { type, name, inputs, id }: pulumi.runtime.MockResourceArgs,
  declared: RulesetInput[],
): { id: string; state: object } {
  const { __secrets: secrets = {}, ...plain } = unwrap(inputs) as Record<string, unknown>;
  const rulesetId = createHash("md5").update(`${type} ${name}`).digest("hex");
  const state = { ...plain, rulesetId, version: "1" };
  if (id !== undefined && id !== "") return { id, state };
  const { accountId, zoneId, kind, phase } = plain as Readonly<Record<string, string | undefined>>;
  const container = zoneId === undefined ? `accounts/${accountId ?? ""}` : `zones/${zoneId}`;
  const restored = restoreSecrets(plain.rules as Json, secrets as Record<string, unknown>).value;
  declared.push({
    id: rulesetId,
    name,
    kind: kind ?? (zoneId === undefined ? "root" : "zone"),
    phase: phase ?? "",
    accountId,
    zoneId,
    rules: withRefs(Array.isArray(restored) ? restored : []),
  });
  return { id: `${container}/rulesets/${rulesetId}`, state };
}

/** Rules with the refs that a first deployment gives them. */
function withRefs(rules: readonly RuleInput[]): readonly RuleInput[] {
  const { refs } = assignRefs([], rules);
  return rules.map((rule, index) => ({ ...rule, ref: refs[index] }));
}

/** How the engine's wire format marks a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** A value without the marks of secrets. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isObject(value)) return value;
  if (SIGNATURE in value && "value" in value) return unwrap(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item)]));
}
