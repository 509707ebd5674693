export { type Credentials } from "./auth.js";
export { systemClock, type Clock } from "./clock.js";
export { type Envelope } from "./envelope.js";
export { Limiter, type LimiterOptions, type Pace, type RunPace } from "./limiter.js";
export { formatDuration } from "../../core/model/words.js";
export { type Call } from "./call.js";
export { RATE_LIMIT_WAIT, Transport, type ObservedResponse, type TransportOptions } from "./transport.js";
