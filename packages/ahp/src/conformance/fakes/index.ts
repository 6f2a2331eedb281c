import type { TransportName } from "../transports.ts";
import type { Fake } from "./fake.ts";
import { httpFake } from "./http-fake.ts";
import { inProcessFake } from "./in-process-fake.ts";
import { stdioFake, unixFake } from "./line-fakes.ts";
import { websocketFake } from "./websocket-fake.ts";

export const FAKES: Record<TransportName, () => Promise<Fake>> = {
  "in-process": inProcessFake,
  stdio: stdioFake,
  unix: unixFake,
  http: httpFake,
  websocket: websocketFake,
};
