import * as pulumi from "@pulumi/pulumi";
import type { AnyRule, RetrievedConfig, RulesetRuleArgs, types } from "../../../provider/index.js";

/* The compiler checks these types: `npm run types` fails if an expected error is missing. */

const inList = (_rule: AnyRule): void => undefined;
const whole = (_rules: types.input.Rules): void => undefined;
const alone = (_args: RulesetRuleArgs): void => undefined;
const limit = { characteristics: ["cf.colo.id"], period: 10 };
const place = { zoneId: "z", phase: "p" };

test("the types accept the service's spelling, with what a response contains", () => {
  const retrieved: RetrievedConfig = {
    rules: [{ id: "", version: "", ref: "", action: "execute", expression: "true", action_parameters: { id: "x" } }],
  };
  whole(pulumi.output(retrieved).rules);
  whole(pulumi.output(retrieved.rules));
  inList({ id: "", version: "", action: "block", expression: "ssl", actionParameters: {} });
  inList({ action: "block", expression: "ssl", ratelimit: { ...limit, requests_per_period: 1 } });
  inList({ action: "block", expression: "ssl", ratelimit: { ...limit, requestsPerPeriod: 1 } });
  alone({ ...place, action: "block", expression: "ssl", action_parameters: { status_code: 400 }, id: "", version: "" });
});

test("the types accept one spelling for each rule", () => {
  // @ts-expect-error two spellings of one field
  inList({ action: "block", expression: "ssl", actionParameters: {}, action_parameters: {} });
  // @ts-expect-error two spellings in one rule
  inList({ action: "block", expression: "ssl", actionParameters: { status_code: 400 } });
  // @ts-expect-error a misspelled name of the service
  inList({ action: "block", expression: "ssl", action_paramters: {} });
  // @ts-expect-error two spellings of one field
  alone({ ...place, action: "block", expression: "ssl", actionParameters: {}, action_parameters: {} });
});
