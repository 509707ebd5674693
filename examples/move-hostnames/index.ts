import * as pulumi from "@pulumi/pulumi";
import { assessCertificateChain, CustomHostnameCa, listCustomHostnames } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const to = config.require("to");

/** Declares the authority of every hostname that uses Let's Encrypt, or has already been moved. */
async function move(): Promise<{ readonly act: readonly string[]; readonly hostnames: readonly string[] }> {
  const all = await listCustomHostnames({ zoneId });
  // The hostnames that need action because of the chain change; `pulumi preview` shows them as the output `act`.
  const act = assessCertificateChain({ customHostnames: all }).filter(({ verdict }) => verdict === "act");
  // Hostnames that have already been moved stay declared, so that they do not disappear from the stack.
  const mine = all.filter(({ ssl }) => ssl.certificateAuthority === "lets_encrypt" || ssl.certificateAuthority === to);
  for (const { id, hostname } of mine) {
    // Sends no edit for a hostname that already has this authority. Destroying the stack sends no edit either.
    new CustomHostnameCa(hostname, { zoneId, customHostnameId: id, certificateAuthority: to });
  }
  return { act: act.map(({ name }) => name), hostnames: mine.map(({ hostname }) => hostname) };
}

const moved = move();
export const act = moved.then((result) => result.act);
export const hostnames = moved.then((result) => result.hostnames);
