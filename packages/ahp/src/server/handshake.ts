import { z } from "zod";

import type { Awaitable } from "../awaitable.ts";
import { andThen } from "../awaitable.ts";
import { check } from "../protocol/check.ts";
import { AhpError } from "../protocol/errors.ts";
import type { HandshakeResult } from "../protocol/methods.ts";
import { HandshakeParams } from "../protocol/methods.ts";
import { isCompatible, PROTOCOL_VERSION } from "../protocol/version.ts";
import { runHandler } from "./guard.ts";
import type { Call, Handlers } from "./handlers.ts";

const Granted = z.object({ session_token: z.string().optional() }).optional();

/** A greeting that can be answered: well formed, and of our major version. */
export function readHandshake(params: unknown): HandshakeParams | AhpError {
  const hello = check(HandshakeParams, params, "invalid_params", "Invalid handshake");
  if (hello instanceof AhpError || isCompatible(hello.protocol_version)) return hello;
  const message = `Protocol version ${hello.protocol_version} is not compatible with ${PROTOCOL_VERSION}`;
  return new AhpError("version_mismatch", message);
}

/** Lets the harness see the greeting, then answers with what it offers. */
export function askHandshake<C>(
  hello: HandshakeParams,
  offer: HandshakeResult,
  handlers: Handlers<C>,
  call: Call<C>,
): Awaitable<HandshakeResult | AhpError> {
  const { handshake } = handlers;
  if (handshake === undefined) return offer;
  return andThen(
    runHandler(() => handshake(hello, call), Granted),
    (granted) => (granted instanceof AhpError ? granted : { ...offer, ...granted }),
  );
}
