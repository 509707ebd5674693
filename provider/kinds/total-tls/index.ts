import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { TotalTls } from "../../model/certificates.js";
import { parseTotalTlsId, totalTlsId } from "../../model/ids.js";
import { omit, pick } from "../../model/json.js";
import type { Session } from "../../engine/session.js";
import type { Change, Lifecycle, Props } from "../../engine/lifecycle.js";
import { check } from "./check.js";
import { choose } from "./choose.js";
import { stateFrom, type TotalTlsInputs, type TotalTlsState } from "./model.js";
import { findPrevious } from "./previous.js";
import { release } from "./release.js";

/** Which authority issues the certificates of Total TLS in a zone. It neither turns Total TLS on nor off. */
export const totalTlsLifecycle: Lifecycle = {
  check,
  diff: (_session, _id, olds, news) =>
    Promise.resolve(diff(olds as unknown as TotalTlsState, news as unknown as TotalTlsInputs)),
  create: async (session, props) => {
    const inputs = props as unknown as TotalTlsInputs;
    const id = totalTlsId(inputs.zoneId);
    session.owners.hold(id, inputs.__urn ?? "");
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const previous = await findPrevious(session, inputs, present);
    return {
      id,
      state: await write(session, { inputs, present, previous, olds: stateFrom(inputs, present, previous) }),
    };
  },
  read,
  update: async (session, _id, props, news) => {
    const olds = props as unknown as TotalTlsState;
    const inputs = news as unknown as TotalTlsInputs;
    if (olds.__incomplete !== true && olds.certificateAuthority === inputs.certificateAuthority)
      return { ...omit(olds, ["onDelete"]), ...inputs };
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    return write(session, { inputs, present, previous: olds.previousCertificateAuthority, olds });
  },
  delete: (session, _id, state) => release(session, state as unknown as TotalTlsState),
  secretPaths: () => [],
};

function diff(state: TotalTlsState, news: TotalTlsInputs): Change {
  if (state.zoneId !== news.zoneId) return { kind: "replace", replaces: ["zoneId"], shownByInputs: true };
  const changed =
    state.__incomplete === true ||
    state.certificateAuthority !== news.certificateAuthority ||
    state.onDelete !== news.onDelete ||
    state.__urn !== news.__urn;
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: state.__incomplete !== true };
}

/** A write, with everything the state is made of. */
interface Write {
  readonly inputs: TotalTlsInputs;
  readonly present: TotalTls;
  readonly previous: string;
  /** The state that stands when nobody can tell whether the write landed. */
  readonly olds: TotalTlsState;
}

async function write(session: Session, { inputs, present, previous, olds }: Write): Promise<TotalTlsState> {
  try {
    const now = await choose(session, inputs.zoneId, present, inputs.certificateAuthority);
    return stateFrom(inputs, now, previous);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure<TotalTlsState>(totalTlsId(inputs.zoneId), { ...olds, __incomplete: true }, error);
  }
}

/** One GET. An authority that somebody else chose shows as a change of the input. */
async function read(
  session: Session,
  id: string,
  props: Props,
): Promise<{ readonly inputs: TotalTlsInputs; readonly state: TotalTlsState }> {
  const zoneId = parseTotalTlsId(id);
  if (zoneId === undefined)
    throw new RulesetsError(`${JSON.stringify(id)} is not a Total TLS id: write zones/<zoneId>/total-tls.`, {
      code: "CONFIG_INVALID",
    });
  const olds = props as unknown as Partial<TotalTlsState>;
  const present = await session.client.certificates.getTotalTls(zoneId);
  const { certificateAuthority } = present;
  const inputs: TotalTlsInputs = { zoneId, certificateAuthority, ...pick(olds, ["onDelete", "__urn"]) };
  return { inputs, state: stateFrom(inputs, present, olds.previousCertificateAuthority ?? certificateAuthority) };
}
