import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../client/index.js";
import { stableText } from "../model/json.js";
import { ServiceMessages } from "../client/service-messages.js";
import { readNames } from "../resources/read-names.js";
import { readSettings, type Settings } from "../settings.js";

/** By settings: with the Automation API, programs of several stacks run in one process. */
const clients = new Map<string, Client>();

/** A client with the configuration of the running stack and the environment. All lookups share one rate limit. */
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
/** Loaded on demand, so that programs that call no function do not wait for it. */
const loadConnect = () => load("../connect.js") as typeof import("../connect.js");

/** Shorter waits of lookups are not reported. */
const LONG_WAIT_MS = 10_000;

function connect(settings: Settings): Client {
  const messages = new ServiceMessages((_, text) => void pulumi.log.warn(text));
  const onMessage = (message: string): void => {
    messages.report(undefined, message);
  };
  const onWait = (ms: number, reason: string): void => {
    if (ms >= LONG_WAIT_MS) void pulumi.log.info(`a lookup waits ${String(Math.ceil(ms / 1000))} s ${reason}`);
  };
  const log = (text: string): void => void pulumi.log.info(`lookups of the program: ${text}`);
  const longRun = { start: log, progress: log };
  return loadConnect().connect(settings, { onMessage, onWait, longRun, names: readNames });
}

/** The results of each run of a program, by the run's connection to its engine. */
const resultsOf = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Makes a request once per run of the program, however often its result is needed, and shares it with calls made while
 * it is under way. A failure is not kept. Without an engine there is no run, and each call makes a request.
 * @param key identifies the request: equal keys have equal results
 */
export async function requestOnce<T>(key: readonly unknown[], send: (client: Client) => Promise<T>): Promise<T> {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  if (run === undefined) return send(stackClient());
  const results = resultsOf.get(run) ?? new Map<string, Promise<unknown>>();
  resultsOf.set(run, results);
  const name = stableText(key);
  const known = results.get(name) ?? send(stackClient());
  results.set(name, known);
  try {
    // Each caller gets its own copy, so that its changes do not affect the others.
    return structuredClone(await known) as T;
  } catch (error) {
    if (results.get(name) === known) results.delete(name);
    throw error;
  }
}
