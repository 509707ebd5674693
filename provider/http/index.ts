export { type Credentials } from "./auth.js";
export { type Clock } from "./clock.js";
export { type Envelope } from "./envelope.js";
export { Gate } from "./gate.js";
export { Limiter, type LimiterOptions, type Pace } from "./limiter.js";
export { formatDuration, formatNumber } from "./format.js";
export { type Call } from "./call.js";
export { Transport, type AnswerSeen, type TransportOptions } from "./transport.js";
