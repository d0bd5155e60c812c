import { Refusal } from "#core/refusal.ts";
import type { Db } from "../platform/database.ts";
import { endSubscription } from "./end-subscription.ts";

/**
 * Answers a mail program that unsubscribes its owner by one click (RFC 8058): a POST without cookies and without an origin, to the
 * address in the mail's List-Unsubscribe header, whose token is all the right it needs. Null when the form is not one of these:
 * then the page answers, under the rules for pages. Never a redirect.
 */
export async function answerOneClick(
  { db, now }: { db: Db; now(): Date },
  request: Request,
): Promise<Response | null> {
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  if (form?.get("List-Unsubscribe") !== "One-Click") return null;
  const token = new URL(request.url).searchParams.get("token") ?? "";
  try {
    await endSubscription(db, { token, by: "one-click", now: now() });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new Response("This link is not known.\n", { status: 404, headers });
  }
  return new Response("You are unsubscribed.\n", { headers });
}

const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
