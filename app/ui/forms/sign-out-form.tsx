import { type FormEvent, type ReactNode, useState } from "react";
import { notifyError } from "../toasts/notify.ts";

/** Longer than any answer takes: a line that swallows everything is a line that is lost. */
const answerWithinMs = 20_000;

/**
 * Signs out at the press of its button. When the server did not do it, or cannot be reached, the page stays as it is and says
 * so: the session goes on. `onSignedOut` runs once it has ended. Without JavaScript the form goes on its own.
 */
export function SignOutForm({
  onSignedOut,
  children,
}: {
  onSignedOut?: () => void;
  children: ReactNode;
}) {
  const [isUnderWay, setUnderWay] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isUnderWay) return;
    setUnderWay(true);
    const answer = await askToSignOut();
    if (!("failure" in answer)) {
      onSignedOut?.();
      // The document is loaded anew: nothing of the account stays in memory.
      location.assign(answer.next);
      return;
    }
    setUnderWay(false);
    notifyError(`Error signing out: ${answer.failure}`);
  };
  return (
    <form
      method="post"
      action="/signout"
      onSubmit={(event) => void send(event)}
      aria-busy={isUnderWay}
    >
      {children}
    </form>
  );
}

/** What the action answers to a script: app/auth/sign-out.tsx. */
export type SignOutAnswer = { next: string } | { failure: string };

async function askToSignOut(): Promise<SignOutAnswer> {
  try {
    const answer = await fetch("/signout", {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return (await answer.json()) as SignOutAnswer;
  } catch {
    return { failure: "the server could not be reached. You are still signed in." };
  }
}
