import type { OwnThreadState } from "#server/contact/thread.ts";

/** A thread's state as its customer reads it. */
export const stateWords: Record<
  OwnThreadState,
  { status: string; tone: "waiting" | "good" | "plain" }
> = {
  open: { status: "waiting for our answer", tone: "waiting" },
  answered: { status: "answered", tone: "good" },
  closed: { status: "closed", tone: "plain" },
};
