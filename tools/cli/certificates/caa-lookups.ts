import type { ResolveCaa } from "../../../core/certificates/authorities.js";
import { askDns, caaResolver } from "../../../provider/kinds/certificates/resolve-caa.js";
import { dnsServerOf, readSettings, type ConfigReader, type Environment } from "../../../provider/settings.js";

/** Looks up CAA records by the server that the user names, or else that of the environment or the stack, or the machine's own. */
export function caaLookups(
  { dnsServer }: { readonly dnsServer?: string },
  env: Environment,
  config: ConfigReader = () => undefined,
): ResolveCaa {
  const server = dnsServerOf("--dns-server", dnsServer) ?? readSettings(config, env).dnsServer;
  return caaResolver(askDns(server));
}
