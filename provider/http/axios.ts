import { createRequire } from "node:module";
import type { AxiosStatic } from "axios";

const load = createRequire(__filename);

/** Axios, loaded with the first request: most runs of most resources change nothing and send none. */
export function loadAxios(): AxiosStatic {
  return load("axios") as AxiosStatic;
}
