import { shellWord } from "../../core/model/shell-word.js";

/** The folder of a plan, if nothing else is said. */
export const DEFAULT_FOLDER = "fleet-plan";

/** A command for somebody to type, about the plan in this folder: without its name, it would go on with another plan. */
export function fleetCommand(words: string, folder: string): string {
  return `fleet ${words}${folder === DEFAULT_FOLDER ? "" : ` --plan ${shellWord(folder)}`}`;
}
