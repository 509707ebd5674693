import type { dynamic } from "@pulumi/pulumi";
import { KINDS } from "../../provider/kinds/index.js";
import { secretPlaceholder } from "../../provider/engine/secrets.js";
import { isObject, type Json } from "../../provider/model/json.js";
import { unwrapSecrets, wrapSecret } from "../../provider/model/secret.js";
import { adapt } from "../../provider/runtime/adapter.js";
import { ProviderProcess } from "../../provider/runtime/process.js";
import { TOKEN } from "../support/emulator.js";

type Props = Record<string, unknown>;

/** A secret in the arguments of a program. */
export class Secret {
  constructor(readonly value: unknown) {}
}
export const secret = (value: unknown): Secret => new Secret(value);

/** What the resource class makes of arguments: placeholders, and the secrets apart. */
export function sent(args: object): Props {
  const secrets: Props = {};
  const walk = (value: unknown): unknown => {
    if (value instanceof Secret) {
      const name = String(Object.keys(secrets).length);
      secrets[name] = value.value;
      return secretPlaceholder(name);
    }
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  return { ...(walk(args) as object), __secrets: secrets, __provider: "exports.handler = …" };
}

/** The arguments as the service gets them. */
export function bare(value: unknown): unknown {
  if (value instanceof Secret) return value.value;
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bare(item)]));
}

const [signature] = Object.entries(wrapSecret("")).find(([, value]) => value !== "") ?? [""];

/** What the engine stores and shows in clear: everything but what came in the wire form of a secret. */
export function clear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clear);
  if (!isObject(value)) return value;
  if (signature in value) return "(encrypted)";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clear(item)]));
}

interface Kept {
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
}

/** One resource behind the real adapter, with a new provider process for every run, and all that leaves it in clear. */
export class AtTheBorder {
  kept: Kept | undefined;
  /** Every text that was printed, thrown or stored in clear, in order. */
  readonly leaving: string[] = [];
  private provider!: dynamic.ResourceProvider;

  constructor(
    private readonly kind: string,
    private readonly baseUrl: string,
    private readonly urn = "urn:test",
  ) {}

  private start(onConflict: string): void {
    const kind = KINDS[this.kind]?.();
    if (kind === undefined) throw new Error(this.kind);
    const env = { RULESETS_BASE_URL: this.baseUrl, RULESETS_API_TOKEN: TOKEN, RULESETS_ON_CONFLICT: onConflict };
    const process = new ProviderProcess(env, undefined);
    process.configure((key) => (key === "rulesets:maxRetries" ? "0" : undefined));
    this.provider = adapt(kind, process);
  }

  /** Check, diff, and create or update, as the engine calls them. True when all went well. */
  async up(args: object, options: { readonly preview?: boolean; readonly onConflict?: string } = {}): Promise<boolean> {
    this.start(options.onConflict ?? "");
    const { provider } = this;
    const old = this.kept;
    const news = { ...sent(args), __urn: this.urn, __preview: options.preview === true };
    const checked = await this.watch(async () => provider.check?.(fromEngine(old?.inputs), news));
    if (checked === undefined) return false;
    this.leaving.push(...(checked.failures ?? []).map(({ reason }) => reason));
    if ((checked.failures ?? []).length > 0) return false;
    const inputs = checked.inputs as Props;
    this.see(inputs);
    const olds = fromEngine(old?.outputs);
    const change =
      old === undefined ? {} : await this.watch(async () => provider.diff?.(old.id, olds, fromEngine(inputs)));
    if (change === undefined) return false;
    if (options.preview === true || change.changes === false) return true;
    const done = await this.watch(
      async () => {
        const made = old === undefined ? await provider.create(fromEngine(inputs)) : undefined;
        const outs: unknown = made?.outs ?? (await provider.update?.(old?.id ?? "", olds, fromEngine(inputs)))?.outs;
        return { id: made?.id ?? old?.id ?? "", inputs, outputs: outs as Props };
      },
      (id, outputs) => {
        this.kept = { id, inputs: old?.inputs ?? inputs, outputs };
      },
    );
    if (done === undefined) return false;
    this.kept = done;
    this.see(done.outputs);
    return true;
  }

  async refresh(): Promise<boolean> {
    this.start("");
    const old = this.kept;
    if (old === undefined) return false;
    const found = await this.watch(async () => this.provider.read?.(old.id, fromEngine(old.outputs) as never));
    if (found === undefined) return false;
    this.kept = { id: old.id, inputs: (found as { inputs: Props }).inputs, outputs: found.props as Props };
    this.see(this.kept);
    return true;
  }

  async destroy(onConflict = ""): Promise<boolean> {
    this.start(onConflict);
    const old = this.kept;
    if (old === undefined) return false;
    return (
      (await this.watch(async () => (await this.provider.delete?.(old.id, fromEngine(old.outputs)), true))) ?? false
    );
  }

  private see(value: unknown): void {
    this.leaving.push(JSON.stringify(clear(value)), ...texts(clear(value)));
  }

  /** Runs a call with everything that it prints or throws. */
  private async watch<T>(
    work: () => Promise<T>,
    kept: (id: string, outputs: Props) => void = () => undefined,
  ): Promise<T | undefined> {
    const spies = (["stdout", "stderr"] as const).map((stream) =>
      jest.spyOn(process[stream], "write").mockImplementation((text) => this.leaving.push(String(text)) > 0),
    );
    try {
      return await work();
    } catch (thrown) {
      const error = thrown as Error & { id?: string; properties?: Props; reasons?: string[] };
      this.leaving.push(error.message, error.stack ?? "", String(error), ...(error.reasons ?? []));
      if (error.id !== undefined && error.properties !== undefined) {
        this.see(error.properties);
        kept(error.id, error.properties);
      }
      return undefined;
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }
}

/** The engine hands secrets over as plain values. */
function fromEngine(props: Props | undefined): Props {
  return JSON.parse(JSON.stringify(unwrapSecrets((props ?? {}) as Json))) as Props;
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)]) : [];
}
