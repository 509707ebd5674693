import { pathOfPointer } from "../../../client/pointer.js";
import { pathText } from "../../../core/model/path.js";

test.each([
  ["/rules/0/expression", "rules[0].expression"],
  [
    "/rules/12/action_parameters/overrides/rules/1/score_threshold",
    "rules[12].actionParameters.overrides.rules[1].scoreThreshold",
  ],
  ["/rules/0/action_parameters/headers/x_a~1b/value", 'rules[0].actionParameters.headers["x_a/b"].value'],
  ["/rules/0/action_parameters/edge_ttl/status_code_ttl/2", "rules[0].actionParameters.edgeTtl.statusCodeTtls[2]"],
  ["/rules/0/ratelimit/counting_expression", "rules[0].ratelimit.countingExpression"],
  ["/rules/0/new_field/deeper_still", "rules[0].new_field.deeper_still"],
  ["/rules/one", "rules.one"],
  ["/name", "name"],
  ["/kind", "kind"],
  ["", ""],
  ["/", ""],
  ["not a pointer", ""],
])("maps the pointer %j to the argument %s", (pointer, expected) => {
  expect(pathText(pathOfPointer(pointer))).toBe(expected);
});
