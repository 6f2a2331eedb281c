import type { ClientChecks } from "../client-trial.ts";
import { answers } from "./answers.ts";
import { lifecycle } from "./lifecycle.ts";
import { transport } from "./transport.ts";
import { writing } from "./writing.ts";

export const CLIENT_CHECKS: ClientChecks = { ...lifecycle, ...answers, ...writing, ...transport };
