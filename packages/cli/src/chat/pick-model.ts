import type { Backend } from "../backend.ts";
import { aboutModel } from "../model-text.ts";
import type { Ui } from "./ui.ts";

/** One of the models there are, the one in use marked; undefined when none was taken. */
export async function pickModel(
  ui: Ui,
  backend: Backend,
  current: string | null,
): Promise<string | undefined> {
  const models = await backend.listModels();
  const options = models.map((row) => {
    const isCurrent = row.name === current || (current === null && row.default);
    const notes = [isCurrent ? "in use" : "", row.default ? "default" : "", aboutModel(row)];
    return { value: row.name, label: row.name, about: notes.filter((note) => !/^-?$/.test(note)).join(", ") };
  });
  return ui.pick("Which model?", options);
}
