import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/flash.ts";

/** What a form's action answers to its page. */
export interface Answer {
  /** For conform: what to show under which field. */
  result: SubmissionResult<string[]>;
  /** Toasts, in order. */
  failure?: string;
  /** The page that follows, after the specification's wait. */
  next?: string;
  /** Makes two answers that say the same two answers. */
  at: number;
}

/** What was typed is not valid: the page says so under the fields. */
export function invalid(result: SubmissionResult<string[]>) {
  return data<Answer>({ result, at: Date.now() }, { status: 400 });
}

/** It was not done. The toast's words are the same for every cause, only a limit is explained. */
export function failed(
  result: SubmissionResult<string[]>,
  failure: string,
  retryAt: { inSeconds: number } | null,
) {
  const headers: HeadersInit = retryAt ? { "Retry-After": String(retryAt.inSeconds) } : {};
  return data<Answer>(
    { result, failure, at: Date.now() },
    { status: retryAt ? 429 : 400, headers },
  );
}

/** The headers of a page after its action: of those that it set, React Router passes on only the cookies by itself. */
export function answerHeaders({
  actionHeaders,
}: {
  actionHeaders: Headers;
}): Record<string, string> {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : {};
}

/** It was done: the page says so and goes on; without JavaScript the next page says it. */
export async function done(answer: {
  result: SubmissionResult<string[]>;
  next: string;
  cookies: string[];
  enhanced: boolean;
  said: FlashKey[];
}) {
  const { result, next, enhanced } = answer;
  const headers = new Headers();
  for (const cookie of answer.cookies) headers.append("Set-Cookie", cookie);
  if (enhanced) return data<Answer>({ result, next, at: Date.now() }, { headers });
  headers.append("Set-Cookie", await flash(...answer.said));
  return redirect(next, { headers });
}
