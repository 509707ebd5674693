/** The number in a text such as `AS64500`; undefined for another text. */
export function asNumber(text: string): string | undefined {
  return /^\s*ASN?[ _-]?(\d{1,10})\s*$/i.exec(text)?.[1];
}

export function asNumberText(field: string, shown: string, number: string): string {
  return `\`${field}\` is a number; write \`${number}\` in place of \`${shown}\``;
}
