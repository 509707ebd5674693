/** Replaces every secret in a text by `[secret]`. Texts of fewer than four characters are left: they would hide everything. */
export function redact(text: string, secrets: readonly string[]): string {
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= 4)
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((current, secret) => current.split(secret).join("[secret]"), text);
}
