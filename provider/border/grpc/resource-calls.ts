import type * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty, fromStruct, Messages, toStruct } from "./grpc.js";
import type { Plugin } from "./plugin.js";
import { parseUrn } from "./resource-urn.js";

/** The calls of the engine about single resources, from and to its messages. */
export class ResourceCalls {
  constructor(private readonly plugin: () => Plugin) {}

  async check(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const olds = fromStruct(request.getOlds());
    const { inputs, reasons } = await this.plugin().check(
      parseUrn(request.getUrn()),
      olds,
      fromStruct(request.getNews()),
    );
    const response = new Messages.CheckResponse();
    response.setInputs(toStruct(inputs));
    response.setFailuresList(
      reasons.map((reason) => {
        // The path is in the reason: the engine prints the value of a named property, even if it is a secret.
        const failure = new Messages.CheckFailure();
        failure.setReason(reason);
        return failure;
      }),
    );
    return response;
  }

  async diff(request: pb.DiffRequest): Promise<pb.DiffResponse> {
    const answer = await this.plugin().diff(parseUrn(request.getUrn()), request.getId(), {
      state: fromStruct(request.getOlds()),
      oldInputs: () => fromStruct(request.getOldInputs()),
      news: fromStruct(request.getNews()),
      ignoreChanges: request.getIgnorechangesList(),
    });
    const response = new Messages.DiffResponse();
    const { DiffChanges } = Messages.DiffResponse;
    response.setChanges(answer.changes ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE);
    response.setReplacesList([...answer.replaces]);
    response.setDeletebeforereplace(answer.deletesFirst);
    response.setStablesList([...answer.stables]);
    if (!answer.changes) return response;
    response.setHasdetaileddiff(true);
    response.setDiffsList([...answer.names]);
    const { Kind } = Messages.PropertyDiff;
    const kinds = {
      add: [Kind.ADD, Kind.ADD_REPLACE],
      delete: [Kind.DELETE, Kind.DELETE_REPLACE],
      update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
    } as const;
    for (const [path, change] of Object.entries(answer.detailed)) {
      const property = new Messages.PropertyDiff();
      property.setKind(kinds[change][answer.replaces.includes(path) ? 1 : 0]);
      // The engine finds old and new values in the inputs.
      property.setInputdiff(true);
      response.getDetaileddiffMap().set(path, property);
    }
    return response;
  }

  async create(request: pb.CreateRequest): Promise<pb.CreateResponse> {
    const inputs = fromStruct(request.getProperties());
    const { id, state } = await this.plugin().create(parseUrn(request.getUrn()), inputs, {
      preview: request.getPreview(),
      timeout: request.getTimeout(),
    });
    const response = new Messages.CreateResponse();
    response.setId(id);
    response.setProperties(toStruct(state));
    return response;
  }

  async read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    const state = fromStruct(request.getProperties());
    const { found } = await this.plugin().read(parseUrn(request.getUrn()), request.getId(), state);
    const response = new Messages.ReadResponse();
    // Without an ID, the engine removes the resource from the state.
    if (found === undefined) return response;
    response.setId(found.id);
    response.setProperties(toStruct(found.state));
    if (found.inputs !== undefined) response.setInputs(toStruct(found.inputs));
    return response;
  }

  async update(request: pb.UpdateRequest): Promise<pb.UpdateResponse> {
    const [state, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
    const options = { preview: request.getPreview(), timeout: request.getTimeout() };
    const updated = await this.plugin().update(parseUrn(request.getUrn()), request.getId(), state, news, options);
    const response = new Messages.UpdateResponse();
    response.setProperties(toStruct(updated));
    return response;
  }

  async delete(request: pb.DeleteRequest): Promise<InstanceType<typeof Empty>> {
    const state = fromStruct(request.getProperties());
    await this.plugin().delete(parseUrn(request.getUrn()), request.getId(), state, request.getTimeout());
    return new Empty();
  }
}
