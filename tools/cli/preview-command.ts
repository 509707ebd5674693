/** The file that {@link PREVIEW_COMMAND} writes. */
export const PREVIEW_FILE = "preview.json";

/** Writes the preview of a stack with all its resources. */
export const PREVIEW_COMMAND = `pulumi preview --json --show-sames > ${PREVIEW_FILE}`;
