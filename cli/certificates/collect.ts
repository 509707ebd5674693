import type { ChainAssessment } from "../../provider/chain/assessment.js";
import { assessCertificateChain, type ZoneCertificates } from "../../provider/chain/assess.js";
import type { Client, Zone } from "../../provider/client/index.js";
import { isClosed } from "../../provider/model/errors.js";
import type { Verdict } from "./words.js";

/** What the chain change means for a zone. */
export interface ZoneFindings {
  /** How many certificates there are of each verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Those that are affected. */
  readonly entries: readonly ChainAssessment[];
  /** Parts that could not be read, and why. */
  readonly unread: readonly string[];
}

/** A zone is asked for packs, Total TLS, custom certificates and custom hostnames. */
export const PARTS = 4;

/** Reads a zone and assesses it page by page: of what is not affected only the count is kept. */
export async function collect(client: Client, { id }: Zone, at: Date): Promise<ZoneFindings> {
  const counts: Record<Verdict, number> = { act: 0, watch: 0, automatic: 0, none: 0 };
  const entries: ChainAssessment[] = [];
  const unread: string[] = [];
  const add = (certificates: ZoneCertificates): void => {
    for (const assessment of assessCertificateChain({ ...certificates, zoneId: id }, at)) {
      counts[assessment.verdict] += 1;
      if (assessment.verdict !== "none") entries.push(assessment);
    }
  };
  /** A part of a zone that the plan or the token leaves out hides no other. */
  const part = async (name: string, read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!isClosed(error)) throw error;
      unread.push(`${name}: ${error.message}`);
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
    for await (const page of client.customHostnames.pages(id)) add({ customHostnames: page });
  });
  return { counts, entries, unread };
}
