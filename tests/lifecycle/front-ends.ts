import type { Kind } from "../../provider/engine/kind.js";
import { inKindForm } from "../../provider/engine/schema-form.js";
import { findKind } from "../../provider/kinds/index.js";
import { adapt } from "../../provider/border/dynamic/adapter.js";
import type { ProviderProcess } from "../../provider/border/process.js";

export type Props = Readonly<Record<string, unknown>>;

/** The calls of a front end and their results, as the host of dynamic providers has them. */
export interface Border {
  check(
    olds: Props,
    news: Props,
  ): Promise<{ readonly inputs: Props; readonly failures?: readonly { readonly reason: string }[] }>;
  diff(
    id: string,
    olds: Props,
    news: Props,
    oldInputs: Props,
  ): Promise<{
    readonly changes?: boolean;
    readonly replaces?: readonly string[];
    readonly deleteBeforeReplace?: boolean;
  }>;
  create(inputs: Props): Promise<{ readonly id: string; readonly outs: Props }>;
  read(id: string, props: Props): Promise<{ readonly id?: string; readonly inputs?: Props; readonly props?: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}

/** Which front end the tests drive: FRONT_END=plugin is the provider plugin, anything else the dynamic provider. */
export const IS_PLUGIN = process.env.FRONT_END === "plugin";

/** The front end that the tests drive. */
export function borderOf(kind: Kind, process: ProviderProcess): Border {
  // The interface of dynamic providers says less about the calls.
  if (!IS_PLUGIN) return adapt(kind, process) as unknown as Border;
  // Loaded only here: most test files drive no plugin, and gRPC takes a tenth of a second of each.
  return jest.requireActual<typeof import("./plugin-border.js")>("./plugin-border.js").pluginBorder(kind, process);
}

/** A state that either front end has written, in the form of the kinds. */
export function stateOf(kind: string, state: Props): Props {
  const known = findKind(kind);
  return known === undefined ? state : inKindForm(known.description, state);
}
