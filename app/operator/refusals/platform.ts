import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

/** Of forms that come twice, of what the worker tries again, jobs and mails, and of what it tells. */
export const platform: Texts = {
  "console/silent-already": meanwhile(
    "Planned work has begun already: the page shows until when mails are kept back.",
  ),
  "console/no-such-silence": notFound,
  "platform/sent-otherwise": meanwhile(
    "You sent this form before with other content, and that was taken. Look for it in the list. If this is another one, send it again.",
  ),
  "platform/job-not-stopped": meanwhile("This job runs again already. Below is what still waits."),
  "mail/not-failed": meanwhile(
    "This mail is not failed any more: it was sent again, or it left meanwhile. Below is how it is now.",
  ),
};
