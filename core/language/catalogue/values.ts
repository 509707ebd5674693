import sets from "./values.json";

/** The day of the newest fact in the catalogue of fields, functions and values. */
export const CATALOGUE_DATE = "2026-10-10";

/** The values that a field can have, as far as Cloudflare documents them. */
export interface ValueSet {
  readonly fields: readonly string[];
  /** Missing where only their form is known. */
  readonly values?: readonly string[];
  /** Values that nobody documents for the field, and that it may have. */
  readonly also?: readonly string[];
  /** What people write for something else. */
  readonly mistakes?: Readonly<Record<string, string>>;
  /** Since that day, the values are others, which are not known here. */
  readonly changed?: string;
  /** What no value has, and `form` in words. */
  readonly never?: RegExp;
  readonly form?: string;
  /** What hardly any value has, and `habit` in words. */
  readonly unlikely?: RegExp;
  readonly habit?: string;
  /** Whether the values are those of another field, so that these may be more. */
  readonly assumed?: boolean;
  /** The day of the source. */
  readonly date: string;
  readonly source: string;
}

const raw: readonly object[] = sets;

/** As it is in the file. */
interface WrittenSet extends Omit<ValueSet, "never" | "unlikely"> {
  readonly never?: string;
  readonly unlikely?: string;
}

let byField: ReadonlyMap<string, ValueSet> | undefined;

/** The values of a field; undefined if no set of them is known. */
export function findValues(field: string): ValueSet | undefined {
  byField ??= new Map(
    (raw as readonly WrittenSet[]).map(parseSet).flatMap((set) => set.fields.map((name) => [name, set])),
  );
  return byField.get(field);
}

function parseSet({ never, unlikely, ...set }: WrittenSet): ValueSet {
  return {
    ...set,
    ...(never === undefined ? {} : { never: new RegExp(never) }),
    ...(unlikely === undefined ? {} : { unlikely: new RegExp(unlikely) }),
  };
}
