import { LOG_FIELDS, readLogLine, type LogRecord } from "./request-log.js";

/** Calls back with each row of a Parquet file that has the columns of a request log. Returns the number of rows. */
export async function eachRow(
  file: string,
  take: (found: LogRecord | undefined, row: number) => void,
): Promise<number> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead, compressors } = await loadReader();
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const columns = logColumns(metadata.schema.map(({ name }) => name));
  let [start, row] = [0, 0];
  // One group after the other, so that a file of any size fits.
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    await parquetRead({
      file: buffer,
      metadata,
      compressors,
      columns: Array.from(columns.keys()),
      rowStart: start,
      rowEnd: end,
      rowFormat: "object",
      onComplete: (rows) => {
        for (const one of rows) take(readLogLine(lineOf(one, columns)), (row += 1));
      },
    });
    start = end;
  }
  return row;
}

/** An optional peer: whoever has no such files does not install it. */
async function loadReader() {
  try {
    const [reader, { compressors }] = await Promise.all([import("hyparquet"), import("hyparquet-compressors")]);
    return { ...reader, compressors };
  } catch (error) {
    throw new Error("it is a Parquet file. To continue: npm install hyparquet hyparquet-compressors", { cause: error });
  }
}

/** The columns to read, with their names in the log: some engines write all names in lower case. */
function logColumns(names: readonly string[]): ReadonlyMap<string, string> {
  const byLower = new Map(LOG_FIELDS.map((name) => [name.toLowerCase(), name]));
  const found = names.flatMap((name) => {
    const field = byLower.get(name.toLowerCase());
    return field === undefined ? [] : [[name, field] as const];
  });
  return new Map(found);
}

/** A row as a line of the log has it. */
function lineOf(row: Readonly<Record<string, unknown>>, columns: ReadonlyMap<string, string>): object {
  return Object.fromEntries(Array.from(columns, ([column, field]) => [field, valueOf(row[column])]));
}

function valueOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.getTime() / 1000;
  if (typeof value === "string" && value.startsWith("{")) return jsonOf(value);
  // A map is a list of pairs.
  if (!Array.isArray(value)) return value;
  return Object.fromEntries((value as { key: string; value: unknown }[]).map((pair) => [pair.key, pair.value]));
}

/** Maps can be written as texts. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
