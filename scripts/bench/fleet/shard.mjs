// A shard of the fleet without the engine: the calls that the engine makes, through the same adapter, one new provider process for
// each command. Every zone has one entry point of three rules.
import { createRequire } from "node:module";
import { rulesOf } from "../engine/program.mjs";
import { TOKEN } from "../engine/service.mjs";

const require = createRequire(import.meta.url);
const { KINDS } = require("../../../dist/provider/kinds/index.js");
const { adapt } = require("../../../dist/provider/border/dynamic/adapter.js");
const { ProviderProcess } = require("../../../dist/provider/border/process.js");
const { openSession } = require("../../../dist/provider/connect.js");
const { readSettings } = require("../../../dist/provider/settings.js");
const { Secrets } = require("../../../dist/client/redaction/secrets.js");
const { planRestoration } = require("../../../dist/provider/restore.js");

export const PHASE = "http_request_firewall_custom";
const SILENT = { info() {}, warn() {}, status() {} };
const copy = (value) => JSON.parse(JSON.stringify(value));

export class Shard {
  /** By zone, what the engine keeps. */
  kept = new Map();

  constructor(zones, { url, clock }) {
    this.zones = zones;
    this.clock = clock;
    this.env = { RULESETS_BASE_URL: url, RULESETS_API_TOKEN: TOKEN };
  }

  provider() {
    const process = new ProviderProcess(this.env, undefined, { reporter: SILENT, clock: this.clock });
    const provider = adapt(KINDS.PhaseEntrypoint(), process);
    void provider.configure({ config: { get: () => undefined } });
    return provider;
  }

  args(zoneId, edition, preview) {
    return {
      zoneId,
      phase: PHASE,
      rules: rulesOf(PHASE, edition),
      __urn: `urn:pulumi:bench::bench::PhaseEntrypoint::${zoneId}`,
      __program: JSON.stringify({ preview, resources: this.zones.length }),
    };
  }

  /** `fleet plan` and `fleet run-shard` each preview a shard; the latter applies it too. */
  async preview(edition) {
    const provider = this.provider();
    await Promise.all(this.zones.map((zoneId) => this.plan(provider, zoneId, edition, true)));
  }

  async up(edition) {
    const provider = this.provider();
    await Promise.all(
      this.zones.map(async (zoneId) => {
        const { inputs, changes } = await this.plan(provider, zoneId, edition, false);
        const kept = this.kept.get(zoneId);
        if (!changes) return;
        const { id = kept?.id, outs } =
          kept === undefined
            ? await provider.create(copy(inputs))
            : await provider.update(kept.id, this.olds(kept), copy(inputs));
        this.kept.set(zoneId, { id, inputs, outs });
      }),
    );
  }

  async plan(provider, zoneId, edition, preview) {
    const kept = this.kept.get(zoneId);
    const { inputs, failures = [] } = await provider.check(
      copy(kept?.inputs ?? {}),
      this.args(zoneId, edition, preview),
    );
    if (failures.length > 0) throw new Error(failures[0].reason);
    // The engine asks for no difference where the inputs are equal.
    const isSame = JSON.stringify(kept?.inputs) === JSON.stringify(inputs);
    if (kept === undefined || isSame) return { inputs, changes: !isSame };
    const { changes } = await provider.diff(kept.id, this.olds(kept), copy(inputs));
    // Undefined: the engine compares the inputs, which differ.
    return { inputs, changes: changes !== false };
  }

  olds({ outs }) {
    return { ...copy(outs), __provider: "exports.handler = …" };
  }

  /** A refresh of the stack. */
  async refresh() {
    const provider = this.provider();
    await Promise.all([...this.kept.values()].map((kept) => provider.read(kept.id, this.olds(kept))));
  }

  /** `fleet rollback`, without the refresh after it. */
  async rollBack() {
    const settings = readSettings(() => undefined, this.env);
    const session = openSession(settings, { reporter: SILENT, secrets: new Secrets(), clock: this.clock });
    for (const [zoneId, { outs }] of this.kept) {
      const scope = { level: "zones", id: zoneId };
      const { rulesetId, previousVersion } = outs;
      const { rulesets } = session.client;
      const current = await rulesets.get(scope, rulesetId);
      const version = await rulesets.getVersion(scope, rulesetId, previousVersion);
      await planRestoration(session, scope, current, version).write();
    }
  }
}
