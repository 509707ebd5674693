// Drives every group of operations of the emulator with Cloudflare's SDK for Go, which decodes each answer into its types.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cloudflare/cloudflare-go/v7"
	"github.com/cloudflare/cloudflare-go/v7/accounts"
	"github.com/cloudflare/cloudflare-go/v7/acm"
	"github.com/cloudflare/cloudflare-go/v7/custom_hostnames"
	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/filters"
	"github.com/cloudflare/cloudflare-go/v7/firewall"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/request_tracers"
	"github.com/cloudflare/cloudflare-go/v7/rules"
	"github.com/cloudflare/cloudflare-go/v7/rulesets"
	"github.com/cloudflare/cloudflare-go/v7/shared"
	"github.com/cloudflare/cloudflare-go/v7/ssl"
	"github.com/cloudflare/cloudflare-go/v7/zones"
)

const phase = rulesets.PhaseHTTPRequestFirewallCustom

var ctx = context.Background()

// must returns the result of a call, and exits if the call failed.
func must[T any](answer T, err error) T {
	check(err)
	return answer
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expect[T comparable](wanted, seen T) {
	if wanted != seen {
		panic(fmt.Sprintf("expected %v, got %v", wanted, seen))
	}
}

func expectRefusal(status int, err error) {
	var refusal *cloudflare.Error
	if !errors.As(err, &refusal) || refusal.StatusCode != status {
		panic(fmt.Sprintf("expected a refusal with %d, got %v", status, err))
	}
}

func driveRulesets(sdk *cloudflare.Client, zone string) {
	id := cloudflare.F(zone)
	block := rulesets.BlockRuleParam{
		Action:     cloudflare.F(rulesets.BlockRuleActionBlock),
		Expression: cloudflare.F("ssl"),
	}
	made := must(sdk.Rulesets.New(ctx, rulesets.RulesetNewParams{
		ZoneID: id,
		Kind:   cloudflare.F(rulesets.KindCustom),
		Name:   cloudflare.F("c"),
		Phase:  cloudflare.F(phase),
		Rules:  cloudflare.F([]rulesets.RulesetNewParamsRuleUnion{block}),
	}))
	expect("1", made.Version)
	changed := must(sdk.Rulesets.Update(ctx, made.ID, rulesets.RulesetUpdateParams{
		ZoneID:      id,
		Description: cloudflare.F("twice"),
		Rules:       cloudflare.F([]rulesets.RulesetUpdateParamsRuleUnion{block, block}),
	}))
	expect(2, len(changed.Rules))
	must(sdk.Rulesets.Versions.Get(ctx, made.ID, "1", rulesets.VersionGetParams{ZoneID: id}))
	must(sdk.Rulesets.Phases.Update(ctx, phase, rulesets.PhaseUpdateParams{
		ZoneID: id,
		Rules:  cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{block}),
	}))
	entrypoint := must(sdk.Rulesets.Phases.Get(ctx, phase, rulesets.PhaseGetParams{ZoneID: id}))
	expect("block", string(entrypoint.Rules[0].Action))
	block.Expression = cloudflare.F("nothing.such")
	_, err := sdk.Rulesets.Phases.Update(ctx, phase, rulesets.PhaseUpdateParams{
		ZoneID: id,
		Rules:  cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{block}),
	})
	expectRefusal(400, err)
	check(sdk.Rulesets.Delete(ctx, made.ID, rulesets.RulesetDeleteParams{ZoneID: id}))
	_, err = sdk.Rulesets.Get(ctx, made.ID, rulesets.RulesetGetParams{ZoneID: id})
	expectRefusal(404, err)
}

func driveZones(sdk *cloudflare.Client, account string) {
	made := must(sdk.Zones.New(ctx, zones.ZoneNewParams{
		Account: cloudflare.F(zones.ZoneNewParamsAccount{ID: cloudflare.F(account)}),
		Name:    cloudflare.F("new.example.org"),
	}))
	id := cloudflare.F(made.ID)
	must(sdk.Zones.Edit(ctx, zones.ZoneEditParams{ZoneID: id, Paused: cloudflare.F(true)}))
	expect(true, must(sdk.Zones.Get(ctx, zones.ZoneGetParams{ZoneID: id})).Paused)
	must(sdk.Zones.Settings.Get(ctx, "http2", zones.SettingGetParams{ZoneID: id}))
	must(sdk.Zones.Delete(ctx, zones.ZoneDeleteParams{ZoneID: id}))
}

func driveAccounts(sdk *cloudflare.Client, account string) {
	expect(account, must(sdk.Accounts.Get(ctx, accounts.AccountGetParams{AccountID: cloudflare.F(account)})).ID)
	expect("active", string(must(sdk.User.Tokens.Verify(ctx)).Status))
}

func driveDNS(sdk *cloudflare.Client, zone string) {
	made := must(sdk.DNS.Records.New(ctx, dns.RecordNewParams{
		ZoneID: cloudflare.F(zone),
		Body: dns.ARecordParam{
			Name:    cloudflare.F("www"),
			TTL:     cloudflare.F(dns.TTL1),
			Type:    cloudflare.F(dns.ARecordTypeA),
			Content: cloudflare.F("192.0.2.1"),
		},
	}))
	read := must(sdk.DNS.Records.Get(ctx, made.ID, dns.RecordGetParams{ZoneID: cloudflare.F(zone)}))
	expect("192.0.2.1", read.Content)
	must(sdk.DNS.Records.Delete(ctx, made.ID, dns.RecordDeleteParams{ZoneID: cloudflare.F(zone)}))
}

func driveLists(sdk *cloudflare.Client, account string) {
	id := cloudflare.F(account)
	made := must(sdk.Rules.Lists.New(ctx, rules.ListNewParams{
		AccountID: id,
		Kind:      cloudflare.F(rules.ListNewParamsKindIP),
		Name:      cloudflare.F("office"),
	}))
	must(sdk.Rules.Lists.Items.New(ctx, made.ID, rules.ListItemNewParams{
		AccountID: id,
		Body:      []rules.ListItemNewParamsBodyUnion{rules.ListItemNewParamsBody{IP: cloudflare.F("192.0.2.1")}},
	}))
	items := must(sdk.Rules.Lists.Items.List(ctx, made.ID, rules.ListItemListParams{AccountID: id}))
	expect(1, len(items.Result))
	must(sdk.Rules.Lists.Delete(ctx, made.ID, rules.ListDeleteParams{AccountID: id}))
}

func driveCertificates(sdk *cloudflare.Client, zone string) {
	id := cloudflare.F(zone)
	made := must(sdk.CustomHostnames.New(ctx, custom_hostnames.CustomHostnameNewParams{
		ZoneID:   id,
		Hostname: cloudflare.F("shop.customer.test"),
		SSL: cloudflare.F(custom_hostnames.CustomHostnameNewParamsSSL{
			CertificateAuthority: cloudflare.F(shared.CertificateCAGoogle),
			Method:               cloudflare.F(custom_hostnames.DCVMethodTXT),
			Type:                 cloudflare.F(custom_hostnames.DomainValidationTypeDv),
		}),
	}))
	read := must(sdk.CustomHostnames.Get(ctx, made.ID, custom_hostnames.CustomHostnameGetParams{ZoneID: id}))
	expect(shared.CertificateCAGoogle, read.SSL.CertificateAuthority)
	must(sdk.CustomHostnames.Delete(ctx, made.ID, custom_hostnames.CustomHostnameDeleteParams{ZoneID: id}))
	pack := must(sdk.SSL.CertificatePacks.New(ctx, ssl.CertificatePackNewParams{
		ZoneID:               id,
		CertificateAuthority: cloudflare.F(ssl.CertificatePackNewParamsCertificateAuthorityGoogle),
		Hosts:                cloudflare.F([]ssl.HostParam{"shop.example.com"}),
		Type:                 cloudflare.F(ssl.CertificatePackNewParamsTypeAdvanced),
		ValidationMethod:     cloudflare.F(ssl.CertificatePackNewParamsValidationMethodTXT),
		ValidityDays:         cloudflare.F(ssl.CertificatePackNewParamsValidityDays90),
	}))
	must(sdk.SSL.CertificatePacks.Delete(ctx, pack.ID, ssl.CertificatePackDeleteParams{ZoneID: id}))
	must(sdk.SSL.CertificatePacks.Quota.Get(ctx, ssl.CertificatePackQuotaGetParams{ZoneID: id}))
	must(sdk.SSL.Universal.Settings.Get(ctx, ssl.UniversalSettingGetParams{ZoneID: id}))
	must(sdk.ACM.TotalTLS.Get(ctx, acm.TotalTLSGetParams{ZoneID: id}))
}

func drivePrevious(sdk *cloudflare.Client, zone string) {
	id := cloudflare.F(zone)
	packages := must(sdk.Firewall.WAF.Packages.List(ctx, firewall.WAFPackageListParams{ZoneID: id}))
	expect(2, len(packages.Result))
	made := must(sdk.Filters.New(ctx, filters.FilterNewParams{
		ZoneID: id,
		Body:   []filters.FirewallFilterParam{{Expression: cloudflare.F("ip.src eq 192.0.2.9"), Description: cloudflare.F("one")}},
	}))
	expect("one", made.Result[0].Description)
	must(sdk.Filters.Delete(ctx, made.Result[0].ID, filters.FilterDeleteParams{ZoneID: id}))
}

func driveTracer(sdk *cloudflare.Client, account string) {
	answer := must(sdk.RequestTracers.Traces.New(ctx, request_tracers.TraceNewParams{
		AccountID: cloudflare.F(account),
		Method:    cloudflare.F("GET"),
		URL:       cloudflare.F("https://shop.example.com/"),
	}))
	expect(403, answer.StatusCode)
}

func main() {
	token := "tttttttttttttttttttttttttttttttttttttttt"
	sdk := cloudflare.NewClient(option.WithBaseURL(os.Args[1]), option.WithAPIToken(token), option.WithMaxRetries(0))
	zone := must(sdk.Zones.List(ctx, zones.ZoneListParams{Name: cloudflare.F("shop.example.com")})).Result[0]
	for _, group := range []struct {
		name  string
		drive func(*cloudflare.Client, string)
		owner string
	}{
		{"rulesets of a zone", driveRulesets, zone.ID},
		{"zones and settings", driveZones, zone.Account.ID},
		{"accounts and tokens", driveAccounts, zone.Account.ID},
		{"DNS records", driveDNS, zone.ID},
		{"lists", driveLists, zone.Account.ID},
		{"certificates", driveCertificates, zone.ID},
		{"the previous APIs", drivePrevious, zone.ID},
		{"the request tracer", driveTracer, zone.Account.ID},
	} {
		group.drive(sdk, group.owner)
		fmt.Println("ok ", group.name)
	}
}
