import { useEffect, useState } from "react";
import { call } from "../lib/api.ts";
import { patiently } from "../lib/patiently.ts";

/** What a session can take, by name; the empty name is the one it gets by itself. */
export function useModels(): Readonly<Record<string, string>> {
  const [models, setModels] = useState<Readonly<Record<string, string>>>({ "": "The default" });
  useEffect(() => {
    let wanted = true;
    const gone = new AbortController();
    patiently(
      () => call("listModels"),
      gone.signal,
      () => {},
    ).then(
      ({ models: found }) => {
        if (!wanted) return;
        const first = found.find((model) => model.default);
        setModels({
          "": first === undefined ? "The default" : `The default: ${first.name}`,
          ...Object.fromEntries(
            found.map(({ name, has_key }) => [
              name,
              has_key === false ? `${name}, used without a key` : name,
            ]),
          ),
        });
      },
      () => {},
    );
    return () => {
      wanted = false;
      gone.abort();
    };
  }, []);
  return models;
}
