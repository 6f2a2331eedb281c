import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ThinkLevel } from "@fairlead/contract";
import { type Model, ModelFault, type ModelPart, type ModelRequest } from "../../ports/model.ts";
import type { ToolSpec } from "../../ports/tool.ts";
import { toFault } from "./faults.ts";
import type { ProviderOptions } from "./options.ts";
import { toParts } from "./parts.ts";
import { toPrompt } from "./prompt.ts";
import { whole } from "./whole.ts";

type Stream = (options: LanguageModelV4CallOptions) => AsyncIterator<ModelPart>;

/** As the provider's model streams. */
export function streamOf(model: LanguageModelV4): Stream {
  return async function* stream(options) {
    const { stream } = await model.doStream(options);
    yield* toParts(whole(stream));
  };
}

/** What sets one provider apart from another. */
export interface Adapter {
  /** Called at the first request: a provider that nobody uses costs no start-up time. */
  readonly load: () => Promise<Stream>;
  readonly providerOptions?: (request: ModelRequest) => SharedV4ProviderOptions;
  /** For what sends the request. */
  readonly headers?: (request: ModelRequest) => Record<string, string>;
  readonly prompt?: (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt;
}

const REASONING = { off: "none", low: "low", medium: "medium", high: "high" } as const satisfies Record<
  ThinkLevel,
  LanguageModelV4CallOptions["reasoning"]
>;

/** A provider of the AI SDK behind our port: one call is one request, and retries are the caller's. */
export function aiSdkModel(provider: string, options: ProviderOptions, adapter: Adapter): Model {
  const { id, apiKey = "", headers = {}, price, contextTokens } = options;
  const secrets = [apiKey, ...Object.values(headers)].filter((secret) => secret.length >= 4);
  const name = `${provider}/${id}`;
  let loading: Promise<Stream> | undefined;

  return {
    provider,
    id,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(price === undefined ? {} : { price }),
    stream(request, signal) {
      const open = async (): Promise<AsyncIterator<ModelPart>> => {
        const stream = await (loading ??= adapter.load());
        return stream(callOptions(request, name, adapter, signal));
      };
      return guarded(open, signal, (error) => toFault(error, secrets));
    },
  };
}

/**
 * Opened when the first part is asked for. Ends when the signal aborts, and throws faults only. Not a generator around the
 * other: each part would take three turns of the queue more.
 */
function guarded(
  open: () => Promise<AsyncIterator<ModelPart>>,
  signal: AbortSignal,
  faultOf: (error: unknown) => ModelFault,
): AsyncIterableIterator<ModelPart> {
  let parts: AsyncIterator<ModelPart> | undefined;
  let over = false;
  const end = (): IteratorReturnResult<undefined> => {
    over = true;
    return { done: true, value: undefined };
  };
  const giveUp = async (): Promise<IteratorReturnResult<undefined>> => {
    if (!over) {
      end();
      await parts?.return?.();
    }
    return end();
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    return: giveUp,
    async next() {
      if (over) return end();
      try {
        parts ??= await open();
        // Nobody waits for it any more.
        if (over) return end();
        const next = await parts.next();
        return next.done === true || signal.aborted ? await giveUp() : next;
      } catch (error) {
        const { aborted } = signal;
        end();
        if (aborted) return end();
        throw faultOf(error);
      }
    },
  };
}

function callOptions(
  request: ModelRequest,
  name: string,
  { prompt: change = (prompt) => prompt, providerOptions, headers }: Adapter,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const { tools = [], think_level, max_output_tokens } = request;
  const prompt = change(toPrompt(request.messages, name));
  if (prompt.length === 0) throw new ModelFault("refused", "There is nothing to answer.");
  return {
    prompt,
    abortSignal,
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    ...(think_level === undefined ? {} : { reasoning: REASONING[think_level] }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(headers === undefined ? {} : { headers: headers(request) }),
    ...(providerOptions === undefined ? {} : { providerOptions: providerOptions(request) }),
  };
}

const tools = new WeakMap<ToolSpec, LanguageModelV4FunctionTool>();

/** The same for the same tool, so that whoever writes it down can do so once. */
function toTool(spec: ToolSpec): LanguageModelV4FunctionTool {
  const known = tools.get(spec);
  if (known !== undefined) return known;
  const { name, description, parameters } = spec;
  const inputSchema = parameters as LanguageModelV4FunctionTool["inputSchema"];
  const tool = { type: "function", name, description, inputSchema } as const;
  tools.set(spec, tool);
  return tool;
}
