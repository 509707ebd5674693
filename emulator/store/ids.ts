import { createHash } from "node:crypto";
import type { Collection } from "./collection.js";

/** Ids of 32 hexadecimal digits that come in the same order in every run with the same seed. */
export class IdSource {
  constructor(private readonly meta: Collection<unknown>) {}

  /** Where the ids come from: the same text gives the same ids. */
  begin(source: string, count = 0): void {
    this.meta.put("", "ids", { source, count });
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
