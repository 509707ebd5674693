import { createHash } from "node:crypto";
import type { Collection } from "./collection.js";

/** IDs of 32 hexadecimal digits, in the same order in every run with the same seed. */
export class IdSource {
  constructor(private readonly meta: Collection<unknown>) {}

  /** Sets the source of the IDs: the same text produces the same IDs. */
  begin(source: string): void {
    this.meta.put("", "ids", { source, count: 0 });
  }

  next(): string {
    const { source, count } = this.meta.get("", "ids") as { source: string; count: number };
    this.meta.put("", "ids", { source, count: count + 1 });
    return createHash("sha256")
      .update(`${source}/${String(count + 1)}`)
      .digest("hex")
      .slice(0, 32);
  }
}

/** An ID as a UUID, which custom hostnames and certificates have. */
export function uuidOf(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20, 32)].join("-");
}
