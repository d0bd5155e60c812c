import type { Submission } from "@conform-to/react";
import type { RouterContextProvider } from "react-router";
import { noteRefusal } from "#app/note-refusal.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { frozenWords } from "#server/identity/factor-fault.ts";
import { passwordFault } from "#server/identity/password-quality.ts";
import { TooManyAttempts, waitUntil } from "#server/platform/rate-limit.ts";
import { failed } from "./answer.ts";

const passwords = ["password", "confirmPassword"];

/**
 * Answers a form whose act was refused or broke, in the same words whatever the cause. What broke is logged.
 * Somebody who tried too often reads when to come back; a password that is too easily guessed is said at its field;
 * that an account is frozen is said to who has shown its password.
 */
export function failureOf(
  error: unknown,
  submission: Submission<unknown>,
  toast: string,
  context: Readonly<RouterContextProvider>,
) {
  const { log, now } = context.get(appContext);
  const { requestId } = context.get(requestContext);
  noteRefusal(context, error);
  if (error instanceof TooManyAttempts) {
    const at = now();
    const words = `Too many attempts. Please try again in ${waitUntil(error.retryAt, at)}.`;
    const inSeconds = Math.ceil((error.retryAt.getTime() - at.getTime()) / 1000);
    const result = submission.reply({ formErrors: [words], hideFields: passwords });
    return failed(result, toast, { inSeconds });
  }
  if (error instanceof Refusal) {
    const fault = passwordFault(error);
    const fieldErrors: Record<string, string[]> = fault ? { password: [fault] } : {};
    const formErrors = error.code === "identity/account-frozen" ? [frozenWords] : [];
    return failed(
      submission.reply({ fieldErrors, formErrors, hideFields: passwords }),
      toast,
      null,
    );
  }
  log.error({ err: error, requestId }, toast);
  return failed(submission.reply({ hideFields: passwords }), toast, null);
}
