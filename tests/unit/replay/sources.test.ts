import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readRecording } from "../../../tools/cli/rules/replay/read";
import { findFiles } from "../../../tools/cli/rules/replay/sources";
import { fc, runs } from "../../support/properties";
import { temporaryFolder } from "../../support/temporary-folder.js";

let folder: string;
const write = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, content);
  return file;
};
beforeEach(() => {
  folder = temporaryFolder();
});

const line = (path: string): string =>
  `${JSON.stringify({ ClientRequestHost: "a.example.com", ClientRequestURI: path })}\n`;

/** The paths of the requests in a file, where there is none, and why it could not be read. */
async function read(file: string): Promise<{ paths: string[]; unread: number[]; why: string | undefined }> {
  const [paths, unread]: [string[], number[]] = [[], []];
  const why = await readRecording(file, (found, _, line) => {
    if (found === undefined) unread.push(line);
    else paths.push(new URL(String(found.request.url)).pathname);
    return found !== undefined;
  });
  return { paths, unread, why };
}

describe("the files that arguments name", () => {
  test("are files, what is in folders, and what matches a pattern; each once, and no marks of other programs", () => {
    const [a, b, c] = [write("logs/2026/a.log.gz", ""), write("logs/2026/b.log", ""), write("logs/c.log", "")];
    write("logs/_SUCCESS", "");
    write("logs/.part.crc", "");
    expect(findFiles([join(folder, "logs")])).toEqual([a, b, c]);
    expect(findFiles([b, join(folder, "logs", "**", "*.log"), join(folder, "logs")])).toEqual([b, c, a]);
    expect(findFiles(["-", "-"])).toEqual(["-"]);
    mkdirSync(join(folder, "logs", "empty"));
    expect(findFiles([join(folder, "logs")])).toEqual([a, b, c]);
    expect(() => findFiles([join(folder, "logs", "empty")])).toThrow(/empty has no file to read/);
    expect(() => findFiles([join(folder, "x")])).toThrow(/x does not exist/);
    expect(() => findFiles([join(folder, "*.x")])).toThrow(/\*\.x matches no file/);
  });
});

describe("a request log", () => {
  const text = line("/a") + line("/b") + "\n" + "rubbish\n" + line("/ü").trim();
  const whole = { paths: ["/a", "/b", "/%C3%BC"], unread: [4], why: undefined };

  test.each([
    ["text", Buffer.from(text)],
    ["gzip", gzipSync(text)],
    ["gzip in several parts", Buffer.concat([gzipSync(text.slice(0, 70)), gzipSync(text.slice(70))])],
  ])("is read as %s, whatever its name is", async (_, bytes) => {
    expect(await read(write("log", bytes))).toEqual(whole);
  });

  test("is read from pieces of any size", async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => line(`/${String(index)}/${"x".repeat(index % 90)}`));
    const { paths, unread, why } = await read(write("log", long.join("")));
    expect([paths.length, unread, why]).toEqual([30_000, [], undefined]);
  });

  test("with nothing in it has no requests", async () => {
    expect(await read(write("log", ""))).toEqual({ paths: [], unread: [], why: undefined });
  });
});

describe("rubbish", () => {
  test("such as zeros, other encodings and lines of 10 MB costs no line but its own", async () => {
    const bytes = [
      Buffer.from(line("/a")),
      Buffer.alloc(5000),
      Buffer.from("\n"),
      Buffer.from(line("/\u0000b").replace("\\u0000", "\u0000")),
      Buffer.from(line("/c"), "utf16le"),
      Buffer.from("\n"),
      Buffer.from(line(`/${"x".repeat(10_000_000)}`)),
      Buffer.from(line("/é"), "latin1"),
      Buffer.from(`\ufeff${line("/d")}`),
      Buffer.from('{"ClientRequestHost":"a.example.com","ClientRequestURI":"/e"'),
    ];
    const { paths, unread, why } = await read(write("log", Buffer.concat(bytes)));
    expect(paths.map((path) => path.slice(0, 20))).toEqual(["/a", `/${"x".repeat(19)}`, "/%EF%BF%BD"]);
    expect([unread, why]).toEqual([[2, 3, 4, 5, 8, 9], undefined]);
  });
});

describe("a file that cannot be read to its end", () => {
  const text = Array.from({ length: 2000 }, (_, index) => line(`/${String(index)}`)).join("");

  test("is named if it is gzip that was cut off, wherever that is", async () => {
    const bytes = gzipSync(text);
    const cut = fc.integer({ min: 4, max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        const { why } = await read(write("log", bytes.subarray(0, length)));
        expect(why).toBe("the compressed data end too early: the file is truncated");
      }),
      { numRuns: runs(30) },
    );
  });

  test("is named if it is damaged, or no log", async () => {
    const broken = gzipSync(text);
    broken.fill(0x55, 100, 140);
    expect((await read(write("log", broken))).why).toMatch(/^the compressed data are damaged/);
    expect((await read(write("log", "x".repeat((1 << 24) + 2e6)))).why).toMatch(/^line 1 is longer than 16 MB/);
    expect((await read(folder)).why).toMatch(/EISDIR|directory/);
  });
});
