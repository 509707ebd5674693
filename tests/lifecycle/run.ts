import type { ResolveCaa } from "../../core/certificates/authorities.js";
import type { Session } from "../../provider/engine/session.js";
import type { DryRun, PreviewChecks } from "../../core/model/options.js";
import { findKind } from "../../provider/kinds/index.js";
import { omit, pick, type Json, type JsonObject } from "../../core/model/json.js";
import { internalNames } from "../../provider/engine/description.js";
import type { OnConflict } from "../../core/model/options.js";
import { unwrapSecrets } from "../../core/model/secret.js";
import { ProviderProcess } from "../../provider/border/process.js";
import type { Clock } from "../../client/index.js";
import { TOKEN } from "../support/emulator.js";
import { borderOf, type Border, type Props } from "./front-ends.js";

export type { Props } from "./front-ends.js";
export type Action = "create" | "update" | "replace" | "none";

/** The options of a run, in addition to the arguments of its resources. */
export interface RunOptions {
  /** As RULESETS_ON_CONFLICT. */
  readonly onConflict?: OnConflict;
  /** As RULESETS_MAX_REMOVED_PERCENT. */
  readonly maxRemovedPercent?: number;
  readonly previewChecks?: PreviewChecks;
  readonly dryRun?: DryRun;
  readonly expiryWarningDays?: number;
  /** @default true */
  readonly credentials?: boolean;
  /** @default no records */
  readonly resolveCaa?: ResolveCaa;
  readonly clock?: Clock;
  /** Receives every value on its way to the engine, in its wire form, and every error. */
  readonly watch?: (value: unknown) => void;
  /** Whether messages are printed to standard error, as without an engine. @default false */
  readonly prints?: boolean;
}

/** An object as the engine stores it; states and inputs with secrets in their wire form. */
export interface Stored {
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
}

/** An error with what is known of an object that may be incomplete. */
interface Partial extends Error {
  readonly id?: string;
  readonly properties?: Props;
}

const PROVIDER = "exports.handler = …";

/**
 * One run of the provider process, behind the adapter that the dynamic host calls, with the engine's side: values are plain
 * JSON, secrets arrive in their wire form and are passed back in clear, and where the provider leaves a diff to the engine,
 * the inputs are compared.
 */
export class Run {
  /** Whether the last replacement that was planned deletes the old object first. */
  deletesFirst = false;
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  readonly statuses: string[] = [];
  /** What previews published. */
  readonly plans: string[] = [];
  private readonly process: ProviderProcess;
  private readonly watch: (value: unknown) => void;

  constructor(url: string, { watch = () => undefined, ...options }: RunOptions) {
    this.watch = watch;
    const env = {
      RULESETS_BASE_URL: url,
      RULESETS_ON_CONFLICT: options.onConflict,
      RULESETS_MAX_REMOVED_PERCENT: options.maxRemovedPercent?.toString(),
      ...(options.credentials === false ? {} : { RULESETS_API_TOKEN: TOKEN }),
    };
    const config: Readonly<Record<string, string | undefined>> = {
      "rulesets:maxRetries": "0",
      "rulesets:previewChecks": options.previewChecks,
      "rulesets:dryRun": options.dryRun,
      "rulesets:expiryWarningDays": options.expiryWarningDays?.toString(),
    };
    const reporter = {
      info: (_urn: unknown, text: string) => void this.notes.push(text),
      warn: (_urn: unknown, text: string) => void this.warnings.push(text),
      status: (_urn: unknown, text: string) => void this.statuses.push(text),
      plan: (_urn: unknown, text: string) => void this.plans.push(text),
    };
    const { clock, resolveCaa = () => Promise.resolve([]), prints = false } = options;
    this.process = new ProviderProcess(env, undefined, {
      resolveCaa,
      ...(clock === undefined ? {} : { clock }),
      ...(prints ? {} : { reporter }),
    });
    this.process.configure((key) => config[key]);
  }

  get session(): Session {
    return this.process.session();
  }

  private provider(kind: string): Border {
    const known = findKind(kind);
    if (known === undefined) throw new Error(`there is no kind ${kind}`);
    return borderOf(known, this.process);
  }

  /** Throws all failures as one error. */
  async check(kind: string, olds: Props, args: Props): Promise<Props> {
    // The engine ignores the internal inputs: it passes the old ones.
    const news = { ...args, ...pick(olds, internalNamesOf(kind)), __provider: PROVIDER };
    const { inputs, failures = [] } = await this.watched(this.provider(kind).check(ownState(olds), news));
    if (failures.length > 0) {
      const reasons = failures.map(({ reason }) => reason);
      for (const reason of reasons) this.watch(reason);
      throw new Error(reasons.join("\n"));
    }
    this.watch(inputs);
    return inputs;
  }

  /** The engine's action for a diff: where the provider leaves it open, a difference is one of the inputs. */
  async diff(kind: string, { id, inputs, outputs }: Stored, news: Props): Promise<Action> {
    const answer = await this.watched(this.provider(kind).diff(id, ownState(outputs), ownState(news), inputs));
    this.deletesFirst = answer.deleteBeforeReplace === true;
    if ((answer.replaces ?? []).length > 0) return "replace";
    const shown = (props: Props): string => JSON.stringify(sorted(omit(fromWire(props), internalNamesOf(kind))));
    const changes = answer.changes ?? shown(inputs) !== shown(news);
    return changes ? "update" : "none";
  }

  async create(kind: string, inputs: Props): Promise<Stored> {
    const { id, outs } = await this.watched(this.provider(kind).create(ownState(inputs)));
    this.watch(outs);
    return { id, inputs, outputs: outs };
  }

  async update(kind: string, { id, outputs }: Stored, inputs: Props): Promise<Stored> {
    const { outs } = await this.watched(this.provider(kind).update(id, ownState(outputs), ownState(inputs)));
    this.watch(outs);
    return { id, inputs, outputs: outs };
  }

  /** Returns undefined when the object is gone. */
  /** As the engine does, keeps the inputs it has where a read returns none. */
  async read(
    kind: string,
    { id, outputs, inputs = {} }: Pick<Stored, "id" | "outputs"> & { readonly inputs?: Props },
  ): Promise<Stored | undefined> {
    const found = await this.watched(this.provider(kind).read(id, ownState(outputs)));
    this.watch([found.inputs, found.props]);
    if (found.id === undefined) return undefined;
    return { id: found.id, inputs: found.inputs ?? inputs, outputs: found.props ?? {} };
  }

  async delete(kind: string, { id, outputs }: Pick<Stored, "id" | "outputs">): Promise<void> {
    await this.watched(this.provider(kind).delete(id, ownState(outputs)));
  }

  private async watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.watch(error);
      throw error;
    }
  }
}

function internalNamesOf(kind: string): readonly string[] {
  const known = findKind(kind);
  return known === undefined ? [] : internalNames(known.description);
}

/** What the engine stores of an object after a failed write; undefined where the error contains no state. */
export function keptAfter(error: unknown, inputs: Props): Stored | undefined {
  const { id, properties } = error as Partial;
  return id === undefined || properties === undefined ? undefined : { id, inputs, outputs: properties };
}

/** The engine passes secrets as plain values, and every state with the `__provider` that the host adds. */
function ownState(props: Props): Record<string, unknown> {
  const plain = fromWire(props);
  return Object.keys(plain).length === 0 ? plain : { ...plain, __provider: PROVIDER };
}

/** As a program or a test reads it: secrets in clear, and without `__provider`. */
export function fromWire(props: Props): Record<string, unknown> {
  const { __provider, ...plain } = JSON.parse(JSON.stringify(unwrapSecrets(props as JsonObject))) as JsonObject;
  return plain;
}

/** The same value with sorted keys, because maps of the engine have no order. */
function sorted(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value as Json;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
