// Serves Pulumi the keys for the secrets of stacks, like Vault's transit engine. With a passphrase instead, every command would
// derive its key in a million rounds of SHA-256, a seventh of the time of an operation on a small stack.
const { createCipheriv, randomBytes } = require("node:crypto");
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");

/** The value for `--secrets-provider`. */
const PROVIDER = "hashivault://stacks";
const PREFIX = "vault:v1:";

const operations = {
  encrypt: ({ plaintext }) => ({ ciphertext: PREFIX + plaintext }),
  decrypt: ({ ciphertext }) => ({ plaintext: ciphertext.slice(PREFIX.length) }),
};

/** Serves keys until `close`. Pulumi needs the variables in `env` to find it. */
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

/** Encrypts a value with the key in a stack's settings, as `pulumi config set --secret` does. */
function encryptSecret(value, encryptedKey) {
  const key = Buffer.from(Buffer.from(encryptedKey, "base64").toString().slice(PREFIX.length), "base64");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const encrypted = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { secure: ["v1", nonce.toString("base64"), encrypted.toString("base64")].join(":") };
}

module.exports = { PROVIDER, serveKeys, encryptSecret };
