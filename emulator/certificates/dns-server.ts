import { createSocket, type Socket } from "node:dgram";
import { promisify } from "node:util";

/** The authorities that the CAA records of a name allow; undefined if it has none. */
export type CaaOf = (name: string) => readonly string[] | undefined;

const HEADER_BYTES = 12;
const CAA = 257;
const INTERNET = 1;
/** An authoritative response without an error; recursion is available. */
const RESPONSE = 0x84_80;
const RECURSION_DESIRED = 0x01_00;
/** Points to the name in the question. */
const NAME_POINTER = 0xc0_0c;

/** The response to a DNS query (RFC 1035, RFC 8659): CAA records, and no record of any other type. */
function dnsResponse(query: Buffer, caaOf: CaaOf): Buffer | undefined {
  const question = questionOf(query);
  if (question === undefined) return undefined;
  const { name, type, end } = question;
  const records = type === CAA ? (caaOf(name) ?? undefined) : undefined;
  // An empty list forbids every authority.
  const values = records?.length === 0 ? [";"] : (records ?? []);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(RESPONSE | (query.readUInt16BE(2) & RECURSION_DESIRED), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...values.map(issueRecord)]);
}

/** The only question of a query; undefined for anything else. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } | undefined {
  if (query.length < HEADER_BYTES || query.readUInt16BE(4) !== 1 || (query.readUInt16BE(2) & 0x80_00) !== 0)
    return undefined;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  if (end > query.length) return undefined;
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end };
}

function issueRecord(authority: string): Buffer {
  const [tag, value] = [Buffer.from("issue"), Buffer.from(authority)];
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(NAME_POINTER, 0);
  head.writeUInt16BE(CAA, 2);
  head.writeUInt16BE(INTERNET, 4);
  head.writeUInt16BE(2 + tag.length + value.length, 10);
  return Buffer.concat([head, Buffer.from([0, tag.length]), tag, value]);
}

/** Answers DNS queries at an address over UDP. */
export async function serveDns(
  caaOf: CaaOf,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Socket> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", (query, { port: to, address }) => {
    const response = dnsResponse(query, caaOf);
    if (response !== undefined) socket.send(response, to, address);
  });
  await bind(socket, port, host);
  return socket;
}

function bind(socket: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, host, () => {
      socket.removeListener("error", reject);
      resolve();
    });
  });
}

/** The address of a socket, as DNS clients take it. */
export function addressOf(socket: Socket): string {
  const { address, port } = socket.address();
  return address.includes(":") ? `[${address}]:${String(port)}` : `${address}:${String(port)}`;
}

export function closeDns(socket: Socket): Promise<void> {
  return promisify(socket.close.bind(socket))();
}
