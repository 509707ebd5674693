import { ApiError, failedRequestText } from "../core/model/errors.js";
import { isObject, type JsonObject } from "../core/model/json.js";
import { ManagedNames } from "../core/managed/names.js";
import type { Position } from "../core/model/position.js";
import type { Scope } from "../core/model/ids.js";
import type { RulesetRule } from "../core/model/generated/rule.js";
import type { Ruleset, RulesetSummary } from "../core/model/ruleset.js";
import type { Call, Transport } from "./http/index.js";
import { sendConfirmedDelete } from "./confirmed-delete.js";
import { DryRunProof, type DryRunOperation } from "./dry-run.js";
import { ruleToWire, rulesetFromWire, summaryFromWire } from "../core/model/codec.js";
import {
  encodeSegment,
  hasId,
  pagesByCursor,
  requireResult,
  requireRules,
  requireSame,
  undefinedIfMissing,
} from "./pages.js";

/** Body of {@link RulesetsClient.create}. */
export interface NewRuleset {
  readonly name: string;
  readonly kind: string;
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly RulesetRule[];
}

/** Body of a full update: rules that it omits are deleted. */
export interface RulesetContent {
  /** Only entry points can be renamed here; a PUT by ID refuses a different name. */
  readonly name?: string;
  readonly description: string;
  readonly rules: readonly RulesetRule[];
}

/** A change of a rule: a new definition, a new position, or both. */
interface RuleChange {
  readonly rule?: RulesetRule;
  readonly position?: Position;
}

/** A ruleset without a rule that was deleted. */
interface DeletedRule {
  /** The version that this request made. */
  readonly made?: Ruleset;
  /** What was found without the rule: an earlier request, or somebody else, has deleted it. */
  readonly found?: Ruleset;
}

/** For writes: with `dryRun: true`, the service validates without saving, and returns no ruleset. */
export interface WriteOptions {
  readonly dryRun?: boolean;
}

const PAGE_SIZE = 50;

/**
 * The rulesets operations of the API at zone and account level: https://developers.cloudflare.com/api/resources/rulesets/.
 * When nothing is found, `get…` throws an {@link ApiError} with code `API_NOT_FOUND`, and `find…` returns undefined.
 */
export class RulesetsClient {
  private readonly dryRunProof: DryRunProof;

  constructor(
    private readonly transport: Transport,
    /** Collects the names of managed rulesets and rules from responses. @default a new collection */
    readonly names = new ManagedNames(),
  ) {
    this.dryRunProof = new DryRunProof(transport);
  }

  /** Every ruleset of a zone or account, all pages, without rules. */
  async list(scope: Scope): Promise<RulesetSummary[]> {
    return (await this.summaries(root(scope), { per_page: PAGE_SIZE })).map((summary) => this.learnt(summary));
  }

  /** The current version of a ruleset. */
  async get(scope: Scope, rulesetId: string): Promise<Ruleset> {
    const call: Call = { method: "GET", path: `${root(scope)}/${encodeSegment(rulesetId)}` };
    const ruleset = await this.ruleset(call);
    requireSame(call, rulesetId, ruleset.id);
    return ruleset;
  }
  find(scope: Scope, rulesetId: string): Promise<Ruleset | undefined> {
    return undefinedIfMissing(this.get(scope, rulesetId));
  }

  /** The current version of a phase's entry point. */
  async getEntrypoint(scope: Scope, phase: string): Promise<Ruleset> {
    return this.ruleset({ method: "GET", path: entrypoint(scope, phase) });
  }
  findEntrypoint(scope: Scope, phase: string): Promise<Ruleset | undefined> {
    return undefinedIfMissing(this.getEntrypoint(scope, phase));
  }

  /** Every version of a ruleset, without rules. */
  async listVersions(scope: Scope, rulesetId: string): Promise<RulesetSummary[]> {
    return this.summaries(`${root(scope)}/${encodeSegment(rulesetId)}/versions`);
  }
  /** Every version of an entry point, without rules; none when there is no entry point. */
  async listEntrypointVersions(scope: Scope, phase: string): Promise<RulesetSummary[]> {
    return this.summaries(`${entrypoint(scope, phase)}/versions`);
  }
  /** One version with its rules. */
  async getVersion(scope: Scope, rulesetId: string, version: string): Promise<Ruleset> {
    return this.ruleset({
      method: "GET",
      path: `${root(scope)}/${encodeSegment(rulesetId)}/versions/${encodeSegment(version)}`,
    });
  }
  async getEntrypointVersion(scope: Scope, phase: string, version: string): Promise<Ruleset> {
    return this.ruleset({ method: "GET", path: `${entrypoint(scope, phase)}/versions/${encodeSegment(version)}` });
  }
  /** A managed ruleset with only the rules that have a tag. */
  async listRulesByTag(scope: Scope, rulesetId: string, version: string, tag: string): Promise<Ruleset> {
    const path = `${root(scope)}/${encodeSegment(rulesetId)}/versions/${encodeSegment(version)}/by_tag/${encodeSegment(tag)}`;
    return this.ruleset({ method: "GET", path });
  }

  /** Tests, without changing anything, whether the service honours {@link WriteOptions.dryRun}. If not, send no dry runs. */
  honoursDryRun(scope: Scope, operation: DryRunOperation): Promise<boolean> {
    return this.dryRunProof.isHonoured(scope, operation);
  }

  /** Creates a ruleset or an entry point; fails with 20217 if the phase already has an entry point. */
  async create(scope: Scope, ruleset: NewRuleset): Promise<Ruleset>;
  async create(scope: Scope, ruleset: NewRuleset, options: WriteOptions): Promise<Ruleset | undefined>;
  async create(scope: Scope, ruleset: NewRuleset, options: WriteOptions = {}): Promise<Ruleset | undefined> {
    const { rules, ...rest } = ruleset;
    const body = { ...rest, ...(rules === undefined ? {} : { rules: rules.map(ruleToWire) }) };
    return this.write({ method: "POST", path: root(scope), body, phase: ruleset.phase }, options);
  }

  /** Replaces description and rules of a ruleset. */
  async replace(scope: Scope, rulesetId: string, content: RulesetContent, phase?: string): Promise<Ruleset>;
  async replace(
    scope: Scope,
    rulesetId: string,
    content: RulesetContent,
    phase: string | undefined,
    options: WriteOptions,
  ): Promise<Ruleset | undefined>;
  async replace(
    scope: Scope,
    rulesetId: string,
    content: RulesetContent,
    phase?: string,
    options: WriteOptions = {},
  ): Promise<Ruleset | undefined> {
    const path = `${root(scope)}/${encodeSegment(rulesetId)}`;
    return this.write({ method: "PUT", path, body: contentToWire(content), phase }, options);
  }

  /** Replaces an entry point, or creates it if the phase has none. */
  async replaceEntrypoint(scope: Scope, phase: string, content: RulesetContent): Promise<Ruleset>;
  async replaceEntrypoint(
    scope: Scope,
    phase: string,
    content: RulesetContent,
    options: WriteOptions,
  ): Promise<Ruleset | undefined>;
  async replaceEntrypoint(
    scope: Scope,
    phase: string,
    content: RulesetContent,
    options: WriteOptions = {},
  ): Promise<Ruleset | undefined> {
    return this.write({ method: "PUT", path: entrypoint(scope, phase), body: contentToWire(content) }, options);
  }

  /**
   * Sends the rules of an entry point, as the API spells them, as a dry run: nothing is saved. Throws what the service answers to
   * rules that it refuses.
   */
  async tryEntrypoint(scope: Scope, phase: string, rules: readonly JsonObject[]): Promise<void> {
    await this.write({ method: "PUT", path: entrypoint(scope, phase), body: { rules } }, { dryRun: true });
  }

  /** Adds one rule, last unless a position is given. Returns the whole ruleset. */
  async addRule(scope: Scope, rulesetId: string, rule: RulesetRule, position?: Position): Promise<Ruleset>;
  async addRule(
    scope: Scope,
    rulesetId: string,
    rule: RulesetRule,
    position: Position | undefined,
    options: WriteOptions,
  ): Promise<Ruleset | undefined>;
  async addRule(
    scope: Scope,
    rulesetId: string,
    rule: RulesetRule,
    position?: Position,
    options: WriteOptions = {},
  ): Promise<Ruleset | undefined> {
    const body = { ...ruleToWire(rule), ...(position === undefined ? {} : { position }) };
    return this.write({ method: "POST", path: `${root(scope)}/${encodeSegment(rulesetId)}/rules`, body }, options);
  }

  /** Replaces the definition of one rule, moves it, or both. Returns the whole ruleset. */
  async patchRule(scope: Scope, rulesetId: string, ruleId: string, change: RuleChange): Promise<Ruleset>;
  async patchRule(
    scope: Scope,
    rulesetId: string,
    ruleId: string,
    change: RuleChange,
    options: WriteOptions,
  ): Promise<Ruleset | undefined>;
  async patchRule(
    scope: Scope,
    rulesetId: string,
    ruleId: string,
    change: RuleChange,
    options: WriteOptions = {},
  ): Promise<Ruleset | undefined> {
    const rule = change.rule === undefined ? {} : ruleToWire(change.rule);
    const body = { ...rule, ...(change.position === undefined ? {} : { position: change.position }) };
    const path = `${root(scope)}/${encodeSegment(rulesetId)}/rules/${encodeSegment(ruleId)}`;
    return this.write({ method: "PATCH", path, body }, options);
  }

  /**
   * Deletes one rule; one that no longer exists is fine. Returns the ruleset, or undefined when the response contains none.
   */
  async deleteRule(scope: Scope, rulesetId: string, ruleId: string): Promise<DeletedRule> {
    const path = `${root(scope)}/${encodeSegment(rulesetId)}/rules/${encodeSegment(ruleId)}`;
    const deleted = await sendConfirmedDelete(this.transport, path, {
      read: () => this.find(scope, rulesetId),
      contains: ({ rules }) => rules.some(({ id }) => id === ruleId),
    });
    if ("found" in deleted) return { found: deleted.found };
    const { result } = deleted.response;
    return isObject(result) && hasId(result) ? { made: rulesetFromWire(result) } : {};
  }

  /** Deletes every version of a ruleset. */
  async delete(scope: Scope, rulesetId: string): Promise<void> {
    const path = `${root(scope)}/${encodeSegment(rulesetId)}`;
    await sendConfirmedDelete(this.transport, path, { read: () => this.find(scope, rulesetId) });
  }

  /** Deletes one version of a ruleset. */
  async deleteVersion(scope: Scope, rulesetId: string, version: string): Promise<void> {
    const path = `${root(scope)}/${encodeSegment(rulesetId)}/versions/${encodeSegment(version)}`;
    const read = () => undefinedIfMissing(this.getVersion(scope, rulesetId, version));
    await sendConfirmedDelete(this.transport, path, { read });
  }

  private async write(call: Call, options: WriteOptions): Promise<Ruleset>;
  private async write(call: Call, options: WriteOptions): Promise<Ruleset | undefined> {
    if (options.dryRun !== true) return this.ruleset(call);
    const { result } = await this.transport.send({ ...call, query: { dry_run: "true" } });
    if (result === null) return undefined;
    throw new ApiError(
      failedRequestText(
        call,
        "the service carried out a write that was sent as a dry run. Check what it changed, and set rulesets:dryRun to off for this " +
          "service.",
      ),
      { code: "DRY_RUN_IGNORED" },
    );
  }

  private async ruleset(call: Call): Promise<Ruleset> {
    const result = requireResult(call, await this.transport.send(call), "ruleset", hasId);
    requireRules(call, result);
    return this.learnt(rulesetFromWire(result));
  }

  private learnt<T extends RulesetSummary>(ruleset: T): T {
    this.names.learn(ruleset);
    return ruleset;
  }

  private async summaries(path: string, query = {}): Promise<RulesetSummary[]> {
    const found: RulesetSummary[] = [];
    for await (const page of pagesByCursor(this.transport, path, query)) found.push(...page.map(summaryFromWire));
    return found;
  }
}

function root(scope: Scope): string {
  return `/${scope.level}/${encodeSegment(scope.id)}/rulesets`;
}

function entrypoint(scope: Scope, phase: string): string {
  return `${root(scope)}/phases/${encodeSegment(phase)}/entrypoint`;
}

function contentToWire(content: RulesetContent): JsonObject {
  const { rules, ...rest } = content;
  return { ...rest, rules: rules.map(ruleToWire) };
}
