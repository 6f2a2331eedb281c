import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { background, call, makePlace } from "./support.ts";

describe("model serve", () => {
  it("answers a real client from a script, until it is stopped", async () => {
    const place = makePlace();
    writeFileSync(
      join(place.cwd, "answers.json"),
      JSON.stringify({ rules: [{ do: [{ say: "From the file." }] }] }),
    );
    const server = background(place, ["model", "serve", "--port", "0", "--script", "answers.json", "--json"]);
    const url = await server.until(/http:\/\/127\.0\.0\.1:\d+/);
    const client = new OpenAI({ apiKey: "any", baseURL: `${url}/v1`, maxRetries: 0 });
    const answer = await client.chat.completions.create({
      model: "any",
      messages: [{ role: "user", content: "?" }],
    });
    expect(answer.choices[0]?.message.content).toBe("From the file.");
    server.child.kill("SIGINT");
    expect(await server.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('{"event":"stopped"}'),
    });
  });

  it("says how clients find it", async () => {
    const server = background(makePlace(), ["model", "serve", "--port", "0"]);
    const found = await server.until(/OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\n[^]*Ctrl-C stops it/);
    expect(found).toMatch(/ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n/);
  });

  it("says what is wrong with a script, or with a port", async () => {
    const place = makePlace();
    const bad = join(place.cwd, "bad.json");
    writeFileSync(bad, '{"rules":[{"do":[{"shout":"x"}]}]}');
    const serve = (...args: string[]) => call(place, ["model", "serve", "--json", ...args]);
    expect(await serve("--script", "bad.json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("bad.json is not a script: rules.0.do.0"),
    });
    expect((await serve("--script", "missing.json")).stderr).toContain("Cannot read the script");

    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await serve("--port", String(port));
    expect(taken.code).toBe(1);
    expect(JSON.parse(taken.stderr)).toMatchObject({ code: "port_in_use" });
  });

  it("has help with examples", async () => {
    const { code, stdout } = await call(makePlace(), ["model", "serve", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n.*fairlead model serve/);
  });
});

describe("models", () => {
  it("lists what a session can take, for people and for programs, without keys", async () => {
    const place = makePlace();
    writeFileSync(
      join(place.cwd, "fairlead.yaml"),
      "models:\n  - {name: quick, provider: openai, model: gpt-5, price: {input: 1, output: 8}, context_tokens: 400000}\n  - {provider: scripted}\n",
    );
    const keyed = {
      ...place,
      env: { ...place.env, OPENAI_API_KEY: "sk-very-secret-4711", FAIRLEAD_SCRIPT: "" },
    };
    const { code, stdout } = await call(keyed, ["models"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/quick +openai\/gpt-5 +default +400k tokens, \$1 in, \$8 out a million/);
    expect(stdout).toMatch(/scripted +fairlead\/scripted +- +\$0 in, \$0 out a million/);
    const json = await call(keyed, ["models", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      models: [{ name: "quick", has_key: true }, { name: "scripted" }],
    });
    expect(stdout + json.stdout).not.toContain("secret");
  });
});
