import type { Client, SecurityEvent, Zone } from "../../../../client/index.js";
import { messageOf } from "../../../../core/model/errors.js";
import { PERIODS, secondsOfPeriod } from "../../../../core/model/numbers.js";
import { titledList } from "../../../../core/model/words.js";
import { readEventsOfRay } from "../traffic/ray.js";
import { explain } from "../../../rules-files/explain/explanation.js";
import { withManagedName } from "../../../../core/simulator/managed-rulesets.js";
import { findZones, listZones } from "../../zones.js";
import { readZone } from "../source/index.js";
import { treeLines } from "./command.js";

export interface ExplainRayCommand {
  /** IDs or names of zones. @default every zone that the credentials can access */
  readonly zone?: readonly string[];
  /** A time such as `24h`. */
  readonly since: string;
  readonly json?: boolean;
}

interface ExplainRayContext {
  readonly client: Client;
  readonly print: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The rule of an event as it is deployed now. */
interface DeployedRule {
  readonly phase: string;
  readonly ref?: string;
  readonly expression: string;
}

interface ExplainedRay {
  readonly ray: string;
  /** The zone that has its events; missing if none has. */
  readonly zone?: string;
  readonly events: readonly (SecurityEvent & { readonly rule?: DeployedRule })[];
  /** What could not be read, and why. */
  readonly unread: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Says which rules acted on a request, and why, and returns the exit code: 2 if no zone has an event of it, 3 if something that
 * could tell more could not be read.
 */
export async function runExplainRay(
  ray: string,
  options: ExplainRayCommand,
  { client, print, now }: ExplainRayContext,
): Promise<0 | 2 | 3> {
  const seconds = secondsOfPeriod(options.since);
  if (seconds === undefined) throw new Error(`--since must be ${PERIODS}, not ${JSON.stringify(options.since)}`);
  const { zones, failures } =
    options.zone === undefined ? await listZones(client, undefined) : await findZones(client, options.zone, []);
  const unread = failures.map(({ label, failure }) => `${label}: ${failure}`);
  const notes: string[] = [];
  let found: ExplainedRay = { ray, events: [], unread, notes };
  for (const zone of zones) {
    try {
      const read = await readEventsOfRay(client, zone, { ray, seconds, now });
      notes.push(...read.notes);
      if (read.events.length === 0) continue;
      found = { ...found, ...(await withRules(client, zone, read.events)) };
      break;
    } catch (error) {
      unread.push(`the security events of ${zone.name}: ${messageOf(error)}`);
    }
  }
  print(options.json === true ? JSON.stringify(found, undefined, 2) : render(found, options));
  const isOpen = found.events.length === 0 || found.events.some(({ rule }) => rule === undefined);
  if (isOpen && found.unread.length > 0) return 3;
  return found.events.length === 0 ? 2 : 0;
}

/** The events with the rules that are deployed in the zone and its account. Rules of managed rulesets have no expression. */
async function withRules(
  client: Client,
  zone: Zone,
  events: readonly SecurityEvent[],
): Promise<Omit<ExplainedRay, "ray" | "notes">> {
  try {
    const { rulesets, unread = [] } = await readZone(client, zone);
    const rules = rulesets.flatMap(({ input: { phase, rules: all } }) => all.map((rule) => ({ phase, rule })));
    return {
      zone: zone.name,
      events: events.map((event) => {
        const { phase, rule } = rules.find((one) => one.rule.id === event.ruleId) ?? {};
        if (phase === undefined || rule?.expression === undefined) return event;
        const ref = rule.ref === undefined ? {} : { ref: rule.ref };
        return { ...event, rule: { phase, expression: rule.expression, ...ref } };
      }),
      unread: unread.map(({ label, failure }) => `${label}: ${failure}`),
    };
  } catch (error) {
    return { zone: zone.name, events, unread: [`the rules of ${zone.name}: ${messageOf(error)}`] };
  }
}

function render({ ray, zone, events, unread, notes }: ExplainedRay, { since }: ExplainRayCommand): string {
  const [first] = events;
  return [
    ...(first === undefined ? [nothing(ray, since)] : [head(ray, zone ?? "", first), ...events.map(eventText)]),
    ...titledList("Could not be read", unread),
    ...titledList("Notes", notes),
  ].join("\n\n");
}

function nothing(ray: string, since: string): string {
  return (
    `No rule has acted on the request ${ray} in the last ${since}, according to security events.\n` +
    "Events appear after about a minute, and the service may keep only a sample of them. The origin may have answered, or a product " +
    "without events.\nTo continue: look further back with --since, or in another zone with --zone."
  );
}

function head(ray: string, zone: string, event: SecurityEvent): string {
  const { datetime, clientIP, clientCountryName: country, edgeResponseStatus: status } = event;
  const { clientRequestHTTPMethodName: method, clientRequestHTTPHost: host, userAgent } = event;
  const target = `${event.clientRequestPath}${event.clientRequestQuery}`;
  return [
    `Request ${ray} to ${zone}, ${datetime}`,
    `${method} ${host}${target} from ${clientIP}${country === "" ? "" : ` (${country})`}${status === "" ? "" : `, answered with ${status}`}`,
    ...(userAgent === "" ? [] : [`user agent: ${userAgent}`]),
  ].join("\n");
}

function eventText({ action, source, ruleId, rulesetId, description, rule }: ExplainedRay["events"][number]): string {
  const name = description === "" ? ruleId : JSON.stringify(description);
  const place = `  rule ${ruleId} of the ruleset ${withManagedName(rulesetId)}, ${source}`;
  if (rule === undefined)
    return [`${action} by ${name}`, place, "  None of the deployed rules that were read has this ID."].join("\n");
  const { phase, ref, expression } = rule;
  const { tree } = explain(expression, { phase });
  return [
    `${action} by ${name}`,
    `${place}, ${phase}${ref === undefined ? "" : `, ref ${JSON.stringify(ref)}`}`,
    `  expression, as deployed now: ${expression}`,
    ...(tree === undefined ? [] : [`  it matches when ${treeLines(tree).join("\n  ")}`]),
  ].join("\n");
}
