import { isObject } from "../core/model/json.js";
import type { Transport } from "./http/index.js";
import { encodeSegment, responseText } from "./pages.js";

/** State of the token that a request is sent with. */
export interface TokenState {
  /** `active`, `disabled` or `expired`. */
  readonly status: string;
  /** RFC 3339, UTC; undefined when it never expires. */
  readonly expiresOn?: string;
  /** RFC 3339, UTC. */
  readonly notBefore?: string;
}

/**
 * The token in use, of a user or of an account:
 * https://developers.cloudflare.com/api/resources/user/subresources/tokens/methods/verify/.
 */
export class TokensClient {
  constructor(private readonly transport: Transport) {}

  /**
   * Gets the state of this client's token. Does not work with an API key.
   * @param accountId the account that owns the token, if a user does not
   */
  async verify(accountId?: string): Promise<TokenState> {
    const owner = accountId === undefined ? "/user" : `/accounts/${encodeSegment(accountId)}`;
    const { result } = await this.transport.send({ method: "GET", path: `${owner}/tokens/verify` });
    const wire = isObject(result) ? result : {};
    const { expires_on: expiresOn, not_before: notBefore } = wire;
    return {
      status: responseText(wire.status),
      ...(typeof expiresOn === "string" ? { expiresOn } : {}),
      ...(typeof notBefore === "string" ? { notBefore } : {}),
    };
  }
}
