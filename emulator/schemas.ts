import Ajv, { type ValidateFunction } from "ajv";

/** JSON Schema, as far as the emulator needs it. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Schemas are constants of this package, so they are not checked against the meta-schema at every start, which took a fifth of
 * the start. A test checks every one of them, in the compiler's strict mode.
 */
const ajv = new Ajv({
  strict: false,
  verbose: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  // Optimising the code takes a third of the compilation, and a check of ten thousand zones is not faster for it.
  code: { optimize: false },
});

const declared: Schema[] = [];

/** Declares a schema of this package. It is compiled for the first value. */
export function declareSchema(schema: Schema): () => ValidateFunction {
  declared.push(schema);
  let validate: ValidateFunction | undefined;
  return () => (validate ??= ajv.compile(schema));
}

/** Every schema that has been declared. */
export function declaredSchemas(): readonly Schema[] {
  return declared;
}

/** Adds a document whose parts other schemas refer to by its `$id`. */
export function addDocument(document: Schema): void {
  ajv.addSchema(document);
}
