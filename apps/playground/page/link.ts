import { readState, type PageState } from "../answers/page-state.js";

/** The form of links. A later one has another number, so that old links stay readable. */
const FORM = "1.";

/** The part of a link after `#`. Browsers send it to no server. */
export async function linkOf(state: PageState): Promise<string> {
  const packed = await pipe(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `#${FORM}${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** What a link holds; undefined if it holds no state of the page. @throws Error if the link is damaged */
export async function stateOfLink(hash: string): Promise<PageState | undefined> {
  if (!hash.startsWith(`#${FORM}`)) return undefined;
  const text = atob(
    hash
      .slice(FORM.length + 1)
      .replaceAll("-", "+")
      .replaceAll("_", "/"),
  );
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const plain = await pipe(bytes, new DecompressionStream("deflate-raw"));
  return readState(JSON.parse(new TextDecoder().decode(plain)));
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
