import pulumi
import pulumi_rulesets as rulesets

config = pulumi.Config()
office = config.require("office")
zone = rulesets.get_zone_output(name=config.require("zone"))

waf = rulesets.PhaseEntrypoint(
    "waf",
    zone_id=zone.id,
    phase="http_request_firewall_custom",
    rules=[
        {
            "ref": "office-only",
            "description": "Admin pages are for the office",
            "action": "block",
            "expression": f'starts_with(http.request.uri.path, "/admin") and not ip.src in {{{office}}}',
        },
        {
            "ref": "scanners",
            "description": "Challenge scanners",
            "action": "managed_challenge",
            "expression": 'http.user_agent contains "scan"',
        },
    ],
)

pulumi.export("ruleIds", waf.rule_ids)
