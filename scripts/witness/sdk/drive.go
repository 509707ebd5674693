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
	"github.com/cloudflare/cloudflare-go/v7/custom_certificates"
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
const managed = "efb7b8c949ac4650a09736fc376e9aee"
const core = "a25a9a7e9c00afc1fb2e0245519d725b"

var ctx = context.Background()

// calls counts the calls of the SDK that pass: with an answer that its types allow, or with a refusal where one is expected.
// Any other call ends the program.
var calls int

// must returns the result of a call, and exits if the call failed.
func must[T any](answer T, err error) T {
	check(err)
	return answer
}

func check(err error) {
	if err != nil {
		panic(err)
	}
	calls++
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
	calls++
}

// driveRulesets takes the zone or the account as the parameters of a read have it.
func driveRulesets(sdk *cloudflare.Client, owner rulesets.RulesetGetParams) {
	zone, account := owner.ZoneID, owner.AccountID
	block := rulesets.BlockRuleParam{
		Action:     cloudflare.F(rulesets.BlockRuleActionBlock),
		Expression: cloudflare.F("ssl"),
	}
	made := must(sdk.Rulesets.New(ctx, rulesets.RulesetNewParams{
		ZoneID:    zone,
		AccountID: account,
		Kind:      cloudflare.F(rulesets.KindCustom),
		Name:      cloudflare.F("c"),
		Phase:     cloudflare.F(phase),
		Rules:     cloudflare.F([]rulesets.RulesetNewParamsRuleUnion{block}),
	}))
	expect("1", made.Version)
	changed := must(sdk.Rulesets.Update(ctx, made.ID, rulesets.RulesetUpdateParams{
		ZoneID:      zone,
		AccountID:   account,
		Description: cloudflare.F("twice"),
		Rules:       cloudflare.F([]rulesets.RulesetUpdateParamsRuleUnion{block, block}),
	}))
	expect(2, len(changed.Rules))
	must(sdk.Rulesets.Get(ctx, made.ID, owner))
	must(sdk.Rulesets.List(ctx, rulesets.RulesetListParams{ZoneID: zone, AccountID: account}))
	must(sdk.Rulesets.Versions.List(ctx, made.ID, rulesets.VersionListParams{ZoneID: zone, AccountID: account}))
	must(sdk.Rulesets.Versions.Get(ctx, made.ID, "1", rulesets.VersionGetParams{ZoneID: zone, AccountID: account}))
	added := must(sdk.Rulesets.Rules.New(ctx, made.ID, rulesets.RuleNewParams{
		ZoneID:    zone,
		AccountID: account,
		Body: rulesets.RuleNewParamsBodyBlockRule{
			BlockRuleParam: block,
			Position:       cloudflare.F[rulesets.RuleNewParamsBodyBlockRulePositionUnion](rulesets.RuleNewParamsBodyBlockRulePositionIndexPosition{Index: cloudflare.F(int64(1))}),
		},
	}))
	expect(3, len(added.Rules))
	must(sdk.Rulesets.Rules.Edit(ctx, made.ID, added.Rules[0].ID, rulesets.RuleEditParams{
		ZoneID:    zone,
		AccountID: account,
		Body:      rulesets.RuleEditParamsBodyBlockRule{BlockRuleParam: block},
	}))
	must(sdk.Rulesets.Rules.Delete(ctx, made.ID, added.Rules[0].ID, rulesets.RuleDeleteParams{ZoneID: zone, AccountID: account}))
	check(sdk.Rulesets.Versions.Delete(ctx, made.ID, "1", rulesets.VersionDeleteParams{ZoneID: zone, AccountID: account}))
	entry := func(rules ...rulesets.PhaseUpdateParamsRuleUnion) rulesets.PhaseUpdateParams {
		return rulesets.PhaseUpdateParams{ZoneID: zone, AccountID: account, Rules: cloudflare.F(rules)}
	}
	condition := "true"
	if zone.Value == "" {
		condition = `cf.zone.plan eq "ENT"`
	}
	execute := rulesets.ExecuteRuleParam{
		Action:           cloudflare.F(rulesets.ExecuteRuleActionExecute),
		Expression:       cloudflare.F(condition),
		ActionParameters: cloudflare.F(rulesets.ExecuteRuleActionParametersParam{ID: cloudflare.F(made.ID)}),
	}
	must(sdk.Rulesets.Phases.Update(ctx, phase, entry(execute)))
	entrypoint := must(sdk.Rulesets.Phases.Get(ctx, phase, rulesets.PhaseGetParams{ZoneID: zone, AccountID: account}))
	expect("execute", string(entrypoint.Rules[0].Action))
	must(sdk.Rulesets.Phases.Versions.List(ctx, phase, rulesets.PhaseVersionListParams{ZoneID: zone, AccountID: account}))
	must(sdk.Rulesets.Phases.Versions.Get(ctx, phase, "1", rulesets.PhaseVersionGetParams{ZoneID: zone, AccountID: account}))
	expectRefusal(400, sdk.Rulesets.Delete(ctx, made.ID, rulesets.RulesetDeleteParams{ZoneID: zone, AccountID: account}))
	must(sdk.Rulesets.Phases.Update(ctx, phase, entry()))
	block.Expression = cloudflare.F("nothing.such")
	_, err := sdk.Rulesets.Phases.Update(ctx, phase, entry(block))
	expectRefusal(400, err)
	check(sdk.Rulesets.Delete(ctx, made.ID, rulesets.RulesetDeleteParams{ZoneID: zone, AccountID: account}))
	_, err = sdk.Rulesets.Get(ctx, made.ID, owner)
	expectRefusal(404, err)
	expect(rulesets.KindManaged, rulesets.Kind(must(sdk.Rulesets.Get(ctx, managed, owner)).Kind))
	_, err = sdk.Rulesets.Update(ctx, managed, rulesets.RulesetUpdateParams{ZoneID: zone, AccountID: account})
	expectRefusal(403, err)
}

func driveZones(sdk *cloudflare.Client, account string) {
	made := must(sdk.Zones.New(ctx, zones.ZoneNewParams{
		Account: cloudflare.F(zones.ZoneNewParamsAccount{ID: cloudflare.F(account)}),
		Name:    cloudflare.F("new.example.org"),
	}))
	id := cloudflare.F(made.ID)
	must(sdk.Zones.Edit(ctx, zones.ZoneEditParams{ZoneID: id, Paused: cloudflare.F(true)}))
	expect(true, must(sdk.Zones.Get(ctx, zones.ZoneGetParams{ZoneID: id})).Paused)
	expect(1, len(must(sdk.Zones.List(ctx, zones.ZoneListParams{Name: cloudflare.F("new.example.org")})).Result))
	must(sdk.Zones.ActivationCheck.Trigger(ctx, zones.ActivationCheckTriggerParams{ZoneID: id}))
	must(sdk.Zones.Subscriptions.Get(ctx, zones.SubscriptionGetParams{ZoneID: id}))
	for setting, value := range map[string]string{"http2": "off", "ssl": "strict", "min_tls_version": "1.2"} {
		must(sdk.Zones.Settings.Edit(ctx, setting, zones.SettingEditParams{
			ZoneID: id,
			Body:   zones.SettingEditParamsBody{Value: cloudflare.F[interface{}](value)},
		}))
		must(sdk.Zones.Settings.Get(ctx, setting, zones.SettingGetParams{ZoneID: id}))
	}
	must(sdk.Zones.Delete(ctx, zones.ZoneDeleteParams{ZoneID: id}))
	_, err := sdk.Zones.Get(ctx, zones.ZoneGetParams{ZoneID: id})
	expectRefusal(403, err)
}

func driveAccounts(sdk *cloudflare.Client, account string) {
	expect(account, must(sdk.Accounts.Get(ctx, accounts.AccountGetParams{AccountID: cloudflare.F(account)})).ID)
	expect(1, len(must(sdk.Accounts.List(ctx, accounts.AccountListParams{})).Result))
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
	record := dns.ARecordParam{
		Name:    cloudflare.F("www"),
		TTL:     cloudflare.F(dns.TTL1),
		Type:    cloudflare.F(dns.ARecordTypeA),
		Content: cloudflare.F("192.0.2.2"),
	}
	must(sdk.DNS.Records.Edit(ctx, made.ID, dns.RecordEditParams{ZoneID: cloudflare.F(zone), Body: record}))
	must(sdk.DNS.Records.Update(ctx, made.ID, dns.RecordUpdateParams{ZoneID: cloudflare.F(zone), Body: record}))
	expect(1, len(must(sdk.DNS.Records.List(ctx, dns.RecordListParams{ZoneID: cloudflare.F(zone)})).Result))
	must(sdk.DNS.Records.Delete(ctx, made.ID, dns.RecordDeleteParams{ZoneID: cloudflare.F(zone)}))
	_, err := sdk.DNS.Records.Get(ctx, made.ID, dns.RecordGetParams{ZoneID: cloudflare.F(zone)})
	expectRefusal(404, err)
	record.Content = cloudflare.F("x")
	_, err = sdk.DNS.Records.New(ctx, dns.RecordNewParams{ZoneID: cloudflare.F(zone), Body: record})
	expectRefusal(400, err)
}

func driveLists(sdk *cloudflare.Client, account string) {
	id := cloudflare.F(account)
	made := must(sdk.Rules.Lists.New(ctx, rules.ListNewParams{
		AccountID: id,
		Kind:      cloudflare.F(rules.ListNewParamsKindIP),
		Name:      cloudflare.F("office"),
	}))
	must(sdk.Rules.Lists.Get(ctx, made.ID, rules.ListGetParams{AccountID: id}))
	must(sdk.Rules.Lists.Update(ctx, made.ID, rules.ListUpdateParams{AccountID: id, Description: cloudflare.F("ours")}))
	expect(1, len(must(sdk.Rules.Lists.List(ctx, rules.ListListParams{AccountID: id})).Result))
	begun := must(sdk.Rules.Lists.Items.New(ctx, made.ID, rules.ListItemNewParams{
		AccountID: id,
		Body:      []rules.ListItemNewParamsBodyUnion{rules.ListItemNewParamsBody{IP: cloudflare.F("192.0.2.1")}},
	}))
	items := must(sdk.Rules.Lists.Items.List(ctx, made.ID, rules.ListItemListParams{AccountID: id}))
	expect(1, len(items.Result))
	must(sdk.Rules.Lists.BulkOperations.Get(ctx, begun.OperationID, rules.ListBulkOperationGetParams{AccountID: id}))
	must(sdk.Rules.Lists.Items.Get(ctx, made.ID, items.Result[0].ID, rules.ListItemGetParams{AccountID: id}))
	must(sdk.Rules.Lists.Items.Delete(ctx, made.ID, rules.ListItemDeleteParams{
		AccountID: id,
		Items:     cloudflare.F([]rules.ListItemDeleteParamsItem{{ID: cloudflare.F(items.Result[0].ID)}}),
	}))
	must(sdk.Rules.Lists.Items.Update(ctx, made.ID, rules.ListItemUpdateParams{
		AccountID: id,
		Body:      []rules.ListItemUpdateParamsBodyUnion{rules.ListItemUpdateParamsBody{IP: cloudflare.F("198.51.100.0/24")}},
	}))
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
	expect(1, len(must(sdk.CustomHostnames.List(ctx, custom_hostnames.CustomHostnameListParams{ZoneID: id})).Result))
	must(sdk.CustomHostnames.Edit(ctx, made.ID, custom_hostnames.CustomHostnameEditParams{
		ZoneID:         id,
		CustomMetadata: cloudflare.F(map[string]string{"tag": "a"}),
	}))
	must(sdk.CustomHostnames.FallbackOrigin.Update(ctx, custom_hostnames.FallbackOriginUpdateParams{
		ZoneID: id,
		Origin: cloudflare.F("origin.shop.example.com"),
	}))
	must(sdk.CustomHostnames.FallbackOrigin.Get(ctx, custom_hostnames.FallbackOriginGetParams{ZoneID: id}))
	must(sdk.CustomHostnames.FallbackOrigin.Delete(ctx, custom_hostnames.FallbackOriginDeleteParams{ZoneID: id}))
	must(sdk.CustomHostnames.Delete(ctx, made.ID, custom_hostnames.CustomHostnameDeleteParams{ZoneID: id}))
	pack := must(sdk.SSL.CertificatePacks.New(ctx, ssl.CertificatePackNewParams{
		ZoneID:               id,
		CertificateAuthority: cloudflare.F(ssl.CertificatePackNewParamsCertificateAuthorityGoogle),
		Hosts:                cloudflare.F([]ssl.HostParam{"shop.example.com"}),
		Type:                 cloudflare.F(ssl.CertificatePackNewParamsTypeAdvanced),
		ValidationMethod:     cloudflare.F(ssl.CertificatePackNewParamsValidationMethodTXT),
		ValidityDays:         cloudflare.F(ssl.CertificatePackNewParamsValidityDays90),
	}))
	must(sdk.SSL.CertificatePacks.Get(ctx, pack.ID, ssl.CertificatePackGetParams{ZoneID: id}))
	must(sdk.SSL.CertificatePacks.List(ctx, ssl.CertificatePackListParams{ZoneID: id}))
	must(sdk.SSL.CertificatePacks.Edit(ctx, pack.ID, ssl.CertificatePackEditParams{
		ZoneID:             id,
		CloudflareBranding: cloudflare.F(true),
	}))
	must(sdk.SSL.Verification.Get(ctx, ssl.VerificationGetParams{ZoneID: id}))
	must(sdk.SSL.CertificatePacks.Delete(ctx, pack.ID, ssl.CertificatePackDeleteParams{ZoneID: id}))
	must(sdk.SSL.CertificatePacks.Quota.Get(ctx, ssl.CertificatePackQuotaGetParams{ZoneID: id}))
	must(sdk.SSL.Universal.Settings.Get(ctx, ssl.UniversalSettingGetParams{ZoneID: id}))
	must(sdk.SSL.Universal.Settings.Edit(ctx, ssl.UniversalSettingEditParams{
		ZoneID:               id,
		UniversalSSLSettings: ssl.UniversalSSLSettingsParam{Enabled: cloudflare.F(false)},
	}))
	must(sdk.ACM.TotalTLS.Get(ctx, acm.TotalTLSGetParams{ZoneID: id}))
	must(sdk.ACM.TotalTLS.Update(ctx, acm.TotalTLSUpdateParams{ZoneID: id, Enabled: cloudflare.F(true)}))
	pem, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	custom := must(sdk.CustomCertificates.New(ctx, custom_certificates.CustomCertificateNewParams{
		ZoneID:      id,
		Certificate: cloudflare.F(string(pem)),
		PrivateKey:  cloudflare.F("key"),
	}))
	must(sdk.CustomCertificates.Get(ctx, custom.ID, custom_certificates.CustomCertificateGetParams{ZoneID: id}))
	expect(1, len(must(sdk.CustomCertificates.List(ctx, custom_certificates.CustomCertificateListParams{ZoneID: id})).Result))
	must(sdk.CustomCertificates.Delete(ctx, custom.ID, custom_certificates.CustomCertificateDeleteParams{ZoneID: id}))
}

func drivePrevious(sdk *cloudflare.Client, zone string) {
	id := cloudflare.F(zone)
	packages := must(sdk.Firewall.WAF.Packages.List(ctx, firewall.WAFPackageListParams{ZoneID: id}))
	expect(2, len(packages.Result))
	groups := must(sdk.Firewall.WAF.Packages.Groups.List(ctx, core, firewall.WAFPackageGroupListParams{ZoneID: id}))
	group := groups.Result[0].ID
	must(sdk.Firewall.WAF.Packages.Groups.Get(ctx, core, group, firewall.WAFPackageGroupGetParams{ZoneID: id}))
	must(sdk.Firewall.WAF.Packages.Groups.Edit(ctx, core, group, firewall.WAFPackageGroupEditParams{
		ZoneID: id,
		Mode:   cloudflare.F(firewall.WAFPackageGroupEditParamsModeOff),
	}))
	must(sdk.Firewall.WAF.Packages.Rules.List(ctx, core, firewall.WAFPackageRuleListParams{ZoneID: id}))
	made := must(sdk.Filters.New(ctx, filters.FilterNewParams{
		ZoneID: id,
		Body:   []filters.FirewallFilterParam{{Expression: cloudflare.F("ip.src eq 192.0.2.9"), Description: cloudflare.F("one")}},
	}))
	expect("one", made.Result[0].Description)
	filter := made.Result[0].ID
	two := filters.FirewallFilterParam{Expression: cloudflare.F("ip.src eq 192.0.2.8"), Description: cloudflare.F("two")}
	expect("two", must(sdk.Filters.Update(ctx, filter, filters.FilterUpdateParams{ZoneID: id, FirewallFilter: two})).Description)
	must(sdk.Filters.Get(ctx, filter, filters.FilterGetParams{ZoneID: id}))
	expect(1, len(must(sdk.Filters.List(ctx, filters.FilterListParams{ZoneID: id})).Result))
	rule := must(sdk.Firewall.Rules.New(ctx, firewall.RuleNewParams{
		ZoneID: id,
		Action: cloudflare.F(firewall.RuleNewParamsAction{Mode: cloudflare.F(firewall.RuleNewParamsActionModeSimulate)}),
		Filter: cloudflare.F(filters.FirewallFilterParam{Expression: cloudflare.F("ip.src eq 192.0.2.7")}),
	})).Result[0].ID
	must(sdk.Firewall.Rules.Get(ctx, rule, firewall.RuleGetParams{ZoneID: id}))
	expect(1, len(must(sdk.Firewall.Rules.List(ctx, firewall.RuleListParams{ZoneID: id})).Result))
	must(sdk.Firewall.Rules.Delete(ctx, rule, firewall.RuleDeleteParams{ZoneID: id}))
	must(sdk.Filters.Delete(ctx, made.Result[0].ID, filters.FilterDeleteParams{ZoneID: id}))
}

func driveTracer(sdk *cloudflare.Client, account string) {
	answer := must(sdk.RequestTracers.Traces.New(ctx, request_tracers.TraceNewParams{
		AccountID: cloudflare.F(account),
		Method:    cloudflare.F("GET"),
		URL:       cloudflare.F("https://shop.example.com/"),
	}))
	expect(200, answer.StatusCode)
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
		{"rulesets of a zone", func(sdk *cloudflare.Client, id string) {
			driveRulesets(sdk, rulesets.RulesetGetParams{ZoneID: cloudflare.F(id)})
		}, zone.ID},
		{"rulesets of an account", func(sdk *cloudflare.Client, id string) {
			driveRulesets(sdk, rulesets.RulesetGetParams{AccountID: cloudflare.F(id)})
		}, zone.Account.ID},
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
	fmt.Printf("go: %d of %d calls pass\n", calls, calls)
}
