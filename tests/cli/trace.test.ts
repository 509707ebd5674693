import { makeRequest } from "../../core/language/index.js";
import { simulate } from "../../core/simulator/index.js";
import { compareTrace } from "../../tools/rules-files/test/trace.js";
import type { TraceStep } from "../../client/index.js";

const input = { url: "https://shop.example.com/admin" };
const rules = [
  { ref: "a", description: "A", action: "block", expression: 'http.request.uri.path == "/admin"' },
  { ref: "b", action: "log", expression: "ssl" },
];
const seen = simulate({
  rulesets: [{ id: "r1", phase: "http_request_firewall_custom", rules }],
  request: makeRequest(input),
});
const step = (more: Partial<TraceStep>): TraceStep => ({
  type: "rule",
  stepName: "",
  matched: true,
  steps: [],
  ...more,
});

test("a rule in a trace is found by its content, in any notation and depth", () => {
  const inner = step({ expression: 'http.request.uri.path eq "/admin"', action: "block", description: "A" });
  const steps = [step({ type: "phase", steps: [step({ type: "ruleset", steps: [inner] })] })];
  expect(compareTrace(seen, { steps, statusCode: 403 }, input)).toEqual({
    agreed: 2,
    disagreements: [],
    notCompared: [],
  });
});

test("a rule that the service runs and the simulator does not reach is a disagreement", () => {
  const steps = [step({ stepName: "a" }), step({ stepName: "b" })];
  expect(compareTrace(seen, { steps }, input).disagreements).toEqual([
    { rule: '"b"', expression: "ssl", local: 'not reached: the request was blocked by "A"', service: "matched" },
  ]);
});

test("a different outcome than the simulator's is a disagreement", () => {
  expect(compareTrace(seen, { steps: [step({ stepName: "a" })], statusCode: 200 }, input).disagreements).toEqual([
    { rule: "the answer", local: "403 (blocked)", service: "200" },
  ]);
});
