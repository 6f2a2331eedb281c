import { eventLogContract } from "../src/ports/event-log.contract/index.ts";
import { memory, sqlite } from "./stores.ts";

for (const kind of [memory, sqlite]) eventLogContract(kind);
