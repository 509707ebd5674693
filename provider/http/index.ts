export { type Credentials } from "./auth.js";
export { type Clock } from "./clock.js";
export { type Envelope } from "./envelope.js";
export { Limiter, type LimiterOptions } from "./limiter.js";
export { redact } from "./redact.js";
export { Transport, type Call, type TransportOptions } from "./transport.js";
