/** How a request proves who sends it: a token, or e-mail and key. Never both. */
export type Credentials =
  | { readonly kind: "token"; readonly apiToken: string }
  | { readonly kind: "key"; readonly email: string; readonly apiKey: string };

/** The headers of one scheme (spec section 5). */
export function authHeaders(credentials: Credentials): Record<string, string> {
  return credentials.kind === "token"
    ? { Authorization: `Bearer ${credentials.apiToken}` }
    : { "X-Auth-Email": credentials.email, "X-Auth-Key": credentials.apiKey };
}

/** The texts that must never be shown. */
export function credentialSecrets(credentials: Credentials): string[] {
  return credentials.kind === "token" ? [credentials.apiToken] : [credentials.apiKey];
}
