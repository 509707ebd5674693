import { fleetZones, PhaseEntrypoint } from "pulumi-rulesets";

for (const { id, name } of fleetZones())
  new PhaseEntrypoint(name, {
    zoneId: id,
    phase: "http_request_firewall_custom",
    rules: [{ ref: "admin", action: "block", expression: `http.request.uri.path eq "/admin"` }],
  });
