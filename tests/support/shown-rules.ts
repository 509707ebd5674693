import { runShow } from "../../tools/cli/versions/read/command.js";
import { clientFor } from "./client.js";

/** The rules that the command in a message prints, as a program declares them. */
export async function rulesShownBy(message: string, url: string): Promise<object[]> {
  const command = /versions show (?<version>\d+) --zone (?<zone>\w+) --ruleset (?<ruleset>\w+) --typescript/;
  const { version = "", zone = "", ruleset = "" } = command.exec(message)?.groups ?? {};
  const printed: string[] = [];
  const options = { zone, ruleset, typescript: true };
  await runShow(
    version,
    options,
    () => clientFor(url),
    (line) => void printed.push(line),
  );
  return new Function(`return [${printed.join("\n")}]`)() as object[];
}
