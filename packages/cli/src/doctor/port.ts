import { createServer } from "node:net";
import { answers, servedBy } from "../connect.ts";
import { type Check, fail, ok, warn } from "./finding.ts";

/** Could a server listen where it would, or does ours already? */
export const checkPort: Check = async ({ host, place, address, port }) => {
  const name = "port";
  const url = `http://${address}:${port}`;
  const problem = await tryPort(address, port);
  if (problem === undefined) return [ok(name, `${port} is free`)];
  if (problem !== "EADDRINUSE")
    return [fail(name, `${port} cannot be used: ${problem}`, "Choose another with --port, above 1023.")];
  const ours = await servedBy(place).catch(() => undefined);
  if (ours !== undefined && new URL(ours.url).port === String(port))
    return [ok(name, `${port} is served by this installation`)];
  const who = (await answers(url)) ? "a Fairlead server of other data" : "another program";
  const mend = `Start with another: ${host.self} serve --port 0`;
  return [
    ours === undefined
      ? fail(name, `${port} is taken by ${who}`, mend)
      : warn(name, `${port} is taken by ${who}; this data is served at ${ours.url}`, mend),
  ];
};

/** The system's code for why not; undefined when it can be had. */
function tryPort(address: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
