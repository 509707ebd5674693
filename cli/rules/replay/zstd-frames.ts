const MAGIC = 0xfd_2f_b5_28;
/** Frames without data have any of 16 numbers. */
const SKIPPABLE = 0x18_4d_2a_50;

type Part = "magic" | "skippable-size" | "descriptor" | "header" | "block" | "data" | "checksum";

/**
 * Follows the frames of Zstandard data, because Node reads only the first one, and takes data that end too early for complete:
 * https://www.rfc-editor.org/rfc/rfc8878#section-3
 */
export class ZstdFrames {
  private part: Part = "magic";
  /** The bytes of this part that are not seen yet. */
  private missing = 4;
  private seen: number[] = [];
  private hasChecksum = false;
  private isLast = false;

  /** Whether the data may end here. */
  get isComplete(): boolean {
    return this.part === "magic" && this.missing === 4;
  }

  /** Follows bytes, at most to the end of a frame, and returns how many. @throws Error if what follows a frame is none */
  follow(chunk: Uint8Array): number {
    let at = 0;
    do {
      const taken = Math.min(this.missing, chunk.length - at);
      if (this.part !== "data") this.seen.push(...chunk.subarray(at, at + taken));
      at += taken;
      this.missing -= taken;
      while (this.missing === 0) this.next();
    } while (at < chunk.length && !this.isComplete);
    return at;
  }

  /** Goes on to the part after one that is complete. */
  private next(): void {
    const { seen, part } = this;
    const number = seen.reduceRight((sum, byte) => sum * 256 + byte, 0);
    this.seen = [];
    if (part === "magic") {
      if (number === MAGIC) this.expect("descriptor", 1);
      else if (number >= SKIPPABLE && number < SKIPPABLE + 16) this.expect("skippable-size", 4);
      else throw new Error("the Zstandard data are followed by something else");
    } else if (part === "skippable-size") {
      this.isLast = true;
      this.hasChecksum = false;
      this.expect("data", number);
    } else if (part === "descriptor") {
      this.hasChecksum = (number & 4) !== 0;
      this.expect("header", headerSize(number));
    } else if (part === "header" || (part === "data" && !this.isLast)) this.expect("block", 3);
    else if (part === "block") {
      this.isLast = (number & 1) === 1;
      const isRepeated = ((number >> 1) & 3) === 1;
      this.expect("data", isRepeated ? 1 : number >> 3);
    } else if (part === "data" && this.hasChecksum) this.expect("checksum", 4);
    else this.expect("magic", 4);
  }

  private expect(part: Part, bytes: number): void {
    this.part = part;
    this.missing = bytes;
  }
}

/** The size of the rest of a frame's header. */
function headerSize(descriptor: number): number {
  const isSingleSegment = (descriptor & 32) !== 0;
  const contentSize = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryId = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionaryId + contentSize;
}
