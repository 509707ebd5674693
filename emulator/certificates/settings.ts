import type { Body } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import { checkFallback, checkTotalTls, checkUniversal } from "./bodies.js";
import type { StoredCertificates } from "./stored.js";

/** The settings that a zone has once: Total TLS, Universal SSL and the fallback origin. */
export class CertificateSettingsService {
  constructor(
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  totalTls(zone: string): object {
    const { totalTls } = this.stored.get(zone);
    return { ...totalTls, validity_period: 90, status: totalTls.enabled ? "enabled" : "disabled" };
  }
  setTotalTls(zone: string, sent: Body): object {
    const change = checkTotalTls(sent) as { enabled: boolean; certificate_authority?: string };
    this.stored.change(zone, { totalTls: { ...this.stored.get(zone).totalTls, ...change } });
    return this.totalTls(zone);
  }

  universal(zone: string): object {
    return { enabled: this.stored.get(zone).universalEnabled };
  }
  setUniversal(zone: string, sent: Body): object {
    const { enabled } = checkUniversal(sent) as { enabled?: boolean };
    if (enabled !== undefined) this.stored.change(zone, { universalEnabled: enabled });
    return this.universal(zone);
  }

  fallbackOrigin(zone: string): object {
    const { fallbackOrigin } = this.stored.get(zone);
    if (fallbackOrigin === undefined) throw refuse(404, 1551, "No fallback origin is set");
    return fallbackOrigin;
  }
  setFallbackOrigin(zone: string, sent: Body): object {
    const { origin } = checkFallback(sent);
    const now = this.clock.timestamp();
    this.stored.change(zone, { fallbackOrigin: { origin, status: "active", created_at: now, updated_at: now } });
    return this.fallbackOrigin(zone);
  }
  deleteFallbackOrigin(zone: string): object {
    const gone = this.fallbackOrigin(zone);
    this.stored.change(zone, { fallbackOrigin: undefined });
    return { ...gone, status: "pending_deletion" };
  }
}
