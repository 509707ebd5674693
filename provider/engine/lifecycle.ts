import type { JsonObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import type { Secrets } from "../../client/redaction/secrets.js";
import type { Session } from "./session.js";
import type { Findings } from "../../core/model/failure.js";

/** Inputs or a state as received from the engine; each kind of resource parses its own. */
export type Props = Readonly<Record<string, unknown>>;

/** What must happen to a resource. */
export interface Change {
  readonly kind: "none" | "update" | "replace";
  /** Properties that force the replacement. */
  readonly replaces: readonly string[];
  /** Whether a replacement must delete the old object first, because both cannot exist at the same time. @default false */
  readonly deletesFirst?: boolean;
  /** Whether old and new inputs show the whole difference, so that the engine can display it property by property. */
  readonly shownByInputs: boolean;
}

/** What is known of the run that a check belongs to. */
export interface ProgramRun {
  readonly preview: boolean;
  /** Whether it is not known yet if this is a preview: the engine tells a provider plugin with the next call. */
  readonly provisional?: boolean;
}

/** What a program declares for a resource, as a front end has decoded it. */
export interface Declared {
  readonly urn: string;
  readonly run: ProgramRun;
  /** The arguments, with secrets in clear. */
  readonly args: JsonObject;
  /** The paths of secrets in them. */
  readonly secretPaths?: readonly Path[];
  /** `ignoreChanges` as the program writes it. */
  readonly ignored?: readonly string[];
  /** Names of managed rules that the program has read, by ID; in a preview an entry may not be known yet. */
  readonly names?: readonly unknown[];
}

/** The inputs that the engine keeps, and all errors together. */
export interface CheckedProps {
  readonly inputs: object;
  readonly failures: Findings;
}

/** What a kind says beside its calls. */
export interface KindFacts {
  /** Further paths that may contain a secret, in what the service returned. */
  readonly copyPaths?: (props: JsonObject, secrets: Secrets) => readonly Path[];
  /** Drops optional text that contains a secret, so that nothing around it has to be hidden. */
  readonly withoutSecretWords?: (props: JsonObject, secrets: Secrets) => JsonObject;
  /** Texts that the engine stores and shows in plain text in any case, so that hiding them would protect no secret. */
  readonly publicTexts?: (props: JsonObject) => readonly string[];
}

/** The calls of the engine for one kind of resource. */
export interface Lifecycle extends KindFacts {
  /** The paths of the program's secrets in inputs or in a state. */
  readonly secretPaths: (props: JsonObject) => readonly Path[];
  /** Checks everything that can be known before writing. Old inputs are empty for a new resource. */
  check(session: Session, olds: Props, declared: Declared): Promise<CheckedProps>;
  /** Decides what must happen, and whether it may. */
  diff(session: Session, id: string, olds: Props, news: Props): Promise<Change>;
  create(session: Session, inputs: Props): Promise<{ readonly id: string; readonly state: object }>;
  /** Reads what is at the service now; undefined when it no longer exists. Without inputs, the engine keeps those it has. */
  read(
    session: Session,
    id: string,
    state: Props,
  ): Promise<{ readonly inputs?: object; readonly state: object } | undefined>;
  update(session: Session, id: string, olds: Props, news: Props): Promise<object>;
  delete(session: Session, id: string, state: Props): Promise<void>;
  /** Properties that states of dynamic providers hold as JSON texts. Calls return the values, and accept both. */
  readonly textNames: readonly string[];
}
