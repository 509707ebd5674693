import type { Environment } from "../../../provider/settings.js";
import { ProviderProcess } from "../../../provider/border/process.js";
import type { ConnectOptions } from "../connect.js";
import { needsPulumi } from "../project/settings.js";
import { writeOutput } from "../write-output.js";
import { findDrift } from "./compare.js";
import { renderDrift, renderDriftMarkdown } from "./render.js";
import type { StackDrift } from "./stack-drift.js";
import { readStates, type StackChoice, type StateText } from "./stacks.js";
import { nameOf, parseState, type NotCompared, type StackState, type StateResource } from "./state.js";
import { messageOf } from "../../../core/model/errors.js";

export interface DriftCommand extends StackChoice, ConnectOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly output?: string;
}

interface DriftContext {
  readonly print: (line: string) => void;
  readonly printNote: (line: string) => void;
  /** The folder of the project. */
  readonly folder: string;
  readonly env: Environment;
}

/**
 * Compares what stacks own with the service, and returns the exit code: 2 if anything differs, otherwise 3 if something could not
 * be compared, otherwise 0.
 */
export async function runDrift(options: DriftCommand, context: DriftContext): Promise<0 | 2 | 3> {
  if (options.json === true && options.markdown === true)
    throw new Error("--json and --markdown are mutually exclusive");
  const texts = readStates(options, context.folder, context.env);
  const stacks: StackDrift[] = [];
  for (const text of texts) stacks.push(await driftOf(text, options, context));
  if (stacks.length === 0) stacks.push(nothing("this project", "it has no stacks"));
  const text =
    options.json === true
      ? JSON.stringify({ stacks }, undefined, 2)
      : options.markdown === true
        ? renderDriftMarkdown(stacks)
        : renderDrift(stacks);
  writeOutput(text, options, context.print);
  if (stacks.some(({ drift }) => drift.length > 0)) return 2;
  return stacks.some(({ notRead }) => notRead.length > 0) ? 3 : 0;
}

function nothing(stack: string, reason: string): StackDrift {
  return { stack, compared: 0, drift: [], notRead: [{ name: stack, reason }] };
}

async function driftOf(found: StateText, options: DriftCommand, context: DriftContext): Promise<StackDrift> {
  if ("failure" in found) return nothing(found.name, found.failure);
  let state: StackState;
  try {
    state = parseState(found.text, found.name);
  } catch (error) {
    return nothing(found.name, (error as Error).message);
  }
  const { stack, resources, notRead } = state;
  if (resources.length + notRead.length === 0)
    return nothing(stack, "its state contains no resources of pulumi-rulesets. Is it the right stack?");
  const providers = new Providers(state, options, context);
  // All at once, as an engine refreshes: rulesets of one zone then share a list.
  const results = await Promise.all(resources.map((resource) => look(providers, resource)));
  return {
    stack,
    compared: results.filter((result) => "drift" in result).length,
    drift: results.flatMap((result) => ("drift" in result ? result.drift : [])),
    notRead: [...notRead, ...results.flatMap((result) => ("drift" in result ? [] : [result]))],
  };
}

async function look(
  providers: Providers,
  resource: StateResource,
): Promise<NotCompared | { readonly drift: StackDrift["drift"] }> {
  try {
    return { drift: await findDrift(providers.processOf(resource.provider), resource) };
  } catch (error) {
    const { urn } = resource;
    return { name: nameOf(urn), urn, reason: messageOf(error) };
  }
}

/** One process of the provider for each set of credentials, as in a run of the engine. */
class Providers {
  private readonly processes = new Map<string, ProviderProcess>();

  constructor(
    private readonly state: StackState,
    private readonly options: DriftCommand,
    private readonly context: DriftContext,
  ) {}

  processOf(provider: string): ProviderProcess {
    const known = this.processes.get(provider) ?? this.open(provider);
    this.processes.set(provider, known);
    return known;
  }

  private open(provider: string): ProviderProcess {
    const { printNote } = this.context;
    const { baseUrl, requestsPerSecond } = this.options;
    const env = { ...this.context.env, ...(baseUrl === undefined ? {} : { RULESETS_BASE_URL: baseUrl }) };
    const found = this.state.configOf(provider);
    if (found === undefined)
      throw new Error(
        `its provider ${provider} is not in the state, so its credentials and address are unknown. ` +
          "To continue: pass the whole output of `pulumi stack export`",
      );
    const { config, encrypted } = found;
    if (needsPulumi({ encrypted, hasEnvironment: false }, env))
      throw new Error(
        `settings of its provider ${provider} are encrypted in the state. To continue: pass the output of ` +
          "`pulumi stack export --show-secrets`, or set RULESETS_API_TOKEN, and RULESETS_BASE_URL if the address is encrypted",
      );
    const given = {
      ...config,
      ...(requestsPerSecond === undefined ? {} : { "rulesets:requestsPerSecond": requestsPerSecond }),
    };
    const report = (_: string | undefined, text: string): void => {
      printNote(text);
    };
    const process = new ProviderProcess(env, undefined, {
      reporter: { info: report, warn: report, status: () => undefined },
    });
    process.configure((key) => given[key as keyof typeof given]);
    return process;
  }
}
