import { eventLogContract } from "../src/ports/event-log.contract/index.ts";
import { memory, postgres, sqlite } from "./stores.ts";

for (const kind of [memory, sqlite, postgres]) eventLogContract(kind);
