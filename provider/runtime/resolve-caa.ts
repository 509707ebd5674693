import { Resolver } from "node:dns/promises";
import type { ResolveCaa } from "../certificates/authorities.js";

const TIMEOUT_MS = 2000;

/** CAA records by the machine's own resolver, asked once and not for long: a preview does not hang on DNS. */
export const resolveCaa: ResolveCaa = async (name) => {
  try {
    return await new Resolver({ timeout: TIMEOUT_MS, tries: 1 }).resolveCaa(name);
  } catch (error) {
    // No records is an answer; anything else is none.
    if ((error as NodeJS.ErrnoException).code === "ENODATA" || (error as NodeJS.ErrnoException).code === "ENOTFOUND")
      return [];
    throw error;
  }
};
