// The one function that a turn calls: as a tool of a user's module, and by the bare loop directly.
export function stockOf(part: number): { part: number; count: number } {
  return { part, count: part * 6 };
}

export default [
  {
    name: "stock_of",
    description: "How many of a part there are in stock.",
    parameters: {
      type: "object",
      properties: { part: { type: "integer", minimum: 1, description: "The number of the part." } },
      required: ["part"],
      additionalProperties: false,
    },
    access: "read",
    effect: "none",
    parallel: true,
    run: ({ part }: { part: number }) => stockOf(part),
  },
];
