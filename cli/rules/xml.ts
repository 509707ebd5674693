/** The attributes of an XML element. */
export function attributesOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value)).replace(/"/g, "&quot;").replace(/\n/g, "&#10;")}"`)
    .join(" ");
}

/** A text in XML, which does not allow most control characters, not even escaped. */
export function escaped(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
