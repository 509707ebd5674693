import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Secrets } from "../redaction/secrets.js";
import type { Session } from "./session.js";
import type { Failure } from "../validation/index.js";

/** Inputs or a state on the way from the engine; every kind of resource knows its own. */
export type Props = Readonly<Record<string, unknown>>;

/** What must happen to a resource. */
export interface Change {
  readonly kind: "none" | "update" | "replace";
  /** Properties that force the replacement. */
  readonly replaces: readonly string[];
  /** Whether old and new inputs tell the whole difference, so that the engine can show it field by field. */
  readonly shownByInputs: boolean;
}

/** Inputs the engine keeps, and every failure at once. */
export interface CheckedProps {
  readonly inputs: object;
  readonly failures: readonly Failure[];
}

/** The calls of the engine for one kind of resource. */
export interface Lifecycle {
  /** Everything that can be known before writing. Old inputs are empty for a new resource. */
  check(session: Session, olds: Props, news: Props): Promise<CheckedProps>;
  /** What must happen, and whether it may. */
  diff(session: Session, id: string, olds: Props, news: Props): Promise<Change>;
  create(session: Session, inputs: Props): Promise<{ readonly id: string; readonly state: object }>;
  /** What is there now; undefined when it is gone. */
  read(
    session: Session,
    id: string,
    state: Props,
  ): Promise<{ readonly inputs: object; readonly state: object } | undefined>;
  update(session: Session, id: string, olds: Props, news: Props): Promise<object>;
  delete(session: Session, id: string, state: Props): Promise<void>;
  /** Where secrets of the program stand in inputs or in a state. */
  secretPaths(props: JsonObject): readonly Path[];
  /** Where else a secret may stand in them: in what the service answered. */
  copyPaths?(props: JsonObject, secrets: Secrets): readonly Path[];
  /** The same without what nobody needs where it holds a secret, so that nothing has to be hidden around it. */
  withoutSecretWords?(props: JsonObject, secrets: Secrets): JsonObject;
  /** Texts that the engine stores and shows in clear whatever they say, so that no secret is kept by hiding them. */
  publicTexts?(props: JsonObject): readonly string[];
}
