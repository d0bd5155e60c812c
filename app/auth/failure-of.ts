import type { RouterContextProvider } from "react-router";
import { noteRefusal } from "#app/note-refusal.ts";
import type { Submission } from "#app/ui/forms/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { frozenText } from "#server/identity/mfa/mfa-error.ts";
import { passwordFault } from "#server/identity/passwords/password-quality.ts";
import { Busy } from "#server/platform/busy.ts";
import { isOutage } from "#server/platform/is-outage.ts";
import { TooManyAttempts, waitUntil } from "#server/platform/rate-limit.ts";
import { askedForEffort, failed } from "./answer.ts";
import { awayWords } from "./busy-terms.ts";
import { waitingSince } from "./effort-of.ts";

/** Said in the form next to the toast, the same for every cause: what was not done, and what to do. */
const inFormWords: Record<string, string> = {
  "Login failed":
    "You were not signed in. Check your e-mail address and password, or choose Forgot Password.",
  "registration failed":
    "Your account was not created. Please try again. If you already have one, sign in or reset your password.",
  "Failed to send password reset link": "We sent no link. Please try again in a few minutes.",
};

/** What is never sent back: passwords, and what serves once. */
export const unseen = ["password", "confirmPassword", "proof", "waitingSince"];

/**
 * Answers a form whose act was refused or broke, in the same words whatever the cause. What broke is logged.
 * Someone who tried too often reads when to come back; a password that is too easily guessed is said at its field;
 * that an account is frozen is said to who has shown its password. A busy site has found nothing wrong: it only asks for effort.
 * Nor has one whose database is away: it says so.
 */
export function failureOf(
  error: unknown,
  { submission, form }: { submission: Submission<unknown>; form: FormData },
  toast: string,
  context: Readonly<RouterContextProvider>,
) {
  const app = context.get(appContext);
  const { log, now } = app;
  const { requestId } = context.get(requestContext);
  noteRefusal(context, error);
  if (error instanceof TooManyAttempts) {
    const at = now();
    const words = `Too many attempts. Please try again in ${waitUntil(error.retryAt, at)}.`;
    const inSeconds = Math.ceil((error.retryAt.getTime() - at.getTime()) / 1000);
    const result = submission.reply({ formErrors: [words], hideFields: unseen });
    return failed(result, toast, { status: 429, inSeconds });
  }
  if (error instanceof Busy) {
    const { retryAfterSeconds } = error;
    return askedForEffort(submission.reply({ hideFields: unseen }), {
      waitingSince: waitingSince(app, form),
      retryAfterSeconds,
    });
  }
  if (error instanceof Refusal) {
    const fault = passwordFault(error);
    const fieldErrors: Record<string, string[]> = fault ? { password: [fault] } : {};
    const formErrors =
      error.code === "identity/account-frozen" ? [frozenText] : fault ? [] : inForm(toast);
    return failed(submission.reply({ fieldErrors, formErrors, hideFields: unseen }), toast, null);
  }
  log.error({ err: error, requestId }, toast);
  return broken(submission, toast, isOutage(error));
}

/** Where the database is away nobody knows whether it was done. Three forms say all the same that it was not: the specification has it so. */
function broken(submission: Submission<unknown>, toast: string, isAway: boolean) {
  const formErrors = isAway ? [awayWords] : inForm(toast);
  const reply = submission.reply({ formErrors, hideFields: unseen });
  if (!isAway) return failed(reply, toast, null);
  return failed(reply, toast in inFormWords ? toast : null, { status: 503, inSeconds: 5 });
}

function inForm(toast: string): string[] {
  const words = inFormWords[toast];
  return words ? [words] : [];
}
