import { call } from "./house.ts";
import { hostile } from "./suite.ts";

hostile("the name of a file", {
  place: ({ home }, text) => void home.put(text.replaceAll("/", "∕"), ""),
  look: call("list_files", {}),
});
