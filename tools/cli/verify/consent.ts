import { once } from "node:events";
import { createInterface } from "node:readline/promises";

/** Who may answer, and what was said beforehand. */
export interface Consent {
  readonly yesZone?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Asks for the name of the zone. Throws unless it is given: on a terminal, or with the option where there is none. */
export async function requireConsent(name: string, { yesZone, env, stdin, stdout }: Consent): Promise<void> {
  const how = `To continue without a terminal: --yes-zone ${name}`;
  if (yesZone !== undefined) {
    if (yesZone.toLowerCase() === name.toLowerCase()) return;
    throw new Error(`--yes-zone names ${yesZone}, and the zone is ${name}. Nothing was sent.\n${how}`);
  }
  if (!stdin.isTTY || !stdout.isTTY || (env.CI ?? "") !== "")
    throw new Error(`nobody can be asked here whether ${name} may be used. Nothing was sent.\n${how}`);
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    // Whoever ends the input, or presses Ctrl-C, has answered too.
    const nothing = (): undefined => undefined;
    const asked = terminal.question(`Type the name of the zone to send dry runs to it (${name}): `).catch(nothing);
    const answer = await Promise.race([asked, once(terminal, "close").then(nothing)]);
    if (answer === undefined) stdout.write("\n");
    const typed = answer?.trim() ?? "";
    if (typed === name) return;
    throw new Error(`${typed === "" ? "no name was typed" : `"${typed}" is not ${name}`}. Nothing was sent.`);
  } finally {
    terminal.close();
  }
}
