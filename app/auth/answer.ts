import { data, redirect } from "react-router";
import { wantsAnswer } from "#app/plain-page.ts";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { type Flash, type FlashKey, flash, wordsOf } from "#app/ui/toasts/flash.ts";

/** What a form's action answers to its page, or to the page's script. */
export interface Answer {
  /** What was typed, passwords excepted, and what to show under which field. */
  result?: FormReply;
  /** A toast. */
  failure?: string;
  /** The site is busy: it asks for effort (effort-of.ts), and the form notes since when it has waited. */
  busy?: { waitingSince: string };
  /** The page that follows: after the specification's wait when there is something to say, else at once. */
  next?: string;
  /** Toasts, in order. */
  said?: Flash[];
}

/** What was typed is not valid: the page says so under the fields. */
export function invalid(result: FormReply) {
  return data<Answer>({ result }, { status: 400 });
}

/** It was not done. The toast's words are the same for every cause, only a limit and an outage are explained. */
export function failed(
  result: FormReply,
  failure: string | null,
  retryAt: { status: 429 | 503; inSeconds: number } | null,
) {
  const headers: HeadersInit = retryAt ? { "Retry-After": String(retryAt.inSeconds) } : {};
  const answer = { result, ...(failure !== null && { failure }) };
  return data<Answer>(answer, { status: retryAt?.status ?? 400, headers });
}

/** Nothing was looked at yet. The page's script solves a task and sends the form once more; without it the reader waits. */
export function askedForEffort(
  result: FormReply,
  { waitingSince, retryAfterSeconds }: { waitingSince: string; retryAfterSeconds: number },
) {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return data<Answer>({ result, busy: { waitingSince } }, { status: 503, headers });
}

/** It was done: the page's script says so and goes on; without it the next page says it. */
export async function done(
  request: Request,
  { next, cookies, said }: { next: string; cookies: string[]; said: FlashKey[] },
) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  if (wantsAnswer(request)) return data<Answer>({ next, said: wordsOf(said) }, { headers });
  headers.append("Set-Cookie", await flash(...said));
  return redirect(next, { headers });
}
