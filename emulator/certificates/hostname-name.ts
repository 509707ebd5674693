import { refuse } from "../failure.js";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A hostname in lower case, as the service stores it. Rejects invalid domain names. */
export function hostnameOf(sent: string): string {
  const name = sent.toLowerCase();
  const labels = name.replace(/^\*\./, "").split(".");
  if (name.length > 255 || labels.length < 2 || !labels.every((label) => LABEL.test(label)))
    throw refuse(400, 1407, "Invalid custom hostname. Custom hostnames must be valid domain names", "/hostname");
  return name;
}
