import { createRequire } from "node:module";
import { startService, TOKEN } from "../engine/service.mjs";
import { copyOf, rulesOf } from "./rules.mjs";

const require = createRequire(import.meta.url);
const { KINDS } = require("../../../dist/provider/kinds/index.js");
const { adapt } = require("../../../dist/provider/border/dynamic/adapter.js");
const { ProviderProcess } = require("../../../dist/provider/border/process.js");

const SILENT = { info() {}, warn() {}, status() {} };

/**
 * Whole calls of the engine, through the adapter, each in a new run: nothing is known from an earlier one. The emulator is
 * another process, so only what the provider does counts. The engine's copies of values do not count either.
 */
export class Calls {
  service;
  /** By size, what the engine keeps of the ruleset that has so many rules. */
  kept = new Map();

  async start(sizes) {
    this.service = await startService(sizes.length + 1);
    for (const [at, size] of sizes.entries()) await this.create(size, this.service.zones[at]);
  }

  close() {
    this.service.close();
  }

  /** Each case prepares the values of a call, and returns the call. */
  get cases() {
    return {
      "preview of a new ruleset": (size, edition) => {
        const args = this.args(size, `new${edition}`, { zoneId: this.service.zones.at(-1) });
        return async () => passed(await this.provider().check({}, args));
      },
      "preview, every rule rewritten": (size, edition) => this.preview(size, edition, {}),
      "preview without rule analysis": (size, edition) => this.preview(size, edition, { ruleAnalysis: "off" }),
      "diff, every rule rewritten": (size, edition) => this.diff(size, edition, {}),
      "diff of a shared ruleset, all rewritten": (size, edition) => this.diff(size, edition, { ownership: "shared" }),
    };
  }

  /** A write changes what is at the service, so it is prepared and run one at a time. */
  get writes() {
    return { "update, every rule rewritten": (size, edition) => this.update(size, edition) };
  }

  /** One run of the provider process, as the engine calls it. */
  provider(config = {}) {
    const env = { RULESETS_BASE_URL: this.service.url, RULESETS_API_TOKEN: TOKEN };
    const provider = adapt(KINDS.PhaseEntrypoint(), new ProviderProcess(env, undefined, { reporter: SILENT }));
    void provider.configure({ config: { get: (name) => config[name.replace("rulesets:", "")] } });
    return provider;
  }

  args(size, word, more = {}) {
    const { zoneId } = this.kept.get(size);
    return { zoneId, phase: "http_request_firewall_custom", rules: copyOf(rulesOf(size, word)), ...RUN, ...more };
  }

  async create(size, zoneId) {
    this.kept.set(size, { zoneId });
    const { inputs } = passed(await this.provider().check({}, this.args(size, "word0")));
    const { id, outs } = await this.provider().create(copyOf(inputs));
    const changed = passed(await this.provider().check(copyOf(inputs), this.args(size, "next0")));
    this.kept.set(size, { zoneId, id, inputs, state: outs, changed: changed.inputs, written: outs, sent: inputs });
  }

  /** What the engine keeps, with other words in every rule. */
  rewritten(value, edition) {
    return JSON.parse(JSON.stringify(value).replaceAll("word0", `old${edition}`).replaceAll("next0", `new${edition}`));
  }

  preview(size, edition, config) {
    const olds = this.rewritten(this.kept.get(size).inputs, edition);
    const args = this.args(size, `new${edition}`);
    return async () => passed(await this.provider(config).check(olds, args));
  }

  diff(size, edition, more) {
    const { id, state, changed } = this.kept.get(size);
    const olds = { ...this.rewritten(state, edition), __provider: "exports.handler = …", ...more };
    const news = { ...this.rewritten(changed, edition), ...RUN, ...more };
    return () => this.provider().diff(id, olds, news);
  }

  async update(size, edition) {
    const kept = this.kept.get(size);
    const checked = passed(await this.provider().check(copyOf(kept.sent), this.args(size, `new${edition}`)));
    const [olds, news] = [copyOf(kept.written), copyOf(checked.inputs)];
    return async () => {
      const { outs } = await this.provider().update(kept.id, olds, news);
      Object.assign(kept, { written: outs, sent: checked.inputs });
    };
  }
}

/** What the resource class adds to the arguments. */
const RUN = {
  __urn: "urn:pulumi:bench::bench::PhaseEntrypoint::rules",
  __program: JSON.stringify({ preview: true, resources: 1 }),
};

function passed(checked) {
  if ((checked.failures ?? []).length > 0) throw new Error(checked.failures[0].reason);
  return checked;
}
