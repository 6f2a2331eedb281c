import { type Problem, problemOf } from "../lib/api.ts";
import { createStore, useStore } from "../lib/store.ts";
import { signOut } from "../state/identity.ts";
import { Icon } from "../ui/icon.tsx";

const problem = createStore<Problem | null>(null);

/** Signs out. Where the server does not hear of it, it is said: who leaves a machine must know. */
export function leave(): void {
  problem.set(null);
  signOut().catch((error: unknown) => problem.set(problemOf(error)));
}

export function StillSignedIn() {
  const found = useStore(problem);
  if (found === null) return null;
  return (
    <div className="hint bad" role="alert">
      <Icon name="warning" />
      <span className="grow">You are still signed in. {found.message}</span>
      <button type="button" className="button" onClick={leave}>
        Sign out again
      </button>
      <button type="button" className="button quiet" onClick={() => problem.set(null)}>
        Stay
      </button>
    </div>
  );
}
