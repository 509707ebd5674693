import { RulesetsError } from "../../core/model/errors.js";
import { omit, pick, sameJson, type Json, type JsonObject } from "../../core/model/json.js";
import { hasUnknown, NOT_KNOWN, UNKNOWN, valueIfKnown, type Pending } from "../../core/model/unknown.js";
import { checkIgnored } from "../validation/checks/ignored.js";
import { hasErrors, type Findings } from "../../core/model/failure.js";
import {
  ignorableNames,
  inputProperties,
  internalNames,
  parseProperties,
  secretNames,
  stateProperties,
  type ArgumentsOf,
  type Description,
  type GivenArguments,
  type InputsOf,
  type ParsedValues,
  type Properties,
  type StateOf,
} from "./description.js";
import { checkArguments, invalidArguments, withoutNullMembers } from "./check-arguments.js";
import { textNames, withoutTexts } from "./stored-as-json.js";
import { hasChanged, sameInputs } from "./inputs.js";
import { isOfType } from "./named-type.js";
import type { Change, CheckedProps, Declared, KindFacts, Lifecycle, Props } from "./lifecycle.js";
import { dropPlan, publishPlan } from "./published-plans.js";
import { isNew, receiveRequest, reportFindings, type Request } from "./request.js";
import { refuseSecrets, redactFindings } from "./secrets.js";
import { warnOfOldCatalogue, withRuleNames } from "./rule-findings.js";
import type { Session } from "./session.js";
import { spellArguments } from "./spelling.js";

/** What the `check` of a kind receives. */
export interface CheckRequest<D extends Description> extends Request {
  /** The arguments, with unknown values marked. */
  readonly wanted: Pending<ArgumentsOf<D>>;
  /** What the last run checked; undefined for a new resource. */
  readonly olds: Pending<InputsOf<D>> | undefined;
}

/** The inputs that the engine keeps if nothing failed, and the findings. */
export interface Checked<D extends Description> {
  readonly inputs: Pending<InputsOf<D>>;
  readonly findings: Findings;
}

/** What a kind does when the engine calls it. Every value has already been parsed, so its type can be trusted. */
export interface Handlers<D extends Description> extends KindFacts {
  /** Converts a state or inputs of another package to the form of this one. */
  readonly upgrade?: (props: Props) => Props;
  /** Converts arguments to the one form that `check` works with. */
  normalise?(args: GivenArguments<D>, olds: Pending<InputsOf<D>> | undefined): JsonObject;
  /** Checks the arguments while values may still be unknown, in addition to their names and choices. */
  validate?(request: Request<GivenArguments<D>>, olds: Pending<InputsOf<D>> | undefined): Findings;
  /** Everything that can be checked before writing, for arguments in which `validate` found no fault. */
  check(request: CheckRequest<D>): Promise<Checked<D>> | Checked<D>;
  /** Decides what must happen, and whether it may. */
  diff(session: Session, id: string, olds: StateOf<D>, news: Pending<InputsOf<D>>): Promise<Change> | Change;
  create(session: Session, inputs: InputsOf<D>): Promise<{ readonly id: string; readonly state: StateOf<D> }>;
  /**
   * Reads what is at the service now; undefined when it no longer exists. `state` is undefined for `get` and where the
   * state cannot be read; `given` then has whatever of it is readable, such as the arguments of `get`. Where nothing changed,
   * inputs may be left out: the engine then keeps those it has, and nobody converts and stores them again.
   */
  read(
    session: Session,
    id: string,
    state: StateOf<D> | undefined,
    given: Partial<StateOf<D>>,
  ): Promise<{ readonly inputs?: InputsOf<D>; readonly state: StateOf<D> } | undefined>;
  update(session: Session, id: string, olds: StateOf<D>, news: InputsOf<D>): Promise<StateOf<D>>;
  delete(session: Session, id: string, state: StateOf<D>): Promise<void>;
  /** The paths of the program's secrets in inputs or in a state. @default none */
  readonly secretPaths?: Lifecycle["secretPaths"];
}

/** A kind of resource as the front end of an engine sees it. */
export interface Kind<Name extends string = string> extends Lifecycle {
  readonly description: Description & { readonly type: Name };
}

/**
 * Defines a kind of resource from its description and its handlers. Inputs and states are parsed here, once. This is
 * also the only place that erases their types: a front end serves kinds without knowing them.
 */
export function defineKind<const D extends Description>(
  description: D,
  handlers: Handlers<NoInfer<D>>,
): Kind<D["type"]> {
  const parser = new Parser(description, handlers);
  return {
    description,
    check: (session, olds, declared) => parser.check(session, olds, declared),
    diff: (session, id, olds, news) => parser.diff(session, id, olds, news),
    create: async (session, inputs) => handlers.create(session, parser.knownInputs(inputs)),
    read: (session, id, props) => {
      const state = parser.findState(props);
      return handlers.read(session, id, state, state ?? parser.readable(props));
    },
    update: async (session, id, olds, news) =>
      handlers.update(session, id, parser.state(olds), parser.knownInputs(news)),
    delete: async (session, id, state) => handlers.delete(session, id, parser.state(state)),
    textNames: parser.textNames,
    secretPaths: handlers.secretPaths ?? (() => []),
    ...pick(handlers, ["copyPaths", "withoutSecretWords", "publicTexts"]),
  };
}

/** Parses values from the engine into values of a kind. */
class Parser<D extends Description> {
  private readonly inputProperties: Properties;
  private readonly stateProperties: Properties;
  readonly textNames: readonly string[];

  constructor(
    private readonly description: D,
    private readonly handlers: Handlers<D>,
  ) {
    this.inputProperties = inputProperties(description);
    this.stateProperties = stateProperties(description);
    this.textNames = textNames(this.stateProperties);
  }

  async check(session: Session, props: Props, declared: Declared): Promise<CheckedProps> {
    const olds = isNew(props) ? undefined : this.inputs(props);
    const { request, twice } = this.receive(session, olds, declared);
    const report = (inputs: object, found: Findings): CheckedProps => {
      warnOfOldCatalogue(request, found);
      const { hasRules, keyed } = this.description;
      const named = hasRules === true ? withRuleNames(found, request, keyed !== true) : found;
      return reportFindings(request, inputs, named);
    };
    if (hasErrors(twice)) return report(request.args, twice);
    const findings = [
      redactFindings(checkArguments(this.description, request.args), request),
      // Other names than those of the arguments have just been refused.
      this.handlers.validate?.({ ...request, args: request.args as GivenArguments<D> }, olds) ?? [],
      refuseSecrets(request.secretPaths, secretNames(this.description)),
      this.description.keyed === true
        ? []
        : checkIgnored(request.ignored, this.description.type, ignorableNames(this.description)),
    ].flat();
    if (hasErrors(findings)) return report(request.args, findings);
    const parsed = parseProperties(this.description.arguments, request.args);
    if (parsed.kind === "invalid")
      return report(request.args, [findings, invalidArguments(this.description, request.args, parsed.names)].flat());
    const checked = await this.handlers.check({ ...request, wanted: typed(parsed.values), olds });
    const found = [findings, checked.findings].flat();
    const isSaid = found.some(isUnchecked) && olds !== undefined && this.isSame(olds, checked.inputs);
    const result = report(toEngine(checked.inputs), isSaid ? found.filter((one) => !isUnchecked(one)) : found);
    if (olds === undefined && result.failures.length === 0) this.publish(session, request.urn, checked.inputs);
    return result;
  }

  async diff(session: Session, id: string, olds: Props, news: Props): Promise<Change> {
    const [before, after] = [this.state(olds), this.inputs(news)];
    const change = await this.handlers.diff(session, id, before, after);
    const urn = valueIfKnown(after.__urn) ?? "";
    // The check of the resource that replaces this one plans it.
    if (change.kind === "replace") dropPlan(session, urn);
    // Where only arguments differ that are never sent, nothing is.
    const isSent = !change.shownByInputs || hasChanged(this.description, ["write"], before, after);
    if (change.kind === "update") this.publish(session, urn, after, isSent);
    // The engine ignores the internal inputs: it would see no change where only they differ.
    const shown = !sameInputs<Description>(this.description, before, after, internalNames(this.description));
    return { ...change, shownByInputs: change.shownByInputs && shown };
  }

  /** Whether the last run has declared the same, and so has said what is not checked. */
  private isSame(olds: Pending<InputsOf<D>>, inputs: Pending<InputsOf<D>>): boolean {
    return sameInputs<Description>(this.description, olds, { ...inputs, __urn: olds.__urn });
  }

  /** A kind with rules has recorded its writes. */
  private publish(session: Session, urn: string, inputs: Pending<InputsOf<D>>, isSent = true): void {
    const { plannedWrites } = this.description;
    const writes = isSent ? plannedWrites?.(toEngine(inputs)) : [];
    publishPlan(session, urn, {}, plannedWrites === undefined || writes === undefined ? {} : { writes });
  }

  private receive(
    session: Session,
    olds: Pending<InputsOf<D>> | undefined,
    declared: Declared,
  ): { readonly request: Request; readonly twice: Findings } {
    const received = receiveRequest(session, declared);
    const { findings: twice, ...spelled } = spellArguments(this.description, received, olds);
    const request = withoutKeptInputs(this.description, { ...received, ...spelled }, olds);
    const given = withoutNullMembers(this.description, request.args);
    const args = this.handlers.normalise?.(given as GivenArguments<D>, olds) ?? given;
    return { request: args === request.args ? request : { ...request, args }, twice };
  }

  inputs(props: Props): Pending<InputsOf<D>> {
    return typed(this.parsedInputs(props));
  }

  knownInputs(props: Props): InputsOf<D> {
    const inputs = this.parsedInputs(props);
    if (!hasUnknown(inputs)) return typed(inputs);
    throw new Error(`${this.description.type}: the engine requested a write with unknown inputs`);
  }

  /** What the service returned is known: a state with unknown values is as unreadable as an incomplete one. */
  state(props: Props): StateOf<D> {
    const parsed = parseProperties(this.stateProperties, this.upgradedState(props));
    const values = parsed.kind === "parsed" ? parsed.values : {};
    const unknown = Object.keys(values).filter((name) => hasUnknown(values[name]));
    const names = parsed.kind === "parsed" ? unknown : parsed.names;
    if (names.length === 0) return typed(values);
    throw this.unreadable(names, "To continue: run `pulumi refresh`, which reads it again from the service.");
  }

  /** Undefined when the state is incomplete or unreadable: the service is then the only source. */
  findState(props: Props): StateOf<D> | undefined {
    const parsed = parseProperties(this.stateProperties, this.upgradedState(props));
    return parsed.kind === "parsed" && !hasUnknown(parsed.values) ? typed(parsed.values) : undefined;
  }

  /** The properties of a state that have the right type. */
  readable(props: Props): Partial<StateOf<D>> {
    const properties = this.stateProperties;
    const upgraded = this.upgradedState(props);
    const names = Object.keys(properties).filter(
      (name) =>
        properties[name] !== undefined &&
        isOfType(properties[name].type, upgraded[name]) &&
        !hasUnknown(upgraded[name]),
    );
    return typed(Object.fromEntries(names.map((name) => [name, upgraded[name]])) as ParsedValues);
  }

  private parsedInputs(props: Props): ParsedValues {
    const parsed = parseProperties(this.inputProperties, this.upgraded(props));
    if (parsed.kind === "parsed") return parsed.values;
    // As after an edit of an exported state.
    throw this.unreadable(
      parsed.names,
      `To continue: run \`pulumi stack import\` with the state from before, or \`pulumi state delete '${String(props.__urn)}'\` and then ` +
        "`pulumi up`, which takes over what exists if the program declares the same.",
    );
  }

  private unreadable(names: readonly string[], toContinue: string): RulesetsError {
    const what = `the state of this ${this.description.type} cannot be read`;
    const are = names.length === 1 ? "is" : "are";
    return new RulesetsError(`${what}: ${names.join(", ")} ${are} missing or invalid. ${toContinue}`, {
      code: "CONFIG_INVALID",
    });
  }

  private upgraded(props: Props): Props {
    return this.handlers.upgrade?.(props) ?? props;
  }

  private upgradedState(props: Props): Props {
    return this.upgraded(withoutTexts(props, this.textNames));
  }
}

/** The only place where a value gets the type of its kind, after its properties were compared with the description. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of the kind
function typed<T>(parsed: ParsedValues): T {
  return parsed as unknown as T;
}

/** What is said of a part that is sent as it is, and not checked. */
function isUnchecked({ code }: Findings[number]): boolean {
  return code === "unchecked";
}

function toEngine(inputs: object): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value === NOT_KNOWN ? UNKNOWN : (value as Json)]),
  );
}

/**
 * With `ignoreChanges` the engine passes old inputs as if the program had given them. Values that `check` created are
 * not arguments: they are removed from the arguments and their names recorded, apart from the internal ones, which the
 * engine always ignores.
 */
function withoutKeptInputs(description: Description, request: Request, olds: object | undefined): Request {
  const args: JsonObject = omit(request.args, internalNames(description));
  const before: Props = { ...olds };
  const keptInputs = Object.keys(description.checked).filter((name) => {
    const argument = description.arguments[name];
    const isArgument = argument !== undefined && isOfType(argument.type, args[name]);
    if (args[name] === undefined || before[name] === undefined || isArgument) return false;
    return sameJson(args[name], before[name]);
  });
  return { ...request, keptInputs, args: omit(args, keptInputs) };
}
