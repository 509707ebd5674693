"""Drives every group of operations of the emulator with Cloudflare's SDK for Python, which validates each answer."""

import sys

from cloudflare import APIStatusError, Cloudflare

PHASE = "http_request_firewall_custom"
MANAGED = "efb7b8c949ac4650a09736fc376e9aee"


def expect(wanted, seen):
    if wanted != seen:
        raise AssertionError(f"expected {wanted!r}, got {seen!r}")


def expect_refusal(status, call):
    try:
        call()
    except APIStatusError as error:
        expect(status, error.status_code)
    else:
        raise AssertionError(f"expected a refusal with {status}")


def fields(answer):
    """A response as a dictionary; the SDK leaves some of them untyped."""
    return answer if isinstance(answer, dict) else answer.to_dict()


def rulesets(sdk, owner):
    rule = {"action": "block", "expression": "ssl", "ref": "a"}
    made = fields(sdk.rulesets.create(**owner, kind="custom", name="c", phase=PHASE, rules=[rule]))
    ruleset = made["id"]
    expect("1", made["version"])
    sdk.rulesets.update(ruleset, **owner, description="twice", rules=[rule])
    expect(["1", "2"], sorted(each.version for each in sdk.rulesets.versions.list(ruleset, **owner)))
    expect("", sdk.rulesets.versions.get("1", ruleset_id=ruleset, **owner).description)
    added = fields(sdk.rulesets.rules.create(ruleset, **owner, action="log", expression="not ssl"))
    last = added["rules"][-1]["id"]
    sdk.rulesets.rules.edit(last, ruleset_id=ruleset, **owner, action="log", expression="not ssl", position={"index": 1})
    sdk.rulesets.rules.delete(last, ruleset_id=ruleset, **owner)
    sdk.rulesets.versions.delete("1", ruleset_id=ruleset, **owner)
    condition = "true" if "zone_id" in owner else 'cf.zone.plan eq "ENT"'
    execute = {"action": "execute", "expression": condition, "action_parameters": {"id": ruleset}}
    sdk.rulesets.phases.update(PHASE, **owner, rules=[execute])
    expect(1, len(sdk.rulesets.phases.get(PHASE, **owner).rules))
    sdk.rulesets.phases.versions.get("1", ruleset_phase=PHASE, **owner)
    expect_refusal(400, lambda: sdk.rulesets.delete(ruleset, **owner))
    sdk.rulesets.phases.update(PHASE, **owner, rules=[])
    sdk.rulesets.delete(ruleset, **owner)
    expect_refusal(404, lambda: sdk.rulesets.get(ruleset, **owner))
    expect_refusal(400, lambda: sdk.rulesets.phases.update(PHASE, **owner, rules=[{**rule, "expression": "nothing.such"}]))


def zones(sdk, account):
    made = sdk.zones.create(account={"id": account}, name="new.example.org")
    sdk.zones.edit(zone_id=made.id, paused=True)
    expect(True, sdk.zones.get(zone_id=made.id).paused)
    expect([made.id], [each.id for each in sdk.zones.list(name="new.example.org")])
    sdk.zones.settings.edit("http2", zone_id=made.id, value="off")
    expect("off", sdk.zones.settings.get("http2", zone_id=made.id).value)
    sdk.zones.delete(zone_id=made.id)


def accounts(sdk, account):
    expect(account, sdk.accounts.get(account_id=account).id)
    expect("active", sdk.user.tokens.verify().status)


def dns(sdk, zone):
    made = sdk.dns.records.create(zone_id=zone, name="www", type="A", content="192.0.2.1", ttl=1)
    sdk.dns.records.edit(made.id, zone_id=zone, name="www", type="A", content="192.0.2.2", ttl=60)
    expect("192.0.2.2", sdk.dns.records.get(made.id, zone_id=zone).content)
    sdk.dns.records.delete(made.id, zone_id=zone)


def lists(sdk, account):
    made = sdk.rules.lists.create(account_id=account, kind="ip", name="office")
    begun = sdk.rules.lists.items.create(made.id, account_id=account, body=[{"ip": "192.0.2.1"}])
    expect("completed", sdk.rules.lists.bulk_operations.get(begun.operation_id, account_id=account).status)
    items = list(sdk.rules.lists.items.list(made.id, account_id=account))
    expect(["192.0.2.1"], [item.ip for item in items])
    sdk.rules.lists.items.delete(made.id, account_id=account, items=[{"id": items[0].id}])
    sdk.rules.lists.delete(made.id, account_id=account)


def certificates(sdk, zone):
    ssl = {"method": "txt", "type": "dv", "certificate_authority": "google"}
    made = sdk.custom_hostnames.create(zone_id=zone, hostname="shop.customer.test", ssl=ssl)
    sdk.custom_hostnames.edit(made.id, zone_id=zone, ssl={**ssl, "certificate_authority": "lets_encrypt"})
    expect("lets_encrypt", sdk.custom_hostnames.get(made.id, zone_id=zone).ssl.certificate_authority)
    expect([made.id], [each.id for each in sdk.custom_hostnames.list(zone_id=zone, hostname="shop.customer.test")])
    sdk.custom_hostnames.fallback_origin.update(zone_id=zone, origin="origin.shop.example.com")
    pack = sdk.ssl.certificate_packs.create(
        zone_id=zone,
        certificate_authority="google",
        hosts=["shop.example.com"],
        type="advanced",
        validation_method="txt",
        validity_days=90,
    )
    sdk.ssl.certificate_packs.get(pack.id, zone_id=zone)
    expect(1, sdk.ssl.certificate_packs.quota.get(zone_id=zone).advanced.used)
    sdk.ssl.verification.get(zone_id=zone)
    sdk.ssl.certificate_packs.delete(pack.id, zone_id=zone)
    expect(False, sdk.ssl.universal.settings.edit(zone_id=zone, enabled=False).enabled)
    expect(True, sdk.acm.total_tls.update(zone_id=zone, enabled=True, certificate_authority="google").enabled)
    expect([], list(sdk.custom_certificates.list(zone_id=zone)))


def previous(sdk, zone):
    packages = list(sdk.firewall.waf.packages.list(zone_id=zone))
    expect(2, len(packages))
    core = fields(packages[0])["id"]
    list(sdk.firewall.waf.packages.groups.list(core, zone_id=zone))
    list(sdk.firewall.waf.packages.rules.list(core, zone_id=zone))
    made = list(sdk.filters.create(zone_id=zone, body=[{"expression": "ip.src eq 192.0.2.9", "description": "one"}]))[0]
    expect("one", made.description)
    rule = list(sdk.firewall.rules.create(zone_id=zone, action={"mode": "simulate"}, filter={"id": made.id}))[0]
    sdk.firewall.rules.delete(rule.id, zone_id=zone)
    sdk.filters.delete(made.id, zone_id=zone)
    page = sdk.page_rules.create(
        zone_id=zone,
        actions=[{"id": "ssl", "value": "full"}],
        targets=[{"target": "url", "constraint": {"operator": "matches", "value": "shop.example.com/*"}}],
    )
    sdk.page_rules.delete(page.id, zone_id=zone)


def tracer(sdk, account):
    answer = sdk.request_tracers.traces.create(account_id=account, method="GET", url="https://shop.example.com/")
    expect(200, answer.status_code)


def main(base_url):
    sdk = Cloudflare(api_token="t" * 40, base_url=base_url, max_retries=0, _strict_response_validation=True)
    zone = next(each for each in sdk.zones.list() if each.name == "shop.example.com")
    account = zone.account.id
    groups = [
        ("rulesets of a zone", lambda: rulesets(sdk, {"zone_id": zone.id})),
        ("rulesets of an account", lambda: rulesets(sdk, {"account_id": account})),
        ("zones and settings", lambda: zones(sdk, account)),
        ("accounts and tokens", lambda: accounts(sdk, account)),
        ("DNS records", lambda: dns(sdk, zone.id)),
        ("lists", lambda: lists(sdk, account)),
        ("certificates", lambda: certificates(sdk, zone.id)),
        ("the previous APIs", lambda: previous(sdk, zone.id)),
        ("the request tracer", lambda: tracer(sdk, account)),
    ]
    for name, drive in groups:
        drive()
        print(f"ok  {name}", flush=True)


main(sys.argv[1])
