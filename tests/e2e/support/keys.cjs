// Serves Pulumi the keys for the secrets of stacks, like Vault's transit engine. With a passphrase instead, every command would
// derive its key in a million rounds of SHA-256, a seventh of the time of an operation on a small stack.
const { createCipheriv, randomBytes } = require("node:crypto");
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");

const PROVIDER = "hashivault://stacks";
const PREFIX = "vault:v1:";

const operations = {
  encrypt: ({ plaintext }) => ({ ciphertext: PREFIX + plaintext }),
  decrypt: ({ ciphertext }) => ({ plaintext: ciphertext.slice(PREFIX.length) }),
};

/** Serves keys as long as this process lives. Returns the variables that Pulumi needs to find them, and what `--secrets-provider` is. */
async function serveKeys() {
  const server = createServer(async (request, response) => {
    const operation = operations[/^\/v1\/transit\/(\w+)\/stacks$/.exec(request.url)?.[1]];
    response.writeHead(operation === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ data: operation?.(await json(request)) }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const url = `http://127.0.0.1:${String(server.address().port)}`;
  return { VAULT_SERVER_URL: url, VAULT_SERVER_TOKEN: "test", E2E_SECRETS_PROVIDER: PROVIDER };
}

/** Encrypts a value with the key in a stack's settings, as `pulumi config set --secret` does. */
function encryptSecret(value, encryptedKey) {
  const key = Buffer.from(Buffer.from(encryptedKey, "base64").toString().slice(PREFIX.length), "base64");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const encrypted = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { secure: ["v1", nonce.toString("base64"), encrypted.toString("base64")].join(":") };
}

module.exports = { serveKeys, encryptSecret };
