import actionTable from "../../schema/actions.json";
import { ownValue } from "./json.js";

/** The names of the parameters that an action takes; undefined for an action that this package does not know. */
export function parametersOf(action: string): readonly string[] | undefined {
  return ownValue<{ readonly parameters: readonly string[] }>(actionTable, action)?.parameters;
}
