/** Characters of a generation: the expressions of two versions of the largest rulesets. */
const MOST_CHARACTERS = 2_000_000;

/** Results by text. Those not used for a while are forgotten: only the current generation and the one before it are kept. */
export class ParseCache<Result> {
  private current = new Map<string, Result>();
  private previous = new Map<string, Result>();
  private characters = 0;

  get(text: string, parse: () => Result): Result {
    const known = this.current.get(text);
    if (known !== undefined) return known;
    const result = this.previous.get(text) ?? parse();
    this.characters += text.length;
    if (this.characters > MOST_CHARACTERS) {
      this.previous = this.current;
      this.current = new Map();
      this.characters = text.length;
    }
    this.current.set(text, result);
    return result;
  }
}
