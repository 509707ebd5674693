/** A zone that exists in the emulator alone. */
export const DEFAULT_ZONE = "shop.example.com";

/** The default first. */
export const LANGUAGES = ["typescript", "python", "go", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The default first. */
export const PIPELINES = ["github", "gitlab", "none"] as const;
export type Pipeline = (typeof PIPELINES)[number];
