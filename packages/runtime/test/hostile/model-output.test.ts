import { hostile } from "./suite.ts";

hostile("the output of a model", { place: () => {}, look: undefined });
