// A stand-in for the plugin of @pulumi/cloudflare. Like that one, it identifies rulesets by bare IDs and stores the rules as the
// service returns them. A delete really deletes, so that a test notices one. Of zones, it only shows in previews that they will be
// created.
const { createRequire } = require("node:module");
const pulumi = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = pulumi("@grpc/grpc-js");
const { Struct } = pulumi("google-protobuf/google/protobuf/struct_pb.js");
const { Empty } = pulumi("google-protobuf/google/protobuf/empty_pb.js");
const service = pulumi("@pulumi/pulumi/proto/provider_grpc_pb.js").ResourceProviderService;
const messages = pulumi("@pulumi/pulumi/proto/provider_pb.js");
const plugin = pulumi("@pulumi/pulumi/proto/plugin_pb.js");

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const rename = (value, naming) => {
  if (Array.isArray(value)) return value.map((item) => rename(item, naming));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [naming(key), rename(item, naming)]));
};

async function call(method, path, body) {
  const answer = await fetch(`${process.env.RULESETS_TEST_URL}${path}`, {
    method,
    headers: { Authorization: "Bearer cloudflare-token-0123456789", "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text === "" ? undefined : JSON.parse(text).result;
}

function outputs(inputs, ruleset) {
  const rules = ruleset.rules.map(({ version: _version, last_updated: _updated, ...rule }) => rename(rule, camel));
  return { ...inputs, rules, version: ruleset.version, lastUpdated: ruleset.last_updated, __defaults: [] };
}

const handlers = {
  checkConfig: (request, reply) => {
    reply.setInputs(request.getNews());
  },
  diffConfig: () => undefined,
  configure: (_request, reply) => {
    reply.setAcceptsecrets(false);
    reply.setSupportspreview(true);
  },
  check: (request, reply) => {
    reply.setInputs(Struct.fromJavaScript({ ...request.getNews().toJavaScript(), __defaults: [] }));
  },
  diff: () => undefined,
  create: async (request, reply) => {
    const inputs = request.getProperties().toJavaScript();
    if (request.getPreview()) {
      reply.setProperties(Struct.fromJavaScript(inputs));
      return;
    }
    const { zoneId, __defaults, ...body } = inputs;
    const ruleset = await call("POST", `/zones/${zoneId}/rulesets`, rename(body, snake));
    reply.setId(ruleset.id);
    reply.setProperties(Struct.fromJavaScript(outputs(inputs, ruleset)));
  },
  read: (request, reply) => {
    reply.setId(request.getId());
    reply.setProperties(request.getProperties());
    reply.setInputs(request.getInputs());
  },
  delete: async (request) => {
    const { zoneId } = request.getProperties().toJavaScript();
    await call("DELETE", `/zones/${zoneId}/rulesets/${request.getId()}`);
  },
  getSchema: (_request, reply) => {
    const properties = {
      name: { type: "string" },
      account: { type: "object", additionalProperties: { type: "string" } },
    };
    const zone = { properties, inputProperties: properties, requiredInputs: ["name"] };
    reply.setSchema(
      JSON.stringify({ name: "cloudflare", version: "6.22.1", resources: { "cloudflare:index/zone:Zone": zone } }),
    );
  },
  getPluginInfo: (_request, reply) => {
    reply.setVersion("6.22.1");
  },
};
const replies = {
  checkConfig: messages.CheckResponse,
  diffConfig: messages.DiffResponse,
  configure: messages.ConfigureResponse,
  check: messages.CheckResponse,
  diff: messages.DiffResponse,
  create: messages.CreateResponse,
  read: messages.ReadResponse,
  delete: Empty,
  getSchema: messages.GetSchemaResponse,
  getPluginInfo: plugin.PluginInfo,
};

const methods = Object.fromEntries(
  Object.keys(service).map((name) => [
    name,
    async ({ request }, callback) => {
      const handler = handlers[name];
      if (handler === undefined) {
        callback({ code: grpc.status.UNIMPLEMENTED, details: name });
        return;
      }
      try {
        const reply = new replies[name]();
        await handler(request, reply);
        callback(undefined, reply);
      } catch (error) {
        callback({ code: grpc.status.UNKNOWN, details: error.message });
      }
    },
  ]),
);

const server = new grpc.Server();
server.addService(service, methods);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_error, port) => {
  process.stdout.write(`${String(port)}\n`);
});
