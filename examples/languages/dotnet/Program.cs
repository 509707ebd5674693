using System.Collections.Generic;
using Pulumi;
using Rulesets = Pulumi.Rulesets;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var office = config.Require("office");

    var waf = new Rulesets.PhaseEntrypoint("waf", new()
    {
        ZoneId = config.Require("zoneId"),
        Phase = "http_request_firewall_custom",
        Rules = new[]
        {
            new Rulesets.Inputs.RuleArgs
            {
                Ref = "office-only",
                Description = "Admin pages are for the office",
                Action = "block",
                Expression = $"starts_with(http.request.uri.path, \"/admin\") and not ip.src in {{{office}}}",
            },
            new Rulesets.Inputs.RuleArgs
            {
                Ref = "scanners",
                Description = "Challenge scanners",
                Action = "managed_challenge",
                Expression = "http.user_agent contains \"scan\"",
            },
            new Rulesets.Inputs.RuleArgs
            {
                Ref = "watch-api",
                Description = "Watch the API",
                Action = "log",
                Expression = "starts_with(http.request.uri.path, \"/api/\")",
                Enabled = false,
            },
        },
    });

    return new Dictionary<string, object?> { ["ruleIds"] = waf.RuleIds };
});
