import { RulesetsError } from "../../model/errors.js";
import { parseHostnameId } from "../../model/ids.js";

/** Zone and hostname that an id names. */
export function addressOf(id: string): { readonly zoneId: string; readonly hostnameId: string } {
  const address = parseHostnameId(id);
  if (address !== undefined) return address;
  throw new RulesetsError(
    `${JSON.stringify(id)} is not the id of a CustomHostnameCa: write zones/<zoneId>/custom-hostnames/<id>/certificate-authority.`,
    { code: "CONFIG_INVALID" },
  );
}
