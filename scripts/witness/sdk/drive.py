"""Drives every group of operations of the emulator with Cloudflare's SDK for Python, which validates each answer.

Prints how many of the SDK's calls pass. A call passes if its answer is what the test expects: a result that the SDK's types
allow, or a refusal where one is expected. Calls that fail for a reason of the SDK or of the API description are listed with it.
"""

import pathlib
import sys

from cloudflare import APIStatusError, Cloudflare, CloudflareError

PHASE = "http_request_firewall_custom"
MANAGED = "efb7b8c949ac4650a09736fc376e9aee"
CORE = "a25a9a7e9c00afc1fb2e0245519d725b"

COUNTS = {"calls": 0, "failed": 0}


class Counted:
    """A resource of the SDK; counts the calls of its methods, and those that fail."""

    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __getattr__(self, name):
        found = getattr(self.wrapped, name)
        return self.method(found) if callable(found) else Counted(found)

    @staticmethod
    def method(method):
        def call(*args, **kwargs):
            COUNTS["calls"] += 1
            try:
                return method(*args, **kwargs)
            except Exception:
                COUNTS["failed"] += 1
                raise

        return call


def expect(wanted, seen):
    if wanted != seen:
        raise AssertionError(f"expected {wanted!r}, got {seen!r}")


def expect_refusal(status, call):
    """The refusal is the answer that the call is to get."""
    try:
        call()
    except APIStatusError as error:
        expect(status, error.status_code)
        COUNTS["failed"] -= 1
    else:
        raise AssertionError(f"expected a refusal with {status}")


def expect_failure(reason, call):
    """The call fails although the emulator answers it as it should; `reason` says why."""
    try:
        call()
    except CloudflareError as error:
        print(f"    fails: {reason} ({type(error).__name__})", flush=True)
    else:
        raise AssertionError(f"a call passes that was expected to fail: {reason}")


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


def managed(sdk, owner):
    """Managed rulesets can be read, and not changed."""
    expect(True, MANAGED in [each.id for each in sdk.rulesets.list(**owner)])
    newest = list(sdk.rulesets.versions.list(MANAGED, **owner))[-1].version
    hidden = "rules of managed rulesets have no expression; the API description requires one"
    expect_failure(hidden, lambda: sdk.rulesets.get(MANAGED, **owner))
    expect_failure(hidden, lambda: sdk.rulesets.versions.get(newest, ruleset_id=MANAGED, **owner))
    expect_refusal(403, lambda: sdk.rulesets.update(MANAGED, **owner, rules=[]))
    expect_refusal(403, lambda: sdk.rulesets.delete(MANAGED, **owner))


def phases(sdk, zone):
    """An action of each kind, whose parameters the SDK checks in the answer."""
    header = {"X-A": {"operation": "set", "value": "a"}, "X-B": {"operation": "remove"}}
    page = {"status_code": 403, "content": "no", "content_type": "text/plain"}
    limit = {"characteristics": ["cf.colo.id", "ip.src"], "period": 60, "requests_per_period": 5, "mitigation_timeout": 60}
    for phase, action, more in [
        (PHASE, "block", {"action_parameters": {"response": page}}),
        (PHASE, "managed_challenge", {}),
        (PHASE, "js_challenge", {}),
        (PHASE, "challenge", {}),
        (PHASE, "log", {}),
        (PHASE, "skip", {"action_parameters": {"ruleset": "current"}, "logging": {"enabled": False}}),
        ("http_ratelimit", "block", {"ratelimit": limit}),
        ("http_request_transform", "rewrite", {"action_parameters": {"uri": {"path": {"value": "/a"}}}}),
        ("http_request_late_transform", "rewrite", {"action_parameters": {"headers": header}}),
        ("http_response_headers_transform", "rewrite", {"action_parameters": {"headers": header}}),
        ("http_request_origin", "route", {"action_parameters": {"host_header": "a.shop.example.com"}}),
        ("http_config_settings", "set_config", {"action_parameters": {"bic": True, "security_level": "low"}}),
        ("http_request_cache_settings", "set_cache_settings", {"action_parameters": {"cache": True}}),
        ("http_response_compression", "compress_response", {"action_parameters": {"algorithms": [{"name": "gzip"}]}}),
        ("http_custom_errors", "serve_error", {"action_parameters": {**page, "status_code": 500}}),
        ("http_request_dynamic_redirect", "redirect", {
            "action_parameters": {"from_value": {"target_url": {"value": "https://a.example/"}, "status_code": 301}},
        }),
        ("http_log_custom_fields", "log_custom_field", {"action_parameters": {"request_fields": [{"name": "a"}]}}),
        ("http_request_firewall_managed", "execute", {"action_parameters": {"id": MANAGED}}),
    ]:
        expression = "true" if action == "log_custom_field" else 'http.host eq "a"'
        rule = {"action": action, "expression": expression, **more}
        answer = sdk.rulesets.phases.update(phase, zone_id=zone, rules=[rule])
        expect(action, fields(answer)["rules"][0]["action"])
        sdk.rulesets.phases.get(phase, zone_id=zone)
        sdk.rulesets.phases.update(phase, zone_id=zone, rules=[])


def zones(sdk, account):
    made = sdk.zones.create(account={"id": account}, name="new.example.org", type="full")
    sdk.zones.activation_check.trigger(zone_id=made.id)
    sdk.zones.edit(zone_id=made.id, paused=True)
    expect(True, sdk.zones.get(zone_id=made.id).paused)
    expect([made.id], [each.id for each in sdk.zones.list(name="new.example.org")])
    expect([made.id], [each.id for each in sdk.zones.list(name="contains:example.org", order="name", direction="desc")])
    sdk.zones.subscriptions.update(zone_id=made.id, rate_plan={"id": "business"})
    expect("business", sdk.zones.subscriptions.get(zone_id=made.id).rate_plan.id)
    for setting, value in [("http2", "off"), ("ssl", "strict"), ("min_tls_version", "1.2"), ("always_use_https", "on")]:
        sdk.zones.settings.edit(setting, zone_id=made.id, value=value)
        expect(value, sdk.zones.settings.get(setting, zone_id=made.id).value)
    expect_refusal(400, lambda: sdk.zones.settings.edit("ssl", zone_id=made.id, value="loose"))
    expect_refusal(400, lambda: sdk.zones.create(account={"id": account}, name="new.example.org"))
    sdk.zones.delete(zone_id=made.id)
    expect_refusal(403, lambda: sdk.zones.get(zone_id=made.id))


def accounts(sdk, account):
    expect([account], [each.id for each in sdk.accounts.list()])
    expect(account, sdk.accounts.get(account_id=account).id)
    sdk.accounts.update(account_id=account, id=account, name="Another Ltd", type="standard")
    expect("active", sdk.user.tokens.verify().status)


def dns(sdk, zone):
    made = sdk.dns.records.create(zone_id=zone, name="www", type="A", content="192.0.2.1", ttl=1, proxied=True)
    sdk.dns.records.edit(made.id, zone_id=zone, name="www", type="A", content="192.0.2.2", ttl=60)
    expect("192.0.2.2", sdk.dns.records.get(made.id, zone_id=zone).content)
    expect(120, sdk.dns.records.update(made.id, zone_id=zone, name="www", type="A", content="192.0.2.3", ttl=120).ttl)
    for record in [
        {"type": "AAAA", "name": "six", "content": "2001:db8::1"},
        {"type": "CNAME", "name": "alias", "content": "www.shop.example.com"},
        {"type": "TXT", "name": "text", "content": '"a"'},
        {"type": "MX", "name": "mail", "content": "mail.example.org", "priority": 10},
        {"type": "CAA", "name": "caa", "data": {"flags": 0, "tag": "issue", "value": "pki.goog"}},
    ]:
        sdk.dns.records.delete(sdk.dns.records.create(zone_id=zone, ttl=1, **record).id, zone_id=zone)
    expect([made.id], [each.id for each in sdk.dns.records.list(zone_id=zone, type="A", name={"contains": "www"})])
    post = {"type": "A", "name": "batch", "content": "192.0.2.4", "ttl": 1}
    batch = sdk.dns.records.batch(zone_id=zone, deletes=[{"id": made.id}], posts=[post])
    expect_refusal(400, lambda: sdk.dns.records.create(zone_id=zone, name="x", type="A", content="x", ttl=1))
    sdk.dns.records.delete(batch.posts[0].id, zone_id=zone)
    expect_refusal(404, lambda: sdk.dns.records.get(made.id, zone_id=zone))


def lists(sdk, account):
    made = sdk.rules.lists.create(account_id=account, kind="ip", name="office", description="Where we sit")
    expect("Where we sit", sdk.rules.lists.get(made.id, account_id=account).description)
    expect("moved", sdk.rules.lists.update(made.id, account_id=account, description="moved").description)
    expect([made.id], [each.id for each in sdk.rules.lists.list(account_id=account)])
    begun = sdk.rules.lists.items.create(made.id, account_id=account, body=[{"ip": "192.0.2.1"}])
    expect("completed", sdk.rules.lists.bulk_operations.get(begun.operation_id, account_id=account).status)
    items = list(sdk.rules.lists.items.list(made.id, account_id=account))
    expect(["192.0.2.1"], [item.ip for item in items])
    expect("192.0.2.1", sdk.rules.lists.items.get(items[0].id, account_id=account, list_id=made.id).ip)
    sdk.rules.lists.items.delete(made.id, account_id=account, items=[{"id": items[0].id}])
    sdk.rules.lists.items.update(made.id, account_id=account, body=[{"ip": "198.51.100.0/24", "comment": "branch"}])
    expect(1, len(list(sdk.rules.lists.items.list(made.id, account_id=account, search="198.51"))))
    expect_refusal(400, lambda: sdk.rules.lists.create(account_id=account, kind="ip", name="office"))
    expect_refusal(400, lambda: sdk.rules.lists.items.create(made.id, account_id=account, body=[{"ip": "10.0.0.0/1"}]))
    sdk.rules.lists.delete(made.id, account_id=account)
    expect_refusal(404, lambda: sdk.rules.lists.get(made.id, account_id=account))
    for kind, item in [
        ("asn", {"asn": 64500}),
        ("hostname", {"hostname": {"url_hostname": "a.example.com"}}),
        ("redirect", {"redirect": {"source_url": "example.com/a", "target_url": "https://example.com/b"}}),
    ]:
        other = sdk.rules.lists.create(account_id=account, kind=kind, name=f"of_{kind}")
        sdk.rules.lists.items.create(other.id, account_id=account, body=[item])
        expect(1, len(list(sdk.rules.lists.items.list(other.id, account_id=account))))
        sdk.rules.lists.delete(other.id, account_id=account)


def certificates(sdk, zone):
    ssl = {"method": "txt", "type": "dv", "certificate_authority": "google"}
    made = sdk.custom_hostnames.create(zone_id=zone, hostname="shop.customer.test", ssl=ssl)
    sdk.custom_hostnames.edit(made.id, zone_id=zone, ssl={**ssl, "certificate_authority": "lets_encrypt"})
    expect("lets_encrypt", sdk.custom_hostnames.get(made.id, zone_id=zone).ssl.certificate_authority)
    expect([made.id], [each.id for each in sdk.custom_hostnames.list(zone_id=zone, hostname="shop.customer.test")])
    text = {"custom_metadata": {"tag": "a"}}
    expect({"tag": "a"}, sdk.custom_hostnames.edit(made.id, zone_id=zone, **text).custom_metadata)
    other = {"custom_metadata": {"beta": True}}
    expect_failure(
        "the API description allows only texts in custom metadata; the documentation shows others",
        lambda: sdk.custom_hostnames.edit(made.id, zone_id=zone, **other),
    )
    sdk.custom_hostnames.fallback_origin.update(zone_id=zone, origin="origin.shop.example.com")
    sdk.custom_hostnames.fallback_origin.get(zone_id=zone)
    sdk.custom_hostnames.fallback_origin.delete(zone_id=zone)
    sdk.custom_hostnames.delete(made.id, zone_id=zone)
    expect_refusal(404, lambda: sdk.custom_hostnames.get(made.id, zone_id=zone))
    pack = sdk.ssl.certificate_packs.create(
        zone_id=zone,
        certificate_authority="google",
        hosts=["shop.example.com"],
        type="advanced",
        validation_method="txt",
        validity_days=90,
    )
    sdk.ssl.certificate_packs.get(pack.id, zone_id=zone)
    sdk.ssl.certificate_packs.edit(pack.id, zone_id=zone, cloudflare_branding=True)
    expect(1, sdk.ssl.certificate_packs.quota.get(zone_id=zone).advanced.used)
    list(sdk.ssl.certificate_packs.list(zone_id=zone, status="all"))
    sdk.ssl.verification.get(zone_id=zone)
    sdk.ssl.verification.edit(pack.id, zone_id=zone, validation_method="http")
    sdk.ssl.certificate_packs.delete(pack.id, zone_id=zone)
    expect(False, sdk.ssl.universal.settings.edit(zone_id=zone, enabled=False).enabled)
    expect(False, sdk.ssl.universal.settings.get(zone_id=zone).enabled)
    expect(True, sdk.acm.total_tls.update(zone_id=zone, enabled=True, certificate_authority="google").enabled)
    expect("google", sdk.acm.total_tls.get(zone_id=zone).certificate_authority)
    pem = pathlib.Path(sys.argv[2]).read_text()
    custom = sdk.custom_certificates.create(zone_id=zone, certificate=pem, private_key="key")
    sdk.custom_certificates.get(custom.id, zone_id=zone)
    sdk.custom_certificates.edit(custom.id, zone_id=zone, bundle_method="optimal")
    sdk.custom_certificates.prioritize.update(zone_id=zone, certificates=[{"id": custom.id, "priority": 5}])
    expect([custom.id], [each.id for each in sdk.custom_certificates.list(zone_id=zone)])
    sdk.custom_certificates.delete(custom.id, zone_id=zone)


def previous(sdk, zone):
    waf = sdk.firewall.waf
    expect(2, len(list(waf.packages.list(zone_id=zone))))
    waf.packages.get(CORE, zone_id=zone)
    group = fields(list(waf.packages.groups.list(CORE, zone_id=zone))[0])["id"]
    waf.packages.groups.edit(group, zone_id=zone, package_id=CORE, mode="off")
    waf.packages.groups.get(group, zone_id=zone, package_id=CORE)
    rule = fields(list(waf.packages.rules.list(CORE, zone_id=zone))[0])["id"]
    waf.packages.rules.get(rule, zone_id=zone, package_id=CORE)
    waf.packages.rules.edit(rule, zone_id=zone, package_id=CORE, mode="off")
    # The SDK drops the answers of these operations.
    body = {"zone_id": zone, "urls": ["shop.example.com/a"], "extra_body": {"rules": {"100015": "disable"}}}
    override = waf.overrides.with_raw_response.create(**body).http_response.json()["result"]["id"]
    waf.overrides.get(override, zone_id=zone)
    waf.overrides.list(zone_id=zone)
    changed = {"id": override, "rewrite_action": {"disable": "simulate"}, "rules": {"100015": "disable"}}
    waf.overrides.update(override, zone_id=zone, urls=["shop.example.com/b"], **changed)
    waf.overrides.delete(override, zone_id=zone)
    made = list(sdk.filters.create(zone_id=zone, body=[{"expression": "ip.src eq 192.0.2.9", "description": "one"}]))[0]
    expect("one", made.description)
    expect([made.id], [each.id for each in sdk.filters.list(zone_id=zone, description="one")])
    two = {"expression": "ip.src eq 192.0.2.8", "description": "two"}
    expect("two", sdk.filters.update(made.id, zone_id=zone, **two).description)
    expect(["two"], [each.description for each in sdk.filters.bulk_update(zone_id=zone, body=[{**two, "id": made.id}])])
    expect("two", sdk.filters.get(made.id, zone_id=zone).description)
    rule = list(sdk.firewall.rules.create(zone_id=zone, action={"mode": "simulate"}, filter={"id": made.id}))[0]
    sdk.firewall.rules.get(rule.id, zone_id=zone)
    list(sdk.firewall.rules.list(zone_id=zone))
    sdk.firewall.rules.update(rule.id, zone_id=zone, action={"mode": "challenge"}, filter={**two, "id": made.id})
    sdk.firewall.rules.delete(rule.id, zone_id=zone)
    sdk.filters.delete(made.id, zone_id=zone)
    target = [{"target": "url", "constraint": {"operator": "matches", "value": "shop.example.com/*"}}]
    page = sdk.page_rules.create(zone_id=zone, actions=[{"id": "ssl", "value": "full"}], targets=target)
    sdk.page_rules.get(page.id, zone_id=zone)
    sdk.page_rules.edit(page.id, zone_id=zone, status="active")
    sdk.page_rules.update(page.id, zone_id=zone, actions=[{"id": "ssl", "value": "strict"}], targets=target)
    expect(1, len(sdk.page_rules.list(zone_id=zone)))
    sdk.page_rules.delete(page.id, zone_id=zone)


def tracer(sdk, account):
    answer = sdk.request_tracers.traces.create(account_id=account, method="GET", url="https://shop.example.com/")
    expect(200, answer.status_code)


def main(base_url):
    sdk = Counted(Cloudflare(api_token="t" * 40, base_url=base_url, max_retries=0, _strict_response_validation=True))
    zone = next(each for each in sdk.zones.list() if each.name == "shop.example.com")
    account = zone.account.id
    groups = [
        ("rulesets of a zone", lambda: rulesets(sdk, {"zone_id": zone.id})),
        ("rulesets of an account", lambda: rulesets(sdk, {"account_id": account})),
        ("managed rulesets of a zone", lambda: managed(sdk, {"zone_id": zone.id})),
        ("managed rulesets of an account", lambda: managed(sdk, {"account_id": account})),
        ("actions", lambda: phases(sdk, zone.id)),
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
    passed = COUNTS["calls"] - COUNTS["failed"]
    print(f"python: {passed} of {COUNTS['calls']} calls pass", flush=True)


main(sys.argv[1])
