import { Agent, type IncomingMessage, request } from "node:http";
import { stockOf } from "./stock-tool.ts";

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly {
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments: string };
      }[];
    };
  }[];
}

interface Answer {
  text: string;
  call: { id: string; name: string; arguments: string } | undefined;
}

/** What goes over the wire for one request, as it was recorded of ours. */
export type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };

/** The bare loop: the same calls over HTTP and one function call, with no framework and nothing durable. */
export interface Raw {
  /** Resolves to the text of the answer. `heard` is told of the first words. */
  turn(body: Body, heard?: () => void): Promise<string>;
  close(): void;
}

export function openRaw(url: string, path: string): Raw {
  const agent = new Agent({ keepAlive: true });
  const target = new URL(path, url);

  async function ask(body: Body, heard?: () => void): Promise<Answer> {
    const text = JSON.stringify(body);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(target, { method: "POST", agent, headers }, resolve).on("error", reject).end(text);
    });
    if (response.statusCode !== 200) throw new Error(`the model answered ${response.statusCode}`);
    response.setEncoding("utf8");
    const answer: Answer = { text: "", call: undefined };
    let rest = "";
    await new Promise<void>((resolve, reject) => {
      response.on("error", reject).on("end", resolve);
      response.on("data", (some: string) => {
        const lines = (rest + some).split("\n\n");
        rest = lines.pop() ?? "";
        for (const line of lines)
          if (line !== "data: [DONE]") take(answer, JSON.parse(line.slice(6)) as Chunk);
        if (answer.text !== "") heard?.();
      });
    });
    return answer;
  }

  return {
    async turn(body, heard) {
      const messages = [...body.messages];
      for (;;) {
        const { text, call } = await ask({ ...body, messages }, heard);
        if (call === undefined) return text;
        const { part } = JSON.parse(call.arguments) as { part: number };
        const { id, name, arguments: args } = call;
        const tool_calls = [{ id, type: "function", function: { name, arguments: args } }];
        messages.push({ role: "assistant", content: text, tool_calls });
        messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(stockOf(part)) });
      }
    },
    close: () => agent.destroy(),
  };
}

function take(answer: Answer, { choices }: Chunk): void {
  const delta = choices[0]?.delta;
  if (delta?.content !== undefined) answer.text += delta.content;
  for (const { id, function: part } of delta?.tool_calls ?? []) {
    if (id !== undefined) answer.call = { id, name: part.name ?? "", arguments: "" };
    if (answer.call !== undefined) answer.call.arguments += part.arguments;
  }
}
