import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UNKNOWN } from "../../core/model/unknown.js";
import type { Seed } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { TOKEN } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { writesIn } from "../support/requests.js";
import { ManagedRuleset, startService, type ResourceKind } from "./harness.js";

const phase = "http_request_firewall_custom";
const NOWHERE = "0".repeat(32);
const plain = block("Plain", "ssl");
const pattern = block("Pattern", 'http.host matches "^a"');
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => block(`Rule ${String(index)}`, `http.host eq "h${String(index)}.test"`));

describe("a dry run by the service in a preview", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  let root: string;
  const start = async (seed?: Seed, kind: ResourceKind = "PhaseEntrypoint") => {
    ({ service } = await startService(seed));
    zoneId = await service.zone("free");
    root = `/zones/${zoneId}/rulesets`;
    resource = dry(new ManagedRuleset(kind, service));
  };
  const dry = (resource: ManagedRuleset, dryRun: "on" | "warn" = "on"): ManagedRuleset => {
    resource.settings = { ...resource.settings, dryRun };
    return resource;
  };
  const inputs = (...rules: object[]) => ({ zoneId, phase, rules });
  /** Then nobody knows how many rules the plan has. */
  const hidePlan = () => service.fault({ method: "GET", path: `*/zones/${zoneId}`, status: 403, body: {}, times: 9 });
  /** The preview of another resource of the same run. */
  const planOther = async () => {
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    other.session = resource.session;
    await other.plan({ zoneId, phase: "http_request_origin", rules: [] }, true);
  };
  const everything = async () => {
    const found = (await service.list(`zones/${zoneId}`)).filter(({ kind }) => kind !== "managed");
    return Promise.all(found.map(({ id }) => service.ruleset(`zones/${zoneId}`, id)));
  };

  test("is made only when requested", async () => {
    await start();
    resource.settings = {};
    expect(writesIn((await resource.preview(inputs(plain))).requests)).toEqual([]);
  });

  test("of a create reports what the service rejects, at the rule, and changes nothing", async () => {
    await start();
    await expect(resource.preview(inputs(plain, { ...pattern, ref: "hosts" }))).rejects.toThrow(
      'rules[1].expression: the service rejects the rule "hosts": not entitled: the use of operator Matches is not ' +
        "allowed, a Business plan or a WAF Advanced plan is required. The plan of the zone does not include this.",
    );
    expect(writesIn(await service.requests())).toEqual([`DELETE ${root}/${NOWHERE}`, `POST ${root}`, `POST ${root}`]);
    expect(await everything()).toEqual([]);
  });

  test("of a change reports whether the service accepts it, and why not", async () => {
    await start();
    await resource.up(inputs(plain));
    const before = await everything();
    const id = before[0]?.id ?? "";
    await hidePlan();
    await expect(resource.preview(inputs(...many(6)))).rejects.toThrow(
      /^http_request_firewall_custom of zone \w+: the service rejects the change\. Nothing was written\.\n.*\[50001\] exceeded the maximum number of rules/,
    );
    const { notes, requests } = await resource.preview(inputs(...many(5)));
    expect(notes).toContain(`${phase} of zone ${zoneId}: the service accepts the change (dry run).`);
    expect(writesIn(requests)).toEqual([`DELETE ${root}/${NOWHERE}`, `PUT ${root}/${NOWHERE}`, `PUT ${root}/${id}`]);
    expect(await everything()).toEqual(before);
    expect(writesIn((await resource.up(inputs(...many(5)))).requests)).toEqual([`PUT ${root}/${id}`]);
    expect(writesIn((await resource.preview(inputs(...many(5)))).requests)).toEqual([]);
  });

  test("of a rename uses the path of a rename", async () => {
    await start();
    await resource.up({ ...inputs(plain), name: "before" });
    const before = await everything();
    const { requests } = await resource.preview({ ...inputs(plain), name: "after" });
    expect(writesIn(requests)).toEqual([
      `DELETE ${root}/${NOWHERE}`,
      `PUT ${root}/phases/none/entrypoint`,
      `PUT ${root}/phases/${phase}/entrypoint`,
    ]);
    expect(await everything()).toEqual(before);
  });

  test("of a custom ruleset", async () => {
    await start(undefined, "Ruleset");
    const custom = { zoneId, kind: "custom", name: "mine", phase };
    await expect(resource.preview({ ...custom, rules: [pattern] })).rejects.toThrow("rules[0].expression: the service");
    await resource.preview({ ...custom, rules: [plain] });
    expect(await everything()).toEqual([]);
  });

  test("is a warning when the stack requests it", async () => {
    await start();
    dry(resource, "warn");
    const { warnings } = await resource.preview(inputs(pattern));
    expect(warnings).toContainEqual(expect.stringContaining("rules[0].expression: the service rejects the rule"));
    await resource.up(inputs(plain));
    await hidePlan();
    expect((await resource.preview(inputs(...many(6)))).warnings).toContainEqual(expect.stringContaining("[50001]"));
  });

  test("is not made while a value is unknown, and reports it", async () => {
    await start();
    const { notes, requests } = await resource.preview(
      inputs(plain, { ...block("Later", "ssl"), expression: UNKNOWN }),
    );
    expect(notes).toContain(
      `${phase} of zone ${zoneId}: no dry run, because not all of its values are known before the update.`,
    );
    expect(writesIn(requests)).toEqual([]);
  });

  test("checks once per run and operation whether the service supports it", async () => {
    await start();
    const phases = [phase, "http_request_origin", "http_request_dynamic_redirect"];
    const all = phases.map((each) => new ManagedRuleset("PhaseEntrypoint", service, `urn:${each}`));
    const [first = resource, ...others] = all;
    dry(first).newSession();
    for (const other of others) other.session = first.session;
    await service.forget();
    await Promise.all(all.map((each, at) => each.plan({ zoneId, phase: phases[at], rules: [] }, true)));
    const probes = [`DELETE ${root}/${NOWHERE}`, `POST ${root}`];
    expect(writesIn(await service.requests())).toEqual([...probes, `POST ${root}`, `POST ${root}`, `POST ${root}`]);
  });

  describe("of a service that does not support it", () => {
    test("is never sent, nothing changes, and it is reported once per run", async () => {
      await start({ dryRun: false });
      await resource.up({ ...inputs(plain), name: "before" });
      const before = await everything();
      const steps = [inputs(pattern), { ...inputs(plain), name: "after" }, inputs()];
      for (const step of steps) {
        const { requests, warnings } = await resource.preview(step);
        expect(writesIn(requests)).toEqual([`DELETE ${root}/${NOWHERE}`]);
        expect(warnings.filter((text) => text.includes("dry_run"))).toHaveLength(1);
      }
      await service.forget();
      await planOther();
      expect(writesIn(await service.requests())).toEqual([]);
      expect(await everything()).toEqual(before);
    });

    test.each([204, 200, 404, 400])("is not sent to a service that answers %i to any DELETE", async (status) => {
      await start();
      const body = JSON.stringify({ success: status < 300, result: null, errors: [{ message: "no" }], messages: [] });
      await service.fault({ method: "DELETE", path: NOWHERE, status, body: status === 204 ? "" : body });
      expect(writesIn((await resource.preview(inputs(plain))).requests)).toEqual([`DELETE ${root}/${NOWHERE}`]);
    });

    test("is not sent for the one operation that does not support it", async () => {
      await start();
      const body = JSON.stringify({ success: false, result: null, errors: [{ message: "name is required" }] });
      await service.fault({ method: "POST", path: "/rulesets$", status: 400, body });
      const { requests } = await resource.preview(inputs(plain));
      expect(writesIn(requests)).toEqual([`DELETE ${root}/${NOWHERE}`, `POST ${root}`]);
    });
  });

  test("stops the run when the service carried it out, and no other is sent", async () => {
    await start();
    const body = { success: true, result: { id: "a".repeat(32) }, errors: [], messages: [] };
    await service.fault({ method: "POST", path: "/rulesets$" });
    await service.fault({ method: "POST", path: "/rulesets$", body });
    dry(resource, "warn");
    await expect(resource.preview(inputs(plain))).rejects.toThrow("carried out a write that was sent as a dry run");
    await service.forget();
    await planOther();
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("is not made with a read-only token, which is reported once", async () => {
    await start({ tokens: [{ value: TOKEN, access: "read" }] });
    const { warnings, requests } = await resource.preview(inputs(pattern));
    expect(
      warnings.filter((text) => text.startsWith("no dry run: it needs a token with write permission.")),
    ).toHaveLength(1);
    expect(writesIn(requests)).toEqual([`DELETE ${root}/${NOWHERE}`]);
    await planOther();
    expect(writesIn(await service.requests())).toEqual([]);
    expect(resource.warnings.filter((text) => text.startsWith("no dry run"))).toHaveLength(1);
  });

  test("without a response is reported, or stops the run where checks are required", async () => {
    await start();
    await service.fault({ method: "DELETE", path: NOWHERE, status: 503, times: 2 });
    const { warnings } = await resource.preview(inputs(plain));
    expect(warnings).toEqual([
      expect.stringMatching(/^could not check whether the service accepts the change of .* 503/) as string,
    ]);
    resource.settings = { ...resource.settings, previewChecks: "require" };
    await expect(resource.preview(inputs(plain))).rejects.toThrow("503");
  });

  test("without a response stops the run where checks are required, also if refusals are warnings", async () => {
    await start();
    resource.settings = { ...resource.settings, previewChecks: "require", dryRun: "warn" };
    await service.fault({ method: "DELETE", path: NOWHERE, status: 503, times: 9 });
    await expect(resource.preview(inputs(plain))).rejects.toThrow("503");
    await service.noFaults();
    await resource.up(inputs(plain));
    await service.fault({ method: "DELETE", path: NOWHERE, status: 503, times: 9 });
    await expect(resource.preview(inputs({ ...plain, enabled: false }))).rejects.toThrow(
      /whether the service accepts the change is not known[.] Nothing was written[.]\n.* 503/,
    );
  });

  test("that a proxy answers is no refusal of the service", async () => {
    await start();
    const body = "<html>Sign in</html>";
    const page = /^(?!.*rejects the change).*(?:PUT|DELETE) .*: 403 .*Sign in.*This is not the API's format/s;
    await service.fault({ method: "DELETE", path: NOWHERE, status: 403, body });
    await expect(resource.preview(inputs(plain))).rejects.toThrow(page);
    await resource.up(inputs(plain));
    const { id = "" } = (await service.entrypoint(zoneId, "http_request_firewall_custom")) ?? {};
    await service.fault({ method: "PUT", path: `/rulesets/${id}$`, status: 403, body });
    await expect(resource.preview(inputs(pattern, plain))).rejects.toThrow(page);
  });

  test("is not made when preview checks are off", async () => {
    await start();
    resource.settings = { ...resource.settings, previewChecks: "off" };
    expect((await resource.preview(inputs(plain))).requests).toEqual([]);
  });

  test("sends exactly the request of the update", async () => {
    await start();
    const relay = await startRelay(service.emulator.url);
    resource = dry(new ManagedRuleset("PhaseEntrypoint", service, "urn:test", relay.url));
    const steps = [
      inputs(plain, pattern),
      inputs({ ...pattern, enabled: false }, plain),
      { ...inputs(plain), name: "renamed", description: "words" },
      inputs(),
    ];
    await service.reset({ zones: [{ name: "free.example.com", plan: "business" }] });
    zoneId = await service.zone("business");
    for (const step of steps) {
      const wanted = { ...step, zoneId };
      await resource.preview(wanted);
      const rehearsed = relay.sent.at(-1);
      await resource.up(wanted);
      const sent = relay.sent.at(-1);
      expect(rehearsed).toEqual({ ...sent, dryRun: "true" });
    }
    const other = dry(new ManagedRuleset("PhaseEntrypoint", service, "urn:taken-over", relay.url));
    const adopting = { ...inputs(plain), zoneId, onExisting: "adopt" };
    await other.preview(adopting);
    const rehearsed = relay.sent.at(-1);
    await other.up(adopting);
    expect(rehearsed).toEqual({ ...relay.sent.at(-1), dryRun: "true" });
    await relay.close();
  });
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly dryRun: string | null;
}

/** Forwards requests to a service, and records the writes. */
async function startRelay(to: string): Promise<{ url: string; sent: Sent[]; close: () => Promise<void> }> {
  const sent: Sent[] = [];
  const relay: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(url, to);
      if (method !== "GET") sent.push({ method, path: pathname, body, dryRun: searchParams.get("dry_run") });
      const { authorization = "", "content-type": type = "" } = headers;
      const content = body === "" ? {} : { body };
      const told = { authorization, ...(body === "" ? {} : { "content-type": type }) };
      void fetch(new URL(url, to), { method, headers: told, ...content }).then(async (answer) =>
        response.writeHead(answer.status).end(await answer.text()),
      );
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((relay.address() as AddressInfo).port)}/client/v4`;
  const close = () =>
    new Promise<void>((resolve) => {
      relay.close(() => {
        resolve();
      });
      relay.closeAllConnections();
    });
  return { url, sent, close };
}
