import { conflict, type Texts } from "#app/run-act.ts";

/** Of what the worker tries again: jobs and mails. */
export const platform: Texts = {
  "platform/job-not-stopped": conflict(
    "This job runs again already: a colleague asked for it meanwhile. Below is what still waits.",
  ),
  "mail/not-failed": conflict(
    "This mail is not failed any more: a colleague sent it again, or it left meanwhile. Below is how it is now.",
  ),
};
