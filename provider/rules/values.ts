import { stableText } from "../model/json.js";

/** Numbers for field values, equal for equal values, so that long values need not be compared as texts again and again. */
export class Values {
  private readonly strings = new Map<string, number>();
  private readonly others = new Map<string, number>();

  numberOf(value: unknown): number {
    return typeof value === "string" ? this.number(this.strings, value) : this.number(this.others, stableText(value));
  }

  private number(known: Map<string, number>, text: string): number {
    const number = known.get(text) ?? this.strings.size + this.others.size;
    known.set(text, number);
    return number;
  }
}
