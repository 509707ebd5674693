import { readEach, readParts } from "../provider/model/file-error.js";
import type { Steps, TextDocument } from "../provider/files/text-document.js";

interface Members<Wanted extends string> {
  /** The members that there may be, with their types. */
  readonly takes: Readonly<Record<string, Wanted>>;
  readonly fits: (value: unknown, wanted: Wanted) => boolean;
  /** What has them. */
  readonly what: string;
}

/** @throws FileError unless all members are known and of their types */
export function requireMembers<Wanted extends string>(
  document: TextDocument,
  value: Readonly<Record<string, unknown>>,
  at: Steps,
  { takes, fits, what }: Members<Wanted>,
): void {
  readParts({
    members: () => {
      document.rejectUnknownMembers(value, Object.keys(takes), at, what);
    },
    values: () =>
      readEach(Object.entries<Wanted>(takes), ([name, wanted]) => {
        const item = value[name];
        if (item !== undefined && !fits(item, wanted)) throw document.errorAt([...at, name], `must be a ${wanted}`);
      }),
  });
}
