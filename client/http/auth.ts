/** Credentials of a request: a token, or an e-mail address and a key. Never both. */
export type Credentials =
  | { readonly kind: "token"; readonly apiToken: string }
  | { readonly kind: "key"; readonly email: string; readonly apiKey: string };

/** Headers for a token, or for a key. See https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/. */
export function authHeaders(credentials: Credentials): Record<string, string> {
  return credentials.kind === "token"
    ? { Authorization: `Bearer ${credentials.apiToken}` }
    : { "X-Auth-Email": credentials.email, "X-Auth-Key": credentials.apiKey };
}

/** The texts that must never be shown. A base URL may contain the password of a proxy. */
export function credentialSecrets(credentials: Credentials, baseUrl = ""): string[] {
  const password = URL.canParse(baseUrl) ? decodeURIComponent(new URL(baseUrl).password) : "";
  return [credentials.kind === "token" ? credentials.apiToken : credentials.apiKey, password];
}

/** A URL without the user name and password that it may contain. */
export function withoutCredentials(baseUrl: string): string {
  return baseUrl.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}
