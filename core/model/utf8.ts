/** The text of bytes in UTF-8, with its byte order mark. Undefined for what is in another encoding: it would be read as another text. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
