import { z } from "zod";

export const Fact = z.object({ content: z.string(), source: z.string(), confidence: z.number() });
export type Fact = z.infer<typeof Fact>;
