import { isList, isObject, type JsonObject } from "../core/model/json.js";
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

/** What a policy of a token allows or denies. */
export interface TokenPolicy {
  readonly effect: string;
  /** The names of its permission groups: `Zone WAF Write`. */
  readonly groups: readonly string[];
  /** The resources, those inside others with a slash: `com.cloudflare.api.account.<id>/com.cloudflare.api.account.zone.*`. */
  readonly resources: readonly string[];
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
    const wire = await this.read(accountId, "verify");
    const { expires_on: expiresOn, not_before: notBefore } = wire;
    return {
      status: responseText(wire.status),
      ...(typeof expiresOn === "string" ? { expiresOn } : {}),
      ...(typeof notBefore === "string" ? { notBefore } : {}),
    };
  }

  /** Gets the policies of this client's token, which only a token that may read tokens can do. */
  async policies(accountId?: string): Promise<readonly TokenPolicy[]> {
    const { id } = await this.read(accountId, "verify");
    const { policies } = await this.read(accountId, encodeSegment(responseText(id)));
    return (isList(policies) ? policies : [])
      .filter(isObject)
      .map(({ effect, permission_groups: groups, resources }) => ({
        effect: responseText(effect),
        groups: (isList(groups) ? groups : []).flatMap((group) => (isObject(group) ? [responseText(group.name)] : [])),
        resources: resourcesIn(isObject(resources) ? resources : {}),
      }));
  }

  private async read(accountId: string | undefined, token: string): Promise<JsonObject> {
    const owner = accountId === undefined ? "/user" : `/accounts/${encodeSegment(accountId)}`;
    const { result } = await this.transport.send({ method: "GET", path: `${owner}/tokens/${token}` });
    return isObject(result) ? result : {};
  }
}

/** `"*"` by name, or by name inside another resource. */
function resourcesIn(resources: JsonObject): readonly string[] {
  return Object.entries(resources).flatMap(([name, inside]) =>
    isObject(inside) ? Object.keys(inside).map((one) => `${name}/${one}`) : [name],
  );
}
