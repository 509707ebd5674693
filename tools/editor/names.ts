import { fieldNamed, functionNamed, type UsedName } from "../rules-files/explain/uses.js";
import { findField, findFunction } from "../../core/language/catalogue/index.js";
import { CATALOGUE_DATE, findValues } from "../../core/language/catalogue/values.js";

const REFERENCE = "https://developers.cloudflare.com/ruleset-engine/rules-language";
/** More values are named by their number alone. */
const MOST_VALUES = 20;

/** What is known about the name of a field or a function, in Markdown; undefined for an unknown name. */
export function describeName(name: string): string | undefined {
  const field = findField(name);
  if (field !== undefined) {
    const source = field.unsure ? undefined : `${REFERENCE}/fields/reference/${name}/`;
    return described(fieldNamed(name), `${name}: ${fieldNamed(name).type}`, [valuesOf(name), sourceText(source)]);
  }
  if (findFunction(name) === undefined) return undefined;
  const used = functionNamed(name);
  return described(used, used.type, [sourceText(`${REFERENCE}/functions/#${name}`)]);
}

/** What is known about a list, in Markdown. */
export function describeList(name: string): string {
  return name.startsWith("cf.")
    ? `\`$${name}\`: a list that Cloudflare maintains. It contains IP addresses.`
    : `\`$${name}\`: a list of the account.`;
}

function described({ about, notes }: UsedName, signature: string, others: readonly (string | undefined)[]): string {
  const lines = [about, ...notes].map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`);
  const parts = [`\`\`\`text\n${signature}\n\`\`\``, lines.join("  \n"), ...others];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

function valuesOf(name: string): string | undefined {
  const { values = [] } = findValues(name) ?? {};
  if (values.length === 0) return undefined;
  const shown = values.slice(0, MOST_VALUES).map((value) => `\`${JSON.stringify(value)}\``);
  const more = values.length - shown.length;
  return `Values: ${shown.join(", ")}${more > 0 ? `, and ${String(more)} more` : ""}`;
}

function sourceText(address: string | undefined): string | undefined {
  return address === undefined ? undefined : `[Cloudflare's page](${address}), as of ${CATALOGUE_DATE}`;
}
