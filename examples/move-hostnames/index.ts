import * as pulumi from "@pulumi/pulumi";
import { assessCertificateChain, CustomHostnameCa, listCustomHostnames } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const to = config.require("to");

/** Declares the authority of every hostname that is on the affected one, or was moved already. */
async function move(): Promise<{ readonly act: readonly string[]; readonly hostnames: readonly string[] }> {
  const all = await listCustomHostnames(zoneId);
  // What the chain change means for each, before anything is done: shown by `pulumi preview` as the output `act`.
  const act = assessCertificateChain({ customHostnames: all }).filter(({ verdict }) => verdict === "act");
  // Hostnames that are there already stay declared, so that nothing disappears from the stack once it was moved.
  const mine = all.filter(({ ssl }) => ssl.certificateAuthority === "lets_encrypt" || ssl.certificateAuthority === to);
  for (const { id, hostname } of mine) {
    // Nothing is sent for a hostname that has the authority already; destroying the stack sends nothing either.
    new CustomHostnameCa(hostname, { zoneId, customHostnameId: id, certificateAuthority: to });
  }
  return { act: act.map(({ name }) => name), hostnames: mine.map(({ hostname }) => hostname) };
}

const moved = move();
export const act = moved.then((result) => result.act);
export const hostnames = moved.then((result) => result.hostnames);
