import { isObject } from "../../core/model/json.js";
import { Service } from "../support/emulator.js";
import { ManagedResource } from "./managed.js";
import type { RunOptions, Stored } from "./run.js";
import { clear } from "./secrets-apart.js";

export { bare, clear, secret } from "./secrets-apart.js";

/** One resource, and every text in clear that leaves its provider. Calls return whether they succeeded. */
export class AtTheBorder {
  /** In order. */
  readonly leaving: string[] = [];
  private readonly managed: ManagedResource<unknown>;

  constructor(kind: string, url: string) {
    const watch = (value: unknown): void => {
      this.record(value);
    };
    this.managed = new ManagedResource(kind, new Service({ url }), "urn:test", url, { watch, prints: true });
  }

  get kept(): Stored | undefined {
    return this.managed.stored;
  }

  up(args: object, options: RunOptions & { readonly preview?: boolean } = {}): Promise<boolean> {
    const { preview = false, ...more } = options;
    this.managed.start(more);
    return this.succeeds(() => (preview ? this.managed.plan(args, true) : this.managed.apply(args)));
  }

  async refresh(): Promise<boolean> {
    if (this.managed.kept === undefined) return false;
    this.managed.start();
    return this.succeeds(() => this.managed.read());
  }

  async destroy(options: RunOptions = {}): Promise<boolean> {
    const { kept } = this.managed;
    if (kept === undefined) return false;
    this.managed.start(options);
    return this.succeeds(() => this.managed.deleteOther(kept.id, kept.state as object));
  }

  private record(value: unknown): void {
    if (value instanceof Error) this.recordError(value);
    else this.leaving.push(JSON.stringify(clear(value)), ...texts(clear(value)));
  }

  private recordError(error: Error & { readonly properties?: object; readonly reasons?: readonly string[] }): void {
    this.leaving.push(error.message, error.stack ?? "", String(error), ...(error.reasons ?? []));
    if (error.properties !== undefined) this.record(error.properties);
  }

  /** Runs a call and records everything it prints. */
  private async succeeds(work: () => Promise<unknown>): Promise<boolean> {
    const spies = (["stdout", "stderr"] as const).map((stream) =>
      jest.spyOn(process[stream], "write").mockImplementation((text) => this.leaving.push(String(text)) > 0),
    );
    try {
      await work();
      return true;
    } catch {
      return false;
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)]) : [];
}
