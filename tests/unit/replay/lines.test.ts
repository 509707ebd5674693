import { eachLine } from "../../../tools/cli/rules/replay/lines";
import { fc } from "../../support/properties";

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

test("in whatever chunks a file comes, each of its lines is read once, with its number", async () => {
  const text = fc.array(fc.constantFrom("", "a", "bc", "déf", "x".repeat(20)), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), fc.integer({ min: 1, max: 12 }), async (lines, isEnded, chunk) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join("") + (isEnded ? "" : "end"));
      const whole: string[] = [];
      await eachLine(chunksOf(bytes, chunk), (line, number) => {
        expect(number).toBe(whole.push(line));
      });
      expect(whole).toEqual([...lines, ...(isEnded ? [] : ["end"])]);
    }),
  );
});
