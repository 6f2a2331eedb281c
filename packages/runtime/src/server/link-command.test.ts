import { expect, test } from "vitest";
import { linkCommandOf } from "./link-command.ts";

const linkCommand = "/opt/node /srv/fairlead/main.ts link --data /srv/data";

test("how it was started is said where only this machine can ask", () => {
  expect(linkCommandOf({ host: "127.0.0.1", linkCommand })).toBe(linkCommand);
  expect(linkCommandOf({ host: "127.0.0.1" })).toBe("npm run fairlead -- link");
});

test.each([
  { host: "0.0.0.0" },
  { host: "127.0.0.1", secure: true },
  { host: "127.0.0.1", allowHosts: ["agents.example"] },
])("and to nobody from elsewhere: %o", (reached) => {
  expect(linkCommandOf({ ...reached, linkCommand })).toBe("npm run fairlead -- link");
});
