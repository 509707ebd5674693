// The benchmark's program: three entry points of three rules in each zone.
export const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_dynamic_redirect"];

/** The rules of an entry point. A different edition changes one of them. */
export function rulesOf(phase, edition) {
  const action = {
    http_request_firewall_custom: { action: "block" },
    http_ratelimit: {
      action: "block",
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 60,
        requestsPerPeriod: 100,
        mitigationTimeout: 60,
      },
    },
    http_request_dynamic_redirect: {
      action: "redirect",
      actionParameters: { fromValue: { targetUrl: { value: "https://example.com/" }, statusCode: 301 } },
    },
  }[phase];
  return [1, 2, 3].map((number) => ({
    ...action,
    ref: `rule-${String(number)}`,
    description: `Rule ${String(number)}`,
    expression: `http.request.uri.path eq "/${String(number)}${number === 2 ? `-${String(edition)}` : ""}"`,
  }));
}

/** A program that declares the entry points as resources of a class. A different edition changes one rule of each. */
export function programOf(Resource, zones, edition, phases = PHASES) {
  return async () => {
    for (const zoneId of zones) {
      for (const phase of phases) new Resource(`${zoneId}-${phase}`, { zoneId, phase, rules: rulesOf(phase, edition) });
    }
  };
}
