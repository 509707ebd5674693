/** How a request proves who sends it: a token, or e-mail and key. Never both. */
export type Credentials =
  | { readonly kind: "token"; readonly apiToken: string }
  | { readonly kind: "key"; readonly email: string; readonly apiKey: string };

/** The headers of one scheme the service takes: a token, or a key with its e-mail address. See https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/. */
export function authHeaders(credentials: Credentials): Record<string, string> {
  return credentials.kind === "token"
    ? { Authorization: `Bearer ${credentials.apiToken}` }
    : { "X-Auth-Email": credentials.email, "X-Auth-Key": credentials.apiKey };
}

/** The texts that must never be shown. An address may hold the password of a proxy. */
export function credentialSecrets(credentials: Credentials, baseUrl = ""): string[] {
  const password = URL.canParse(baseUrl) ? decodeURIComponent(new URL(baseUrl).password) : "";
  return [credentials.kind === "token" ? credentials.apiToken : credentials.apiKey, password];
}

/** An address without the name and password that it may hold. */
export function withoutCredentials(baseUrl: string): string {
  return baseUrl.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}
