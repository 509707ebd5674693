import { Session, type SessionOptions } from "../../provider/engine/session.js";

/** A session that sends no request and reports nothing. */
export const offlineSession = (options: Partial<SessionOptions> = {}): Session =>
  new Session({
    client: () => {
      throw new Error("no request is expected");
    },
    reporter: { info: () => undefined, warn: () => undefined, status: () => undefined },
    ...options,
  });
