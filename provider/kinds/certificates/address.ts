import { RulesetsError } from "../../../core/model/errors.js";
import { parseHostnameId } from "../../../core/model/ids.js";

/** The zone and hostname in a resource ID. */
export function addressOf(id: string): { readonly zoneId: string; readonly hostnameId: string } {
  const address = parseHostnameId(id);
  if (address !== undefined) return address;
  throw new RulesetsError(
    `${JSON.stringify(id)} is not a valid CustomHostnameCa ID: write zones/<zoneId>/custom-hostnames/<id>/certificate-authority.`,
    { code: "CONFIG_INVALID" },
  );
}
