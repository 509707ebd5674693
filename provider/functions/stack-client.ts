import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../client/index.js";
import { stableText } from "../model/json.js";
import { ServiceMessages } from "../client/service-messages.js";
import { readSettings, type Settings } from "../runtime/config.js";

/** By settings: in the Automation API programs of several stacks run in one process. */
const clients = new Map<string, Promise<Client>>();

/** A client with the configuration of the stack that runs, and the environment. Its questions share one pace. */
export async function stackClient(): Promise<Client> {
  const settings = readSettings((key) => {
    const [namespace = "", name = ""] = key.split(":");
    return new pulumi.Config(namespace).get(name);
  }, process.env);
  const key = stableText(settings);
  const known = clients.get(key) ?? connect(settings);
  clients.set(key, known);
  return known;
}

/** Programs that call no function need no client, and do not wait for it to load. */
async function connect(settings: Settings): Promise<Client> {
  const messages = new ServiceMessages((_, text) => void pulumi.log.warn(text));
  const onMessage = (message: string): void => {
    messages.tell(undefined, message);
  };
  return (await import("../connect.js")).connect(settings, { onMessage });
}
