import pLimit from "p-limit";
import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import { assessChain, type ZoneCertificates } from "../../../core/certificates/assess.js";
import { findApplicableCaa, type ResolveCaa } from "../../../core/certificates/authorities.js";
import { dependsOnCaa, type AssessableHostname } from "../../../core/certificates/hostname-rules.js";
import type { Client, Zone } from "../../../client/index.js";
import { ApiError, isInaccessible } from "../../../core/model/errors.js";
import type { Unread } from "../../../core/model/unread.js";
import type { Verdict } from "./words.js";

/** What the chain change means for a zone. */
export interface ZoneFindings {
  /** How many certificates there are of each verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The affected certificates. */
  readonly entries: readonly ChainAssessment[];
  readonly unaffected: readonly ChainAssessment[];
  /** Parts that could not be read, and why. */
  readonly unread: readonly UnreadPart[];
}

export interface UnreadPart extends Unread {
  readonly what: string;
  readonly reason: string;
}

/** The parts of a zone that are read: packs, Total TLS, custom certificates and custom hostnames. */
const PARTS = 4;

/** Hostnames whose CAA records are looked up at once. */
const PARALLEL_LOOKUPS = 20;

/** Where certificates and CAA records are read. */
interface Sources {
  readonly client: Client;
  readonly resolveCaa: ResolveCaa;
}

/**
 * Reads and assesses a zone page by page. Throws if the plan or the credentials exclude every part of the zone: then nothing was
 * assessed.
 */
export async function collectFindings({ client, resolveCaa }: Sources, { id }: Zone, at: Date): Promise<ZoneFindings> {
  const limit = pLimit(PARALLEL_LOOKUPS);
  const withCaa = async (hostname: AssessableHostname): Promise<AssessableHostname> =>
    dependsOnCaa(hostname)
      ? { ...hostname, caa: await limit(() => findApplicableCaa(hostname.hostname, resolveCaa)) }
      : hostname;
  const counts: Record<Verdict, number> = { act: 0, watch: 0, automatic: 0, none: 0 };
  const entries: ChainAssessment[] = [];
  const unaffected: ChainAssessment[] = [];
  const unread: UnreadPart[] = [];
  const failed: string[] = [];
  const add = (certificates: ZoneCertificates): void => {
    for (const assessment of assessChain({ ...certificates, zoneId: id }, at)) {
      counts[assessment.verdict] += 1;
      (assessment.verdict === "none" ? unaffected : entries).push(assessment);
    }
  };
  /** If one part of a zone cannot be read, the others still are. */
  const part = async (what: string, read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      unread.push({ what, reason: error.message, ...(isInaccessible(error) ? { isForbidden: true } : {}) });
    }
  };
  await part("certificate packs", async () => {
    add({ packs: await client.certificates.listPacks(id) });
  });
  await part("Total TLS", async () => {
    add({ totalTls: await client.certificates.getTotalTls(id) });
  });
  await part("custom certificates", async () => {
    add({ customCertificates: await client.certificates.listCustomCertificates(id) });
  });
  await part("custom hostnames", async () => {
    for await (const page of client.customHostnames.pages(id)) {
      const hostnames = await Promise.all(page.map(withCaa));
      add({ customHostnames: hostnames });
      failed.push(...hostnames.flatMap(({ caa }) => (caa?.kind === "failed" ? [`${caa.name} (${caa.reason})`] : [])));
    }
  });
  const [first] = unread;
  if (first !== undefined && unread.length === PARTS) throw new Error(`no part of it could be read: ${first.reason}`);
  const names = [...new Set(failed)];
  if (names.length > 0) unread.push({ what: "CAA records", reason: names.join(", ") });
  return { counts, entries, unaffected, unread };
}
