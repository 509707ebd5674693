import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../client/index.js";
import { stableText } from "../model/json.js";
import { ServiceMessages } from "../client/service-messages.js";
import { readNames } from "../resources/read-names.js";
import { readSettings, type Settings } from "../settings.js";

/** By settings: in the Automation API programs of several stacks run in one process. */
const clients = new Map<string, Client>();

/** A client with the configuration of the stack that runs, and the environment. Its questions share one pace. */
function stackClient(): Client {
  const settings = readSettings((key) => {
    const [namespace = "", name = ""] = key.split(":");
    return new pulumi.Config(namespace).get(name);
  }, process.env);
  const key = stableText(settings);
  const known = clients.get(key) ?? connect(settings);
  clients.set(key, known);
  return known;
}

const load = createRequire(__filename);
/** Programs that call no function need no client, and do not wait for it to load. */
const loadConnect = () => load("../connect.js") as typeof import("../connect.js");

/** Look-ups are told of where a person begins to wonder. */
const LONG_WAIT_MS = 10_000;

function connect(settings: Settings): Client {
  const messages = new ServiceMessages((_, text) => void pulumi.log.warn(text));
  const onMessage = (message: string): void => {
    messages.report(undefined, message);
  };
  const onWait = (ms: number, reason: string): void => {
    if (ms >= LONG_WAIT_MS) void pulumi.log.info(`a look-up waits ${String(Math.ceil(ms / 1000))} s ${reason}`);
  };
  return loadConnect().connect(settings, { onMessage, onWait, names: readNames });
}

/** What each run of a program has asked, by the connection to its engine: each run has its own. */
const answersOf = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * An answer of the service, asked for once in a run of the program however often it is wanted, also while the first
 * question is under way. A failure is not kept. Without an engine there is no run, and each call asks.
 * @param question what is asked: equal questions have equal answers
 */
export async function askOnce<T>(question: readonly unknown[], ask: (client: Client) => Promise<T>): Promise<T> {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  if (run === undefined) return ask(stackClient());
  const answers = answersOf.get(run) ?? new Map<string, Promise<unknown>>();
  answersOf.set(run, answers);
  const key = stableText(question);
  const known = answers.get(key) ?? ask(stackClient());
  answers.set(key, known);
  try {
    // What one part of a program does to its copy is nothing to another.
    return structuredClone(await known) as T;
  } catch (error) {
    if (answers.get(key) === known) answers.delete(key);
    throw error;
  }
}
