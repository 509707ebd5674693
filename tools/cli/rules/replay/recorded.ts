import type { HttpRequest } from "../../../../core/language/index.js";
import { requestWith, type Defaults } from "./defaults.js";
import type { RecordedRequest } from "./request-log.js";

/** How recorded requests are made. */
export interface MakeOptions {
  readonly defaults: Defaults;
  /** Whether any rule is about a share of the requests. */
  readonly draws: boolean;
}

/**
 * Makes a request of a recorded one.
 * @throws TypeError if there is no such request
 */
export function requestOf(recorded: RecordedRequest, { defaults, draws }: MakeOptions): HttpRequest {
  // The log does not say which requests a share of them contains.
  const input = draws ? { ...recorded.request, draw: placeOf(recorded) } : recorded.request;
  return requestWith(defaults, input);
}

/**
 * A number from 0 to below 1 that is as good as random, and the same wherever and in whatever order a recorded request is read. It
 * depends on the request's Ray ID, or on its time, client, method and URL.
 */
export function placeOf({ id, at, request }: RecordedRequest): number {
  return placeOfText(id ?? `${String(at)} ${request.ip ?? ""} ${request.method ?? ""} ${String(request.url)}`);
}

/** Two hashes of 32 bits (FNV-1a with different starts, and the last step of MurmurHash3), as a fraction of 53 bits. */
function placeOfText(text: string): number {
  let [a, b] = [0x81_1c_9d_c5, 0x2f_0b_44_93];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01_00_01_93);
    b = Math.imul(b ^ code, 0x01_00_01_93);
  }
  return ((mixed(a) >>> 5) * 0x4_00_00_00 + (mixed(b) >>> 6)) / 2 ** 53;
}

function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85_eb_ca_6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}
