import Ajv, { type Options } from "ajv";
import "../../emulator/index.js";
import { API_SCHEMAS, KNOWN_ACTIONS, ruleSchemaOf } from "../../emulator/rulesets/checks/schema.js";
import { declaredSchemas, type Schema } from "../../emulator/schemas.js";
import ruleSchema from "../../schema/rule.json";

/** Throws for a schema that the meta-schema refuses, and for everything that strict mode warns about. */
function compileStrictly(schema: Schema, options: Options = {}, document?: Schema): void {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateSchema: true, allErrors: true, ...options });
  // Words of OpenAPI and of this package that no validation needs.
  ajv.addVocabulary(["components", "discriminator", ...OWN_KEYWORDS]);
  if (document !== undefined) ajv.addSchema(document);
  ajv.compile(schema);
}

const OWN_KEYWORDS = ["x-wire", "x-known", "x-exactly-one", "x-at-most-one", "x-at-least-one", "x-program"];

/** A schema as the title of a test. */
const named = (schema: Schema): [string, Schema] => [JSON.stringify(schema).slice(0, 80), schema];

test.each(declaredSchemas().map(named))("%s is valid, also in strict mode", (_, schema) => {
  compileStrictly(schema);
});

test("every operation that checks a body declared its schema when it was loaded", () => {
  expect(declaredSchemas().length).toBeGreaterThan(40);
});

test.each(KNOWN_ACTIONS)("the rule schema of %s in the API description is valid", (action) => {
  // The description spreads the type and the required properties of an object over `allOf` and what surrounds it.
  const options = { strictTypes: false, strictRequired: false, validateFormats: false };
  compileStrictly(ruleSchemaOf(action) ?? {}, options, API_SCHEMAS);
});

test("the schema of rules in a program is valid, also in strict mode", () => {
  compileStrictly(ruleSchema);
});

test.each<[string, Schema]>([
  ["a keyword that does not exist", { type: "object", property: {} }],
  ["a keyword of another type", { type: "string", minimum: 1 }],
  ["a required property that is not declared", { type: "object", properties: {}, required: ["a"] }],
  ["a value that the meta-schema refuses", { type: "object", properties: [] }],
])("%s would be found", (_, schema) => {
  expect(() => {
    compileStrictly(schema);
  }).toThrow();
});
