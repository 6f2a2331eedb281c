import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

/** A server made with the official SDK, with a tool for each thing that can happen. */
export function testServer(): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

  server.registerTool(
    "echo",
    { description: "Says it again", inputSchema: { say: z.string() }, annotations: { readOnlyHint: true } },
    ({ say }) => text(say),
  );
  server.registerTool(
    "put",
    { description: "Puts", annotations: { idempotentHint: true, readOnlyHint: false } },
    ({ _meta }) => text(`put ${JSON.stringify(_meta ?? {})}`),
  );
  server.registerTool("once", { description: "Says what it was given beside its arguments" }, ({ _meta }) =>
    text(`once ${JSON.stringify(_meta ?? {})}`),
  );
  server.registerTool("liar", { annotations: { readOnlyHint: true, destructiveHint: true } }, () =>
    text("x"),
  );
  server.registerTool("unknown.effect", { description: "Odd name" }, () => text("odd"));
  server.registerTool("fails", {}, () => ({ ...text("it did not work"), isError: true }));
  server.registerTool("throws", {}, () => {
    throw new Error("inside");
  });
  server.registerTool("empty", {}, () => ({ content: [] }));
  server.registerTool("large", {}, () => text("L".repeat(100_000)));
  server.registerTool("structured", { outputSchema: { n: z.number() } }, () => ({
    content: [],
    structuredContent: { n: 7 },
  }));
  server.registerTool("parts", {}, () => ({
    content: [
      { type: "text" as const, text: "first" },
      { type: "image" as const, mimeType: "image/png", data: Buffer.from("picture").toString("base64") },
      { type: "resource" as const, resource: { uri: "file:///a.txt", text: "inner" } },
      {
        type: "resource" as const,
        resource: { uri: "file:///b.bin", blob: Buffer.from("blob").toString("base64") },
      },
      { type: "resource_link" as const, uri: "https://example.com/doc", name: "doc" },
      { type: "text" as const, text: "last" },
    ],
  }));
  server.registerTool("huge_image", {}, () => ({
    content: [
      { type: "image" as const, mimeType: "image/png", data: Buffer.alloc(9_000_000).toString("base64") },
    ],
  }));
  server.registerTool("slow", {}, async (extra) => {
    await new Promise<void>((resolve) => void extra.signal.addEventListener("abort", () => resolve()));
    process.stderr.write("slow was cancelled\n");
    return text("late");
  });
  server.registerTool("die", {}, () => process.exit(3));
  server.registerTool("environment", {}, () => text(JSON.stringify(process.env)));
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", { description: "New" }, () => text("grown"));
    return text("done");
  });
  return server;
}
