import { call } from "./house.ts";
import { hostile } from "./suite.ts";

hostile("the content of a file", {
  place: ({ home }, text) => void home.put("README.md", text),
  look: call("read_file", { path: "README.md" }),
});
