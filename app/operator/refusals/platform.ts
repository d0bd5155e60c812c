import { conflict, notFound, type Texts } from "#app/run-act.ts";

/** Of what the worker tries again, jobs and mails, and of what it tells. */
export const platform: Texts = {
  "console/silent-already": conflict(
    "A colleague has begun planned work meanwhile: the page shows until when mails are kept back. Nothing was done.",
  ),
  "console/no-such-silence": notFound,
  "platform/job-not-stopped": conflict(
    "This job runs again already: a colleague asked for it meanwhile. Below is what still waits.",
  ),
  "mail/not-failed": conflict(
    "This mail is not failed any more: a colleague sent it again, or it left meanwhile. Below is how it is now.",
  ),
};
