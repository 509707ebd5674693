import { RulesetsError } from "../model/errors.js";
import { omit, sameJson, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { isKnown, NOT_KNOWN, UNKNOWN, type Pending } from "../model/unknown.js";
import type { Secrets } from "../redaction/secrets.js";
import { checkIgnored, failure, join, knownName, NO_FINDINGS, type Findings } from "../validation/index.js";
import {
  argumentNames,
  ignorableNames,
  inputProperties,
  isOfType,
  parseProperties,
  secretNames,
  stateProperties,
  type ArgumentsOf,
  type Description,
  type InputsOf,
  type Properties,
  type StateOf,
  type ValueType,
} from "./description.js";
import type { Change, CheckedProps, Lifecycle, Props } from "./lifecycle.js";
import { answer, receive, type Request } from "./request.js";
import { refuseSecrets, withoutSecrets } from "./secrets.js";
import type { Session } from "./session.js";

/** What `check` of a kind works with. */
export interface CheckRequest<D extends Description> extends Request {
  /** The arguments, as far as they are known. */
  readonly wanted: Pending<ArgumentsOf<D>>;
  /** What the last run checked; undefined for a new resource. */
  readonly olds: Pending<InputsOf<D>> | undefined;
}

/** The inputs that the engine keeps when nothing failed, and what was found. */
export interface Checked<D extends Description> {
  readonly inputs: Pending<InputsOf<D>>;
  readonly findings: Findings;
}

/** What a kind does when the engine calls. Every value has been parsed: it is what its type says. */
export interface Handlers<D extends Description> {
  /** A state, or inputs, of an earlier protocol or of another package in the form of today. */
  readonly upgrade?: (props: Props) => Props;
  /** Arguments as people write them in the one form that the check works with. */
  readonly normalise?: (args: JsonObject, olds: Pending<InputsOf<D>> | undefined) => JsonObject;
  /** What can be said of arguments before anything is known of them, beside their names and choices. */
  readonly validate?: (request: Request, olds: Pending<InputsOf<D>> | undefined) => Findings;
  /** Everything that can be known before writing, of arguments in which `validate` found no fault. */
  check(request: CheckRequest<D>): Promise<Checked<D>> | Checked<D>;
  /** What must happen, and whether it may. */
  diff(session: Session, id: string, olds: StateOf<D>, news: Pending<InputsOf<D>>): Promise<Change> | Change;
  create(session: Session, inputs: InputsOf<D>): Promise<{ readonly id: string; readonly state: StateOf<D> }>;
  /**
   * What is there now; undefined when it is gone. There is no state for `get`, nor where it cannot be read; then what is
   * readable of it, such as the arguments of `get`, stands in `given`.
   */
  read(
    session: Session,
    id: string,
    state: StateOf<D> | undefined,
    given: Partial<StateOf<D>>,
  ): Promise<{ readonly inputs: InputsOf<D>; readonly state: StateOf<D> } | undefined>;
  update(session: Session, id: string, olds: StateOf<D>, news: InputsOf<D>): Promise<StateOf<D>>;
  delete(session: Session, id: string, state: StateOf<D>): Promise<void>;
  /** Where secrets of the program stand in inputs or in a state. @default nowhere */
  readonly secretPaths?: (props: JsonObject) => readonly Path[];
  /** Where else a secret may stand in them: in what the service answered. */
  readonly copyPaths?: (props: JsonObject, secrets: Secrets) => readonly Path[];
  /** The same without what nobody needs where it holds a secret, so that nothing has to be hidden around it. */
  readonly withoutSecretWords?: (props: JsonObject, secrets: Secrets) => JsonObject;
  /** Texts that the engine stores and shows in clear whatever they say, so that no secret is kept by hiding them. */
  readonly publicTexts?: (props: JsonObject) => readonly string[];
}

/** A kind of resource as the front end of an engine sees it. */
export interface Kind extends Lifecycle {
  readonly description: Description;
}

/**
 * A kind of resource, from its description and what it does. Here inputs and states are parsed, once, and here alone
 * their types are forgotten: a front end serves kinds of which it knows nothing.
 */
export function defineKind<const D extends Description>(description: D, handlers: Handlers<D>): Kind {
  const parser = new Parser(description, handlers);
  return {
    description,
    check: (session, olds, news) => parser.check(session, olds, news),
    diff: async (session, id, olds, news) => handlers.diff(session, id, parser.state(olds), parser.inputs(news)),
    create: async (session, inputs) => handlers.create(session, parser.knownInputs(inputs)),
    read: (session, id, props) => handlers.read(session, id, parser.findState(props), parser.readable(props)),
    update: async (session, id, olds, news) =>
      handlers.update(session, id, parser.state(olds), parser.knownInputs(news)),
    delete: async (session, id, state) => handlers.delete(session, id, parser.state(state)),
    secretPaths: handlers.secretPaths ?? (() => []),
    ...(handlers.copyPaths === undefined ? {} : { copyPaths: handlers.copyPaths }),
    ...(handlers.withoutSecretWords === undefined ? {} : { withoutSecretWords: handlers.withoutSecretWords }),
    ...(handlers.publicTexts === undefined ? {} : { publicTexts: handlers.publicTexts }),
  };
}

/** Where values from the engine become values of a kind. */
class Parser<D extends Description> {
  private readonly inputProperties: Properties;
  private readonly stateProperties: Properties;

  constructor(
    private readonly description: D,
    private readonly handlers: Handlers<D>,
  ) {
    this.inputProperties = inputProperties(description);
    this.stateProperties = stateProperties(description);
  }

  async check(session: Session, props: Props, news: Props): Promise<CheckedProps> {
    const isNew = Object.keys(props).every((name) => name.startsWith("__"));
    const olds = isNew ? undefined : this.inputs(props);
    const request = this.receive(session, olds, news);
    const findings = join([
      withoutSecrets(checkArguments(this.description, request.args), request),
      this.handlers.validate?.(request, olds) ?? NO_FINDINGS,
      refuseSecrets(request.secretPaths, secretNames(this.description)),
      this.description.keyed === true
        ? NO_FINDINGS
        : checkIgnored(request.ignored, this.description.type, ignorableNames(this.description)),
    ]);
    if (findings.failures.length > 0) return answer(request, request.args, findings);
    const parsed = parseProperties(this.description.arguments, request.args);
    if (parsed.kind === "unfit")
      return answer(
        request,
        request.args,
        join([findings, unfitArguments(this.description, request.args, parsed.names)]),
      );
    const checked = await this.handlers.check({ ...request, wanted: typed(parsed.values), olds });
    return answer(request, toEngine(checked.inputs), join([findings, checked.findings]));
  }

  private receive(session: Session, olds: Pending<InputsOf<D>> | undefined, news: Props): Request {
    const request = withoutHandedIn(this.description, receive(session, news), olds);
    const { normalise } = this.handlers;
    return normalise === undefined ? request : { ...request, args: normalise(request.args, olds) };
  }

  inputs(props: Props): Pending<InputsOf<D>> {
    return typed(this.read(this.inputProperties, props));
  }

  knownInputs(props: Props): InputsOf<D> {
    const inputs = this.inputs(props);
    if (isKnown<InputsOf<D>>(inputs)) return inputs;
    throw new Error(`${this.description.type}: the engine asked to write inputs that are not known yet`);
  }

  state(props: Props): StateOf<D> {
    return typed(this.read(this.stateProperties, props));
  }

  /** Undefined where a state says too little, or what it says cannot be read: then the service is believed instead. */
  findState(props: Props): StateOf<D> | undefined {
    const parsed = parseProperties(this.stateProperties, this.upgraded(props));
    return parsed.kind === "parsed" ? typed(parsed.values) : undefined;
  }

  /** Whatever of a state is of its type. */
  readable(props: Props): Partial<StateOf<D>> {
    const properties = this.stateProperties;
    const upgraded = this.upgraded(props);
    const names = Object.keys(properties).filter(
      (name) => properties[name] !== undefined && isOfType(properties[name].type, upgraded[name]),
    );
    return typed(Object.fromEntries(names.map((name) => [name, upgraded[name]])) as Pending<JsonObject>);
  }

  private read(properties: Properties, props: Props): Pending<JsonObject> {
    const parsed = parseProperties(properties, this.upgraded(props));
    if (parsed.kind === "parsed") return parsed.values;
    throw new RulesetsError(
      `the state of this ${this.description.type} cannot be read: ${parsed.names.join(", ")} ` +
        `${parsed.names.length === 1 ? "is" : "are"} missing or of another type. ` +
        "To continue: run `pulumi refresh`, which reads it again from the service.",
      { code: "CONFIG_INVALID" },
    );
  }

  private upgraded(props: Props): Props {
    return this.handlers.upgrade?.(props) ?? props;
  }
}

/** The one place where a value gets the type of its kind: its properties have been compared with the description. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the type of the kind
function typed<T>(parsed: Pending<JsonObject>): T {
  return parsed as unknown as T;
}

function toEngine(inputs: object): object {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value === NOT_KNOWN ? UNKNOWN : (value as unknown)]),
  );
}

/**
 * With `ignoreChanges` the engine hands old inputs in as if the program gave them. Those that `check` made of arguments are
 * no arguments: they are taken out, and named.
 */
function withoutHandedIn(description: Description, request: Request, olds: object | undefined): Request {
  const { args } = request;
  const before: Props = { ...olds };
  const handedIn = Object.keys(description.checked).filter((name) => {
    const argument = description.arguments[name];
    const isArgument = argument !== undefined && isOfType(argument.type, args[name]);
    return args[name] !== undefined && !isArgument && sameJson(args[name], before[name]);
  });
  return handedIn.length === 0 ? request : { ...request, handedIn, args: omit(args, handedIn) };
}

/** Names that do not exist, and words that an argument may not be. */
function checkArguments(description: Description, args: JsonObject): Findings {
  const names = argumentNames(description);
  return join([
    ...Object.keys(args).map((name) => knownName([name], `${description.type} takes no`, name, names)),
    ...names.map((name) => {
      const { choices, among } = description.arguments[name] ?? {};
      return checkChoice(name, args[name], choices ?? among);
    }),
  ]);
}

function checkChoice(name: string, value: unknown, choices: readonly string[] | undefined): Findings {
  if (choices === undefined || value === undefined || value === UNKNOWN) return NO_FINDINGS;
  if (typeof value === "string" && choices.includes(value)) return NO_FINDINGS;
  const [only, ...more] = choices;
  return failure(
    [name],
    more.length === 0 ? `must be ${JSON.stringify(only)}` : `must be one of ${choices.join(", ")}`,
  );
}

function unfitArguments({ arguments: args }: Description, given: JsonObject, names: readonly string[]): Findings {
  return join(
    names.map((name) =>
      failure([name], given[name] === undefined ? "is required" : `must be ${typeWords(args[name]?.type ?? "string")}`),
    ),
  );
}

function typeWords(type: ValueType): string {
  if (typeof type === "string") return type === "boolean" ? "true or false" : `a ${type}`;
  return "list" in type ? "a list" : "an object";
}
