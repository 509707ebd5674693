import type { Options } from "ajv";

/**
 * How the emulator compiles its schemas. They are constants of this package, so they are not checked against the meta-schema at
 * every start, which took a fifth of the start.
 */
export const SCHEMA_OPTIONS: Options = {
  strict: false,
  verbose: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
};
