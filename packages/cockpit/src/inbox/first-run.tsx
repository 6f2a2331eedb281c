import { FirstSteps } from "../start/first-steps.tsx";
import { Empty } from "../ui/parts.tsx";

/** An inbox that was never used: what will be here, and one click that fills it. */
export function FirstRun({ name }: { readonly name: string }) {
  return (
    <Empty icon="inbox" title={name === "" ? "Welcome" : `Welcome, ${name}`}>
      <p>
        Here you find everything that needs you: questions of agents first, then what failed, what is done,
        and what is at work. Nothing has run yet.
      </p>
      <FirstSteps />
    </Empty>
  );
}
