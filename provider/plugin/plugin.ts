import { internalNames } from "../engine/description.js";
import type { Kind } from "../engine/kind.js";
import { programText, type ProgramRun } from "../engine/program-run.js";
import { inSchemaForm } from "../engine/schema-form.js";
import { listEverywhere, type Listed, type ListQuery } from "../engine/listing.js";
import { findKind } from "../kinds/index.js";
import { plannedWritesOf } from "../engine/published-plans.js";
import { RulesetsError } from "../model/errors.js";
import { pick, type JsonObject } from "../model/json.js";
import { unwrapSecrets } from "../model/secret.js";
import { adapt } from "../runtime/adapter.js";
import type { ProviderProcess } from "../runtime/process.js";
import { detailedDiff, topLevelNames, type PropertyChange } from "./detailed-diff.js";
import { ignoredFaults } from "./ignored.js";
import { importId } from "./import-id.js";
import { asArguments, asChecked, asDeclared, importedText, otherThanImported } from "./imported.js";
import { previewedOutputs, stableOutputs } from "./preview.js";
import type { CalledResource } from "./resource-urn.js";
import { secretsApart } from "./secrets-apart.js";

/** Stands in states of this front end where a dynamic provider has the line that loads it. No state contains it. */
const PROVIDER = "pulumi-resource-rulesets";

/** Inputs or a state as the engine passes them: secrets in their wire format, one marker for what is not known yet. */
type Props = JsonObject;

interface CheckAnswer {
  readonly inputs: Props;
  readonly reasons: readonly string[];
}

interface WriteOptions {
  readonly preview: boolean;
  /** Seconds, as `customTimeouts` of the program allow; 0 for as long as it takes. */
  readonly timeout?: number;
}

interface DiffQuestion {
  readonly state: Props;
  /** Decodes the old inputs, which only a change needs. */
  readonly oldInputs: () => Props;
  readonly news: Props;
  /** As the program writes it. */
  readonly ignoreChanges?: readonly string[];
}

interface DiffAnswer {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deletesFirst: boolean;
  /** By path in the inputs. */
  readonly detailed: Readonly<Record<string, PropertyChange>>;
  /** The inputs that differ. */
  readonly names: readonly string[];
  readonly stables: readonly string[];
}

interface ReadAnswer {
  /** Undefined if the object does not exist. Inputs are left out if they are the ones that the engine has. */
  readonly found: { readonly id: string; readonly inputs?: Props; readonly state: Props } | undefined;
}

/** What a program declares, as the adapter gets it. */
interface GivenArguments {
  readonly before: object;
  readonly args: Props;
  /** Whether this is a preview, as far as it was known. */
  readonly run: Pick<ProgramRun, "preview" | "provisional">;
}

/** The adapter that both front ends share. */
interface Adapter {
  check(
    olds: unknown,
    news: unknown,
  ): Promise<{ readonly inputs: Props; readonly failures?: readonly { readonly reason: string }[] }>;
  diff(
    id: string,
    olds: unknown,
    news: unknown,
  ): Promise<{
    readonly changes?: boolean;
    readonly replaces?: readonly string[];
    readonly deleteBeforeReplace?: boolean;
  }>;
  create(inputs: unknown): Promise<{ readonly id: string; readonly outs: Props }>;
  read(id: string, state: unknown): Promise<{ readonly id?: string; readonly inputs?: Props; readonly props?: Props }>;
  update(id: string, olds: unknown, news: unknown): Promise<{ readonly outs: Props }>;
  delete(id: string, state: unknown): Promise<void>;
}

/**
 * The calls of the engine for resources of every kind, on JSON. Each translates between the engine and the adapter that the
 * dynamic provider uses too, so that both front ends do the same: rules are a list in outputs, secrets are marked where they
 * are, and nothing about the run comes from the program.
 */
export class Plugin {
  /** By URN, what was checked last. */
  private readonly given = new Map<string, GivenArguments>();
  /** Whether a call has said that this is a preview: no check does, and a run that changes nothing has no call that could. */
  private isPreview = false;

  /** URNs of resources that this run imports: what they are part of is not theirs to mend. */
  private readonly imported = new Set<string>();

  constructor(private readonly process: ProviderProcess) {}

  async check(resource: CalledResource, olds: Props, news: Props): Promise<CheckAnswer> {
    const kind = kindOf(resource);
    const { args, secrets } = secretsApart(asDeclared(news));
    const before = asChecked(clear(olds));
    const given: GivenArguments = {
      before,
      run:
        this.isPreview && !this.imported.has(resource.urn) ? { preview: true } : { preview: false, provisional: true },
      args: {
        ...args,
        // As with the dynamic provider, where the engine ignores the internal inputs.
        ...pick(before, internalNames(kind.description)),
        ...(Object.keys(secrets).length === 0 ? {} : { __secrets: secrets }),
      },
    };
    this.given.set(resource.urn, given);
    const { inputs, failures = [] } = await this.checkAs(given.run, resource, given);
    return { inputs: withoutMetadata(inputs), reasons: failures.map(({ reason }) => reason) };
  }

  async diff(
    resource: CalledResource,
    id: string,
    { state, oldInputs, news, ignoreChanges = [] }: DiffQuestion,
  ): Promise<DiffAnswer> {
    const kind = kindOf(resource);
    // A refresh also asks for differences, of a resource that it has not checked, and there they do no harm.
    const faults = this.given.has(resource.urn) ? ignoredFaults(kind.description, ignoreChanges) : [];
    if (faults.length > 0) throw new RulesetsError(faults.join("\n"), { code: "ARGUMENTS_INVALID" });
    const result = await this.adapter(kind).diff(id, own(state), own(news));
    const hasMoved = state.__provider !== undefined;
    const isSame = result.changes === false && !hasMoved;
    const before = (isSame ? {} : asChecked(oldInputs())) as JsonObject;
    if (!isSame) await this.requireAsImported(resource, id, { state, before, news });
    const detailed = isSame ? {} : detailedDiff(before, news);
    return {
      changes: hasMoved || (result.changes ?? Object.keys(detailed).length > 0),
      replaces: result.replaces ?? [],
      deletesFirst: result.deleteBeforeReplace === true,
      detailed,
      names: topLevelNames(Object.keys(detailed)),
      stables: stableOutputs(kind.description),
    };
  }

  /**
   * Stops a run that would change what it imports: the engine imports and updates in one run, and nobody has seen yet what is
   * there. What is only recorded in the state may differ.
   */
  private async requireAsImported(resource: CalledResource, id: string, { state, before, news }: ImportedResource) {
    const given = this.given.get(resource.urn);
    if (given === undefined || !this.imported.has(resource.urn)) return;
    const { description } = kindOf(resource);
    const names = otherThanImported(description, before, clear(news));
    if (names.length === 0) return;
    // What is declared may already hold, such as a position: then a preview plans no write.
    await this.checkAs({ preview: true }, resource, given);
    await this.adapter(kindOf(resource)).diff(id, own(state), own(news));
    const writes = plannedWritesOf(this.process.session(), resource.urn);
    await this.checkAs(given.run, resource, given);
    if (writes?.length === 0) return;
    throw new RulesetsError(importedText(description, id, names), { code: "ARGUMENTS_INVALID" });
  }

  async create(
    resource: CalledResource,
    inputs: Props,
    { preview, timeout }: WriteOptions,
  ): Promise<{ readonly id: string; readonly state: Props }> {
    const kind = kindOf(resource);
    await this.checkAgain(resource, preview);
    if (preview) return { id: "", state: previewedOutputs(kind.description, inputs) };
    return this.written(kind, async () => {
      const { id, outs } = await this.within(timeout, "create", () => this.adapter(kind).create(own(inputs)));
      return { id, state: this.toEngine(kind, outs) };
    });
  }

  async update(
    resource: CalledResource,
    id: string,
    state: Props,
    news: Props,
    { preview, timeout }: WriteOptions,
  ): Promise<Props> {
    const kind = kindOf(resource);
    // Reads nothing again that this run has read.
    if (await this.checkAgain(resource, preview)) await this.adapter(kind).diff(id, own(state), own(news));
    if (preview) return previewedOutputs(kind.description, news, state);
    return this.written(kind, async () => {
      const write = () => this.adapter(kind).update(id, own(state), own(news));
      const { outs } = await this.within(timeout, "update", write);
      return this.toEngine(kind, outs);
    });
  }

  /**
   * Checks a resource once more that was checked before it was known that this is a preview: in one, for what only
   * previews do; before a write, if the service could not be asked. Returns whether it did.
   */
  private async checkAgain(resource: CalledResource, preview: boolean): Promise<boolean> {
    this.isPreview ||= preview;
    const given = this.given.get(resource.urn);
    this.given.delete(resource.urn);
    // Once a call has said that this is a preview, the first check does what only previews do.
    if (given === undefined || given.run.preview) return false;
    if (!preview && !this.process.session().toCheckAgain.has(resource.urn)) return false;
    const { failures = [] } = await this.checkAs({ preview }, resource, given);
    if (failures.length === 0) return true;
    throw new RulesetsError(failures.map(({ reason }) => reason).join("\n"), { code: "ARGUMENTS_INVALID" });
  }

  private checkAs(run: Pick<ProgramRun, "preview" | "provisional">, resource: CalledResource, given: GivenArguments) {
    const adapter = this.adapter(kindOf(resource));
    return adapter.check(given.before, { ...given.args, ...metadata(resource, run) });
  }

  /** Reads an object that is in the state, or one that is imported or looked up: then the engine has no state of it. */
  async read(resource: CalledResource, id: string, state: Props): Promise<ReadAnswer> {
    return Object.keys(state).length === 0 ? this.find(resource, id) : this.refresh(resource, id, state);
  }

  private async refresh(resource: CalledResource, id: string, state: Props): Promise<ReadAnswer> {
    const kind = kindOf(resource);
    const read = await this.adapter(kind).read(id, { ...own(state), ...metadata(resource, { preview: false }) });
    if (read.id === undefined) return { found: undefined };
    const { inputs: checked, props = {} } = read;
    // Inputs that are the same would only cost the engine the time to compare them.
    const found = checked === undefined ? {} : { inputs: withoutMetadata(checked) };
    return { found: { id: read.id, ...found, state: this.toEngine(kind, props) } };
  }

  private async find(resource: CalledResource, id: string): Promise<ReadAnswer> {
    const kind = kindOf(resource);
    this.imported.add(resource.urn);
    const given = { ...metadata(resource, { preview: false }), __get: `${kind.description.type} ${resource.name}` };
    const found = await importId(this.process.session(), id);
    const read = await this.adapter(kind).read(found, given);
    const { inputs = {}, props = {} } = read;
    const args = asArguments(kind.description, found, withoutMetadata(inputs));
    return { found: { id: found, inputs: args, state: this.toEngine(kind, props) } };
  }

  async delete(resource: CalledResource, id: string, state: Props, timeout = 0): Promise<void> {
    const given = { ...own(state), __urn: resource.urn };
    await this.within(timeout, "delete", () => this.adapter(kindOf(resource)).delete(id, given));
  }

  /** Runs a write within the time that the program allows it: none or 0 for as long as it takes. */
  private within<T>(timeout: number | undefined, what: string, write: () => Promise<T>): Promise<T> {
    if (timeout === undefined || timeout <= 0) return write();
    return this.process.limit(timeout, `the ${what} timeout of ${String(timeout)} s (customTimeouts)`, write);
  }

  /** Lists the objects that resources of a kind can manage, where a query says. */
  async *list(type: string, query: Props): AsyncGenerator<Listed> {
    const { description, list } = kindNamed(type.slice(type.lastIndexOf(":") + 1));
    const { listedIn: levels = [] } = description;
    if (list === undefined)
      throw new RulesetsError(`${description.type} cannot be listed`, { code: "PROTOCOL_UNKNOWN" });
    try {
      yield* listEverywhere(this.process.session(), { levels, list }, listQuery(clear(query)));
    } catch (error) {
      throw error instanceof RulesetsError ? new Error(this.process.secrets.hide(error.message)) : error;
    }
  }

  /** Passes on the error of a write, with the state of an object that was written in part, if it has one. */
  private async written<T>(kind: Kind, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      const { properties } = error as { readonly properties?: Props };
      throw properties === undefined
        ? error
        : Object.assign(error as Error, { properties: this.toEngine(kind, properties) });
    }
  }

  /** A state of the adapter in the form that the package schema describes. */
  private toEngine(kind: Kind, state: Props): Props {
    return inSchemaForm(kind.description, withoutMetadata(state));
  }

  private adapter(kind: Kind): Adapter {
    // It has every call, and its values are JSON, although the interface of dynamic providers says less.
    return adapt(kind, this.process) as Adapter;
  }
}

function kindOf({ kind }: CalledResource): Kind {
  return kindNamed(kind);
}

function kindNamed(kind: string): Kind {
  const known = findKind(kind);
  // Outputs are what the schema says, and not texts.
  if (known !== undefined) return { ...known, textNames: [] };
  throw new RulesetsError(`this version of pulumi-rulesets does not know ${kind}`, { code: "PROTOCOL_UNKNOWN" });
}

interface ImportedResource {
  readonly state: Props;
  /** The inputs that were imported, in the form of `check`. */
  readonly before: JsonObject;
  readonly news: Props;
}

const LIST_ARGUMENTS = ["zoneId", "accountId"] as const satisfies readonly (keyof ListQuery)[];

/** A query that says something else than where to look would otherwise seem to find everything. */
function listQuery(query: Props): ListQuery {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of given)
    if (typeof value !== "string" || value === "" || !LIST_ARGUMENTS.some((known) => known === name))
      throw new RulesetsError(`a list is limited with ${LIST_ARGUMENTS.join(" or ")}, as text, not with ${name}`, {
        code: "ARGUMENTS_INVALID",
      });
  if (given.length > 1)
    throw new RulesetsError("a list is limited with zoneId or accountId, not both", { code: "ARGUMENTS_INVALID" });
  return Object.fromEntries(given);
}

/** What a program would send with its arguments. */
function metadata({ urn }: CalledResource, run: Pick<ProgramRun, "preview" | "provisional">): Props {
  return { __urn: urn, __provider: PROVIDER, __program: programText(run) };
}

function withoutMetadata(props: Props): Props {
  const { __provider, __program, __secrets, __get, ...others } = props;
  return others;
}

function clear(props: Props): Props {
  return unwrapSecrets(props) as Props;
}

/** Inputs or a state as the adapter gets them from the host of dynamic providers. */
function own(props: Props): Record<string, unknown> {
  return { ...clear(props), __provider: PROVIDER };
}
