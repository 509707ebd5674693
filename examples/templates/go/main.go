package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"pulumi-rulesets.example/sdk/go/rulesets"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		office := cfg.Require("office")
		zone := rulesets.GetZoneOutput(ctx, rulesets.GetZoneOutputArgs{Name: pulumi.String(cfg.Require("zone"))})

		custom, err := rulesets.NewPhaseEntrypoint(ctx, "custom", &rulesets.PhaseEntrypointArgs{
			ZoneId: zone.Id(),
			Phase:  pulumi.String("http_request_firewall_custom"),
			Rules: rulesets.RuleArray{
				rulesets.RuleArgs{
					Ref:         pulumi.String("office-only"),
					Description: pulumi.String("Admin pages are for the office"),
					Action:      pulumi.String("block"),
					Expression: pulumi.String(fmt.Sprintf(
						`starts_with(http.request.uri.path, "/admin") and not ip.src in {%s}`, office)),
				},
				rulesets.RuleArgs{
					Ref:         pulumi.String("scanners"),
					Description: pulumi.String("Challenge scanners"),
					Action:      pulumi.String("managed_challenge"),
					Expression:  pulumi.String(`http.user_agent contains "scan"`),
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = rulesets.NewPhaseEntrypoint(ctx, "limits", &rulesets.PhaseEntrypointArgs{
			ZoneId: zone.Id(),
			Phase:  pulumi.String("http_ratelimit"),
			Rules: rulesets.RuleArray{
				rulesets.RuleArgs{
					Ref:         pulumi.String("logins"),
					Description: pulumi.String("Slow down the guessing of passwords"),
					Action:      pulumi.String("block"),
					Expression:  pulumi.String(`http.request.uri.path eq "/login"`),
					Ratelimit: rulesets.RulesetRuleRatelimitArgs{
						Characteristics:   pulumi.ToStringArray([]string{"cf.colo.id", "ip.src"}),
						Period:            pulumi.Int(10),
						RequestsPerPeriod: pulumi.Int(10),
						MitigationTimeout: pulumi.Int(10),
					},
				},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("ruleIds", custom.RuleIds)
		return nil
	})
}
