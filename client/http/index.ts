export { type Credentials } from "./auth.js";
export { systemClock, type Clock } from "./clock.js";
export { type Envelope } from "./envelope.js";
export { Limiter, type LimiterOptions } from "./limiter.js";
export { type Call } from "./call.js";
export { Transport, type ObservedResponse, type TransportOptions } from "./transport.js";
