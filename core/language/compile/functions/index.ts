import { Unknown } from "../../value.js";
import { bitSlice, cidr, cidr6 } from "./address.js";
import { hasKey, hasValue } from "./collections.js";
import { decodeBase64, encodeBase64, sha256, urlDecode } from "./encoding.js";
import { isTimedHmacValid } from "./hmac.js";
import type { Implementation, Prepare } from "./implementation.js";
import { lookupJsonInteger, lookupJsonString } from "./json.js";
import { regexReplace, removeQueryArgs, wildcardReplace } from "./replace.js";
import {
  concat,
  endsWith,
  join,
  len,
  lower,
  removeBytes,
  split,
  startsWith,
  substring,
  toStringValue,
  upper,
} from "./text.js";

/** Functions by name. `coalesce` is not here because it evaluates its arguments one by one. */
const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  bit_slice: bitSlice,
  cidr,
  cidr6,
  concat,
  decode_base64: decodeBase64,
  encode_base64: encodeBase64,
  ends_with: endsWith,
  has_key: hasKey,
  has_value: hasValue,
  hash_in_range: unknowable("hash_in_range", "its hash is not public"),
  is_jwt_present: unknowable("is_jwt_present", "the token configuration is not available locally"),
  is_jwt_valid: unknowable("is_jwt_valid", "the token configuration is not available locally"),
  is_timed_hmac_valid_v0: isTimedHmacValid,
  join,
  len,
  lookup_json_integer: lookupJsonInteger,
  lookup_json_string: lookupJsonString,
  lower,
  remove_bytes: removeBytes,
  remove_query_args: removeQueryArgs,
  sha256,
  split,
  starts_with: startsWith,
  substring,
  to_string: toStringValue,
  upper,
  url_decode: urlDecode,
  uuidv4: unknowable("uuidv4", "it is random"),
};

const PREPARED: Readonly<Record<string, Prepare>> = { regex_replace: regexReplace, wildcard_replace: wildcardReplace };

/** The implementation of a function; for an unknown function, one that returns an unknown value. */
export function implementationOf(name: string): Prepare {
  const prepared = Object.hasOwn(PREPARED, name) ? PREPARED[name] : undefined;
  if (prepared !== undefined) return prepared;
  const implementation = Object.hasOwn(IMPLEMENTATIONS, name) ? IMPLEMENTATIONS[name] : undefined;
  return () => implementation ?? unknowable(name, "its behaviour is not known");
}

function unknowable(name: string, why: string): Implementation {
  const unknown = new Unknown([{ kind: "function", name, why }]);
  return () => unknown;
}
