import { AUTHORITIES, authorityWords } from "../../certificates/authorities.js";
import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { TotalTls } from "../../model/certificates.js";
import { parseTotalTlsId, totalTlsId } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import type { Session } from "../../session/session.js";
import {
  checkZoneId,
  failure,
  join,
  knownName,
  knownValue,
  type Failure,
  type Findings,
} from "../../validation/index.js";
import type { Change, CheckedProps, Lifecycle, Props } from "../lifecycle.js";
import { answer, receive, unasked, type Request } from "../request.js";
import { settle } from "../settle.js";
import { stillNeeded } from "../still-needed.js";

interface Inputs {
  readonly zoneId: string;
  readonly certificateAuthority: string;
  readonly onDelete?: "keep" | "restore";
  readonly __urn?: string;
}
interface State extends Inputs {
  /** Whether Total TLS is on. Never changed from here. */
  readonly enabled: boolean;
  readonly previousCertificateAuthority: string;
  /** Days. */
  readonly validityPeriod?: number;
  /** Internal. */
  readonly __incomplete?: boolean;
}

const NAMES = ["zoneId", "certificateAuthority", "onDelete"];
/** Total TLS knows no default to go back to, and not every authority (API facts 5.4). */
const OFFERED = AUTHORITIES.filter((authority) => authority !== "digicert");

/** Who issues the certificates of Total TLS in a zone. It neither turns Total TLS on nor off. */
export const totalTlsLifecycle: Lifecycle = {
  check,
  diff: (_session, _id, olds, news) => Promise.resolve(diff(olds as unknown as State, news as unknown as Inputs)),
  create: async (session, props) => {
    const inputs = props as unknown as Inputs;
    session.owners.hold(totalTlsId(inputs.zoneId), inputs.__urn ?? "");
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const now = await choose(session, inputs.zoneId, present, inputs.certificateAuthority);
    return { id: totalTlsId(inputs.zoneId), state: stateFrom(inputs, now, present.certificateAuthority) };
  },
  read: async (session, id, props) => {
    const zoneId = parseTotalTlsId(id);
    if (zoneId === undefined)
      throw new RulesetsError(`${JSON.stringify(id)} is no id of Total TLS: write zones/<zoneId>/total-tls.`, {
        code: "CONFIG_INVALID",
      });
    const olds = props as unknown as Partial<State>;
    const present = await session.client.certificates.getTotalTls(zoneId);
    const inputs: Inputs = { ...inputsOf({ ...olds, zoneId }), certificateAuthority: present.certificateAuthority };
    const state = stateFrom(inputs, present, olds.previousCertificateAuthority ?? present.certificateAuthority);
    return { inputs, state };
  },
  update: async (session, id, props, news) => {
    const olds = props as unknown as State;
    const inputs = news as unknown as Inputs;
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    try {
      const now = await choose(session, inputs.zoneId, present, inputs.certificateAuthority);
      return stateFrom(inputs, now, olds.previousCertificateAuthority);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.ambiguous) throw error;
      throw new PartialFailure<State>(id, { ...olds, __incomplete: true }, error);
    }
  },
  delete: (session, _id, state) => release(session, state as unknown as State),
  secretPaths: () => [],
};

async function check(session: Session, olds: Props, news: Props): Promise<CheckedProps> {
  const request = receive(session, olds, news);
  const { args, urn, preview } = request;
  const owner = hasUnknown(args.zoneId) || urn === "" ? join([]) : checkOwner(session, args, urn);
  const findings = join([checkArguments(args), owner]);
  const isNew = olds.zoneId === undefined || olds.zoneId !== args.zoneId;
  const asks = isNew && !hasUnknown(args) && !(preview && session.previewChecks === "off");
  const refusal = asks && findings.failures.length === 0 ? await tell(request) : undefined;
  return answer(request, args, {
    ...findings,
    failures: refusal === undefined ? findings.failures : [refusal],
  });
}

function checkArguments(args: JsonObject): Findings {
  const { zoneId, certificateAuthority: authority, onDelete } = args;
  const path = ["certificateAuthority"];
  return join([
    ...Object.keys(args).map((name) => knownName([name], "TotalTlsCa takes no", name, NAMES)),
    checkZoneId(zoneId),
    isUnknown(authority)
      ? join([])
      : typeof authority !== "string" || authority === ""
        ? failure(path, `is missing; one of ${OFFERED.join(", ")}. Total TLS has no default to go back to`)
        : knownValue(path, "the certificate authority", authority, OFFERED),
    onDelete === undefined || isUnknown(onDelete) || onDelete === "keep" || onDelete === "restore"
      ? join([])
      : failure(["onDelete"], "must be one of keep, restore"),
  ]);
}

function checkOwner(session: Session, { zoneId }: JsonObject, urn: string): Findings {
  const other = session.owners.hold(totalTlsId(zoneId as string), urn);
  return other === undefined
    ? join([])
    : failure(
        [],
        `two resources choose the authority of Total TLS in zone ${zoneId as string}: ${[urn, other].sort().join(" and ")}. Keep one`,
      );
}

/** Says what will change; the reason when the service could not be asked and must be. */
async function tell(request: Request): Promise<Failure | undefined> {
  const { session, urn } = request;
  const inputs = request.args as unknown as Inputs;
  try {
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const state = present.enabled ? "on" : "off, and stays off";
    const [from, to] = [present.certificateAuthority, inputs.certificateAuthority].map(authorityWords);
    session.reporter.info(
      urn,
      present.certificateAuthority === inputs.certificateAuthority
        ? `Total TLS is ${state}; its authority is ${from ?? ""} already, nothing will be sent`
        : `Total TLS is ${state}; its authority changes from ${from ?? ""} to ${to ?? ""}, for certificates ordered from then on`,
    );
    return undefined;
  } catch (error) {
    return unasked(request, error, "the authority of Total TLS");
  }
}

function diff(state: State, news: Inputs): Change {
  if (state.zoneId !== news.zoneId) return { kind: "replace", replaces: ["zoneId"], shownByInputs: true };
  const changed =
    state.__incomplete === true ||
    state.certificateAuthority !== news.certificateAuthority ||
    state.onDelete !== news.onDelete;
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: state.__incomplete !== true };
}

/** Sends a write when it changes something, with the present `enabled`; looks before it sends it again. */
async function choose(session: Session, zoneId: string, present: TotalTls, authority: string): Promise<TotalTls> {
  if (present.certificateAuthority === authority) return present;
  const { certificates } = session.client;
  const send = (): Promise<TotalTls> =>
    certificates.setTotalTls(zoneId, { enabled: present.enabled, certificateAuthority: authority });
  return session.queue.run(totalTlsId(zoneId), () =>
    settle(send, {
      look: () => certificates.getTotalTls(zoneId),
      landed: (now) => now.certificateAuthority === authority,
    }),
  );
}

function inputsOf({
  zoneId,
  certificateAuthority,
  onDelete,
  __urn,
}: Partial<State> & { readonly zoneId: string }): Inputs {
  return {
    zoneId,
    certificateAuthority: certificateAuthority ?? "",
    ...(onDelete === undefined ? {} : { onDelete }),
    ...(__urn === undefined ? {} : { __urn }),
  };
}

function stateFrom(inputs: Inputs, { enabled, validityPeriod }: TotalTls, previousCertificateAuthority: string): State {
  return {
    ...inputs,
    enabled,
    previousCertificateAuthority,
    ...(validityPeriod === undefined ? {} : { validityPeriod }),
  };
}

/** Leaves the authority as it is, or brings the one before back when nobody chose another since. */
async function release(session: Session, state: State): Promise<void> {
  const { zoneId, __urn: urn, certificateAuthority, previousCertificateAuthority: previous } = state;
  const stays = (why: string): void => {
    session.reporter.info(
      urn,
      `Total TLS of zone ${zoneId} keeps ${authorityWords(certificateAuthority)}: ${why}. Nothing was sent.`,
    );
  };
  const keeper = stillNeeded(session, [totalTlsId(zoneId)], urn);
  if (keeper !== undefined) {
    stays(keeper);
    return;
  }
  if (state.onDelete !== "restore") {
    stays('onDelete is "keep"');
    return;
  }
  const present = await session.client.certificates.getTotalTls(zoneId);
  if (present.certificateAuthority !== certificateAuthority || previous === "") {
    stays(previous === "" ? "what was before is not known" : "somebody else chose another since");
    return;
  }
  await choose(session, zoneId, present, previous);
}
