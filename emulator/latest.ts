import { refuse } from "./failure.js";

/** The end of a list: as many entries as `?last=` says, or all of them without it. */
export function latest<T>(entries: readonly T[], last: string | undefined): readonly T[] {
  if (last === undefined) return entries;
  if (!/^[1-9]\d{0,5}$/.test(last)) throw refuse(400, undefined, "last must be a whole number from 1 to 999999");
  return entries.slice(-Number(last));
}
