import type { Change, ProgramRun } from "../../engine/lifecycle.js";
import type { Kind } from "../../engine/kind.js";
import { inSchemaForm } from "../../engine/schema-form.js";
import { DirectLookup } from "../../sdk/functions/via.js";
import { findKind } from "../../kinds/index.js";
import { plannedWritesOf } from "../../engine/published-plans.js";
import { RulesetsError } from "../../../core/model/errors.js";
import type { JsonObject } from "../../../core/model/json.js";
import { late } from "../../../core/model/late.js";
import { unwrapSecrets, wrappedPaths, wrapSecretsAt } from "../../../core/model/secret.js";
import type { ProviderProcess } from "../process.js";
import * as service from "../service.js";
import { detailedDiff, topLevelNames, type PropertyChange } from "./detailed-diff.js";
import { ignoredFaults } from "./ignored.js";
import { importId } from "./import-id.js";
import { asArguments, asChecked, asDeclared, importedText, otherThanImported } from "./imported.js";
import { previewedOutputs, stableOutputs } from "./preview.js";
import type { CalledResource } from "./resource-urn.js";

/** Most programs call no function. */
const loadFunctions = late<typeof import("../../sdk/functions/index.js")>(() =>
  require("../../sdk/functions/index.js"),
);

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

/** What a program declares, for another check of it. */
interface GivenArguments {
  readonly before: object;
  /** With secrets in their wire format. */
  readonly args: Props;
  /** Whether this is a preview, as far as it was known. */
  readonly run: ProgramRun;
}

/** The calls of the engine for resources of every kind, on JSON: secrets are marked where they are, and rules are a list in outputs. */
export class Plugin {
  /** By URN, what was checked last. */
  private readonly given = new Map<string, GivenArguments>();
  /** Whether a call has said that this is a preview: no check does, and a run that changes nothing has no call that could. */
  private isPreview = false;

  /** URNs of resources that this run imports: what they are part of is not theirs to mend. */
  private readonly imported = new Set<string>();

  private readonly lookup = new DirectLookup(() => this.process.session().client);

  constructor(private readonly process: ProviderProcess) {}

  async check(resource: CalledResource, olds: Props, news: Props): Promise<CheckAnswer> {
    const isKnownPreview = this.isPreview && !this.imported.has(resource.urn);
    const given: GivenArguments = {
      before: asChecked(clear(olds)),
      run: isKnownPreview ? { preview: true } : { preview: false, provisional: true },
      args: asDeclared(news),
    };
    this.given.set(resource.urn, given);
    const { inputs, reasons = [] } = await this.checkAs(given.run, resource, given);
    return { inputs: inputs === undefined ? news : encoded(inputs), reasons };
  }

  async diff(
    resource: CalledResource,
    id: string,
    { state, oldInputs, news, ignoreChanges = [] }: DiffQuestion,
  ): Promise<DiffAnswer> {
    const { description } = kindOf(resource);
    // A refresh also asks for differences, of a resource that it has not checked, and there they do no harm.
    const faults = this.given.has(resource.urn) ? ignoredFaults(description, ignoreChanges) : [];
    if (faults.length > 0) throw new RulesetsError(faults.join("\n"), { code: "ARGUMENTS_INVALID" });
    const change = await this.compare(resource, id, state, news);
    const isSame = change.kind === "none";
    const before = (isSame ? {} : asChecked(oldInputs())) as JsonObject;
    if (!isSame) await this.requireAsImported(resource, id, { state, before, news });
    const detailed = isSame ? {} : detailedDiff(before, news);
    return {
      changes: !isSame && (change.kind === "replace" || !change.shownByInputs || Object.keys(detailed).length > 0),
      replaces: change.replaces,
      deletesFirst: change.deletesFirst === true,
      detailed,
      names: topLevelNames(Object.keys(detailed)),
      stables: stableOutputs(description),
    };
  }

  private compare(resource: CalledResource, id: string, state: Props, news: Props): Promise<Change> {
    // A dynamic provider has the line that loads it in its states.
    const isForeign = state.__provider !== undefined;
    return service.diff(this.called(resource), { id, state: clear(state), inputs: clear(news), isForeign });
  }

  /**
   * Stops a run that would change what it imports: the engine imports and updates in one run, and nobody has seen yet what is
   * there. What is only recorded in the state may differ.
   */
  private async requireAsImported(resource: CalledResource, id: string, { state, before, news }: ImportedResource) {
    const given = this.given.get(resource.urn);
    if (given === undefined || !this.imported.has(resource.urn)) return;
    const { description } = kindOf(resource);
    const names = otherThanImported(description, clear(before), clear(news));
    if (names.length === 0) return;
    // What is declared may already hold, such as a position: then a preview plans no write.
    await this.checkAs({ preview: true }, resource, given);
    await this.compare(resource, id, state, news);
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
    const write = () => service.create(this.called(resource), clear(inputs));
    const { id, state } = await this.within(timeout, "create", write);
    return { id, state: encodedState(kind, state) };
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
    if (await this.checkAgain(resource, preview)) await this.compare(resource, id, state, news);
    if (preview) return previewedOutputs(kind.description, news, state);
    const write = () => service.update(this.called(resource), id, clear(state), clear(news));
    return encodedState(kind, await this.within(timeout, "update", write));
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
    const { reasons = [] } = await this.checkAs({ preview }, resource, given);
    if (reasons.length === 0) return true;
    throw new RulesetsError(reasons.join("\n"), { code: "ARGUMENTS_INVALID" });
  }

  private checkAs(run: ProgramRun, resource: CalledResource, { before, args }: GivenArguments) {
    const declared = { run, args: clear(args), secretPaths: wrappedPaths(args) };
    return service.check(this.called(resource), before as Props, declared);
  }

  /** Reads an object that is in the state, or one that is imported or looked up: then the engine has no state of it. */
  async read(resource: CalledResource, id: string, state: Props): Promise<ReadAnswer> {
    if (Object.keys(state).length === 0) return this.find(resource, id);
    const found = await service.read(this.called(resource), id, clear(state));
    if (found === undefined) return { found };
    // Inputs that are the same would only cost the engine the time to compare them.
    const inputs = found.inputs === undefined ? {} : { inputs: encoded(found.inputs) };
    return { found: { id, ...inputs, state: encodedState(kindOf(resource), found.state) } };
  }

  private async find(resource: CalledResource, given: string): Promise<ReadAnswer> {
    const kind = kindOf(resource);
    const { type } = kind.description;
    this.imported.add(resource.urn);
    const id = await importId(this.process.session(), given);
    const found = await service.read(this.called(resource), id, {}, `${type} ${resource.name}`);
    if (found?.inputs === undefined) return { found: undefined };
    const inputs = asArguments(kind.description, id, encoded(found.inputs));
    return { found: { id, inputs, state: encodedState(kind, found.state) } };
  }

  async delete(resource: CalledResource, id: string, state: Props, timeout = 0): Promise<void> {
    await this.within(timeout, "delete", () => service.remove(this.called(resource), id, clear(state)));
  }

  /** Runs a write within the time that the program allows it: none or 0 for as long as it takes. */
  private within<T>(timeout: number | undefined, what: string, write: () => Promise<T>): Promise<T> {
    if (timeout === undefined || timeout <= 0) return write();
    return this.process.limit(timeout, `the ${what} timeout of ${String(timeout)} s (customTimeouts)`, write);
  }

  /** Calls a function of the package; undefined for a name that none has. */
  invoke(name: string, args: Props): Promise<Props | undefined> {
    return service.invoke(this.process, () => loadFunctions().answerLookup(name, args, this.lookup));
  }

  private called(resource: CalledResource): service.Called {
    return { process: this.process, kind: kindOf(resource), urn: resource.urn };
  }
}

function kindOf({ kind }: CalledResource): Kind {
  return kindNamed(kind);
}

function kindNamed(kind: string): Kind {
  const known = findKind(kind);
  if (known !== undefined) return known;
  throw new RulesetsError(`this version of pulumi-rulesets does not know ${kind}`, { code: "PROTOCOL_UNKNOWN" });
}

interface ImportedResource {
  readonly state: Props;
  /** The inputs that were imported, in the form of `check`. */
  readonly before: JsonObject;
  readonly news: Props;
}

function clear(props: Props): Props {
  return unwrapSecrets(props) as Props;
}

function encoded({ value, secrets }: service.Plain): Props {
  return wrapSecretsAt(value, secrets) as Props;
}

/** In the form that the package schema describes. */
export function encodedState({ description }: Kind, state: service.Plain): Props {
  return inSchemaForm(description, encoded(state));
}
