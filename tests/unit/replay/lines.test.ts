import { eachLine } from "../../../cli/rules/replay/lines";
import { fc } from "../../support/properties";

/** The bytes of a text from a position on, in chunks. */
async function* chunksOf(bytes: Buffer, size: number, from = 0): AsyncGenerator<Buffer> {
  for (let at = from; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

test("however a file is divided, each of its lines is read once, and the numbers of lines add up", async () => {
  const text = fc.array(fc.constantFrom("", "a", "bc", "déf", "x".repeat(20)), { maxLength: 30 });
  const sizes = fc.record({ range: fc.integer({ min: 1, max: 25 }), chunk: fc.integer({ min: 1, max: 12 }) });
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), sizes, async (lines, isEnded, { range, chunk }) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join("") + (isEnded ? "" : "end"));
      const whole: string[] = [];
      const count = await eachLine(chunksOf(bytes, chunk), undefined, (line, number) => {
        expect(number).toBe(whole.push(line));
      });
      expect(whole).toEqual([...lines, ...(isEnded ? [] : ["end"])]);
      const parts: string[] = [];
      let sum = 0;
      for (let start = 0; start < bytes.length; start += range) {
        const end = Math.min(start + range, bytes.length);
        const own = await eachLine(chunksOf(bytes, chunk, Math.max(start - 1, 0)), { start, end }, (line, number) => {
          expect(sum + number).toBe(parts.push(line));
        });
        sum += own;
      }
      expect(parts).toEqual(whole);
      expect(sum).toBe(count);
    }),
  );
});
