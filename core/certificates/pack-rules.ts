import type { CertificatePack, TotalTls } from "../model/certificates.js";
import {
  affectedFrom,
  assessUnused,
  servedChain,
  NOT_AFFECTED,
  type CertificateKind,
  type Finding,
  type Assessment,
} from "./assessment.js";
import { RECOMMENDED_AUTHORITY } from "./authorities.js";
import { ifAffected, issuerBy } from "./issuer.js";
import type { ChainStage } from "./timeline.js";

type PackKind = Exclude<CertificateKind, "custom" | "customHostname">;

/** Packs of uploaded certificates: the list of uploaded certificates has more details about them. */
const UPLOADED = new Set(["mh_custom", "sni_custom", "legacy_custom", "keyless"]);

export function isUploadedPack({ type }: CertificatePack): boolean {
  return UPLOADED.has(type);
}

export function assessPack(pack: CertificatePack, stage: ChainStage): Finding {
  const { id, hosts, certificateAuthority, status } = pack;
  const kind = packKind(pack);
  const rule = ofAuthority(certificateAuthority, () => assessUnused(status) ?? RULES[kind](stage, pack));
  return { kind, id, name: hosts.join(", "), certificateAuthority, ...rule };
}

export function assessTotalTls({ enabled, certificateAuthority }: TotalTls, stage: ChainStage): Finding {
  const named = {
    kind: "totalTls",
    id: "total-tls",
    name: "the zone's Total TLS setting",
    certificateAuthority,
  } as const;
  if (!enabled) return { ...named, ...NOT_AFFECTED, what: "Total TLS is off." };
  return { ...named, ...ofAuthority(certificateAuthority, () => totalTlsRule(stage)) };
}

/** The rule of the affected authority, for certificates that it issues or may issue. */
function ofAuthority(authority: string, rule: () => Assessment): Assessment {
  const by = issuerBy(authority);
  if (by === "other") return NOT_AFFECTED;
  return by === "affected" ? rule() : ifAffected(rule(), "");
}

function packKind({ type }: CertificatePack): PackKind {
  if (type === "universal" || type === "advanced") return type;
  return type === "total_tls" ? "totalTls" : "other";
}

const RULES: Readonly<Record<PackKind, (stage: ChainStage, pack: CertificatePack) => Assessment>> = {
  universal: (stage) => ({
    verdict: "automatic",
    what:
      stage === "before"
        ? "The service switches it to a more compatible authority from June 2024 on."
        : "The service switches it to a more compatible authority automatically.",
    clients: "",
    email: "",
    action: "",
    calls: [],
  }),
  advanced: (stage, pack) => {
    const order = `POST /zones/<zone>/ssl/certificate_packs/order ${orderBody(pack)}`;
    const remove = "DELETE /zones/<zone>/ssl/certificate_packs/<id>";
    return {
      verdict: "watch",
      what: `Not switched by the service. ${servedChain(stage)}`,
      clients: affectedFrom(stage),
      email:
        "the owner, where the authority was chosen explicitly: which certificates use it, and whether their hostnames receive requests from affected clients",
      action: `The owner can order another one: ${order}; when it is active, ${remove}.`,
      calls: [order, remove],
    };
  },
  totalTls: totalTlsRule,
  other: (stage) => ({
    verdict: "watch",
    what: `The service documents no rule for this type. ${servedChain(stage)}`,
    clients: affectedFrom(stage),
    email: "",
    action: "The owner can check how this certificate is renewed.",
    calls: [],
  }),
};

/**
 * The complete body of an order, with the settings of the present pack (operation
 * `certificate-packs-order-advanced-certificate-manager-certificate-pack`).
 */
function orderBody({ hosts, validationMethod = "txt", validityDays = 90 }: CertificatePack): string {
  return JSON.stringify({
    type: "advanced",
    hosts,
    validation_method: validationMethod,
    validity_days: validityDays,
    certificate_authority: RECOMMENDED_AUTHORITY,
  });
}

function totalTlsRule(stage: ChainStage): Assessment {
  const body = JSON.stringify({ enabled: true, certificate_authority: RECOMMENDED_AUTHORITY });
  const call = `POST /zones/<zone>/acm/total_tls ${body}`;
  return {
    verdict: "watch",
    what: `Not changed by the service. ${servedChain(stage)}`,
    clients: affectedFrom(stage),
    email: "",
    action: `The owner can select another authority for Total TLS: TotalTlsCa { certificateAuthority: "${RECOMMENDED_AUTHORITY}" }, or ${call}.`,
    calls: [call],
  };
}
