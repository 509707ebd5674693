import { makeRequest, type RequestInput } from "../../../core/language/index";
import {
  simulate,
  type RuleInput,
  type RulesetInput,
  type SimulateInput,
  type Simulation,
} from "../../../core/simulator/index";

export const rule = (ref: string, action: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ref,
  action,
  expression: "true",
  ...more,
});

export const zone = (phase: string, ...rules: RuleInput[]): RulesetInput => ({ kind: "zone", phase, rules });
export const root = (phase: string, ...rules: RuleInput[]): RulesetInput => ({ kind: "root", phase, rules });
export const custom = (id: string, phase: string, ...rules: RuleInput[]): RulesetInput => ({
  kind: "custom",
  id,
  phase,
  rules,
});

export const FIREWALL = "http_request_firewall_custom";
export const MANAGED = "http_request_firewall_managed";
export const RATELIMIT = "http_ratelimit";
export const REDIRECT = "http_request_dynamic_redirect";
export const TRANSFORM = "http_request_transform";
export const LATE = "http_request_late_transform";

export const get = (url = "https://shop.example.com/login?next=/", more: Partial<RequestInput> = {}) =>
  makeRequest({ url, ...more });

export function run(rulesets: readonly RulesetInput[], more: Partial<SimulateInput> = {}): Simulation {
  return simulate({ rulesets, request: get(), ...more });
}

/** The status of every rule by ref. */
export const statuses = ({ trace }: Simulation): Record<string, string> =>
  Object.fromEntries(trace.map(({ ref = "", status }) => [ref, status]));
