import type { Link } from "../../transport/link.ts";
import { linkPair } from "../../transport/in-process.ts";
import { multiplex } from "../../transport/multiplex.ts";
import type { Fake } from "./fake.ts";
import { createScript } from "./fake.ts";

export async function inProcessFake(): Promise<Fake> {
  const script = createScript();
  const links = new Set<Link>();

  function serve(link: Link): void {
    links.add(link);
    link.listen({
      message(text) {
        void script.take({ text }).then(({ texts = [], cut }) => {
          if (cut) return link.close();
          for (const one of texts) void link.send(one);
        });
      },
      garbage: () => {},
      closed: () => links.delete(link),
    });
  }

  return Object.assign(script, {
    url: "",
    transport: () => ({
      name: "in-process",
      lifetime: "connection" as const,
      connect: async ({ onStray }: { onStray: (what: string) => void }) => {
        const [near, far] = linkPair();
        serve(far);
        return multiplex(near, { onStray });
      },
    }),
    cut: () => links.forEach((link) => void link.close()),
    close: async () => {},
  });
}
