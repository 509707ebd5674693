import { createHash } from "node:crypto";

/** Ids of 32 hexadecimal digits that come in the same order in every run with the same seed. */
export class IdSource {
  constructor(
    private readonly seed: string,
    public count = 0,
  ) {}

  next(): string {
    this.count += 1;
    return createHash("sha256")
      .update(`${this.seed}/${String(this.count)}`)
      .digest("hex")
      .slice(0, 32);
  }
}
