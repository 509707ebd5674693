import pulumi
import pulumi_rulesets as rulesets

config = pulumi.Config()
office = config.require("office")
zone = rulesets.get_zone_output(name=config.require("zone"))

custom = rulesets.PhaseEntrypoint(
    "custom",
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

rulesets.PhaseEntrypoint(
    "limits",
    zone_id=zone.id,
    phase="http_ratelimit",
    rules=[
        {
            "ref": "logins",
            "description": "Slow down the guessing of passwords",
            "action": "block",
            "expression": 'http.request.uri.path eq "/login"',
            "ratelimit": {
                "characteristics": ["cf.colo.id", "ip.src"],
                "period": 10,
                "requests_per_period": 10,
                "mitigation_timeout": 10,
            },
        },
    ],
)

pulumi.export("ruleIds", custom.rule_ids)
