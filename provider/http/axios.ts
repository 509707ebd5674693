import { createRequire } from "node:module";
import type { AxiosStatic } from "axios";

const load = createRequire(__filename);

/** Loads axios with the first request: most resources do not change in most runs, and then send no request. */
export function loadAxios(): AxiosStatic {
  return load("axios") as AxiosStatic;
}
