// Keeps the data keys of stacks, as Vault's transit engine does for Pulumi. With a passphrase every command of Pulumi
// derives its key anew, a million rounds of SHA-256, which is a seventh of all that an operation on a small stack takes.
const { createCipheriv, randomBytes } = require("node:crypto");
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");

/** What `--secrets-provider` says. */
const PROVIDER = "hashivault://stacks";
const PREFIX = "vault:v1:";

const operations = {
  encrypt: ({ plaintext }) => ({ ciphertext: PREFIX + plaintext }),
  decrypt: ({ ciphertext }) => ({ plaintext: ciphertext.slice(PREFIX.length) }),
};

/** Serves keys until `close`; `env` is what Pulumi has to know of it. */
async function serveKeys() {
  const server = createServer(async (request, response) => {
    const operation = operations[/^\/v1\/transit\/(\w+)\/stacks$/.exec(request.url)?.[1]];
    response.writeHead(operation === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ data: operation?.(await json(request)) }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = { VAULT_SERVER_URL: `http://127.0.0.1:${String(server.address().port)}`, VAULT_SERVER_TOKEN: "test" };
  return { env, close: () => server.close() };
}

/** What `pulumi config set --secret` writes for a value, under the key of a stack's settings. */
function seal(value, encryptedKey) {
  const key = Buffer.from(Buffer.from(encryptedKey, "base64").toString().slice(PREFIX.length), "base64");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { secure: ["v1", nonce.toString("base64"), sealed.toString("base64")].join(":") };
}

module.exports = { PROVIDER, serveKeys, seal };
