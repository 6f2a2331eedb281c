import { AhpError } from "../protocol/errors.ts";

/** The protocol reserves gRPC and does not say how it works; asking for it fails, clearly. */
export function grpc(): never {
  throw new AhpError("transport_unsupported", "gRPC is reserved in AHP 2.4 and not specified yet");
}
