import type { Submission } from "@conform-to/react";
import type { RouterContextProvider } from "react-router";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { TooManyAttempts, waitUntil } from "#server/platform/rate-limit.ts";
import { failed } from "./answer.ts";

const passwords = ["password", "confirmPassword"];

/**
 * Answers a form whose act was refused or broke, in the same words whatever the cause. What broke is logged.
 * Somebody who tried too often reads when to come back.
 */
export function failureOf(
  error: unknown,
  submission: Submission<unknown>,
  toast: string,
  context: Readonly<RouterContextProvider>,
) {
  const { log, now } = context.get(appContext);
  const { requestId } = context.get(requestContext);
  if (error instanceof TooManyAttempts) {
    const at = now();
    const words = `Too many attempts. Please try again in ${waitUntil(error.retryAt, at)}.`;
    const inSeconds = Math.ceil((error.retryAt.getTime() - at.getTime()) / 1000);
    const result = submission.reply({ formErrors: [words], hideFields: passwords });
    return failed(result, toast, { inSeconds });
  }
  if (!(error instanceof Refusal)) log.error({ err: error, requestId }, toast);
  return failed(submission.reply({ hideFields: passwords }), toast, null);
}
