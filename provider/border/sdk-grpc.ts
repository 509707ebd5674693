import { createRequire } from "node:module";

/** gRPC as `@pulumi/pulumi` has it among its own dependencies, where only the SDK can find it. */
export = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
