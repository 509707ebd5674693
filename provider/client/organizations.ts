import type { Transport } from "../http/index.js";
import { encodeSegment, pagesByCursor, responseText } from "./pages.js";

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
    for await (const page of pagesByCursor(this.transport, path, { page_size: PAGE_SIZE }, "page_token"))
      found.push(...page.map(({ id, name }) => ({ id: responseText(id), name: responseText(name) })));
    return found;
  }
}
