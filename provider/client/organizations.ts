import { objectsIn } from "../model/json.js";
import type { Transport } from "../http/index.js";
import { encodeSegment, responseText } from "./pages.js";

/** An account of an organization. */
interface OrganizationAccount {
  readonly id: string;
  readonly name: string;
}

const PAGE_SIZE = 50;

/**
 * Organizations, which contain accounts, and nothing else that this package uses: rulesets belong to accounts and zones alone. See
 * https://developers.cloudflare.com/api/resources/organizations/subresources/organization_accounts/methods/get/.
 */
export class OrganizationsClient {
  constructor(private readonly transport: Transport) {}

  /** Every account of an organization. */
  async accounts(organizationId: string): Promise<OrganizationAccount[]> {
    const path = `/organizations/${encodeSegment(organizationId)}/accounts`;
    const found: OrganizationAccount[] = [];
    let token: string | undefined;
    do {
      const query = { page_size: PAGE_SIZE, ...(token === undefined ? {} : { page_token: token }) };
      const { result, after } = await this.transport.send({ method: "GET", path, query });
      found.push(...objectsIn(result).map(({ id, name }) => ({ id: responseText(id), name: responseText(name) })));
      // A service that ignores the token returns the same page forever.
      token = after === token ? undefined : after;
    } while (token !== undefined);
    return found;
  }
}
