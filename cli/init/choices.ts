/** A zone that exists in the emulator alone. */
export const DEFAULT_ZONE = "shop.example.com";

/** Languages whose programs need nothing but npm; the default first. */
export const LANGUAGES = ["typescript", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The default first. */
export const PIPELINES = ["github", "gitlab", "none"] as const;
export type Pipeline = (typeof PIPELINES)[number];
