import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { maxFields } from "#core/form-fields.ts";
import { terms } from "#core/terms.ts";
import type { Auth } from "./identity/sessions/auth.ts";
import { openedLately } from "./identity/step-up/opened-lately.ts";
import { BodyCrowdedOut, openBodyRoom } from "./platform/http/body-room.ts";
import {
  BodyTooLarge,
  BodyTooSlow,
  countFields,
  isMultipart,
  isPlainMultipart,
  limitBody,
  readBody,
} from "./platform/http/limit-body.ts";
import { hasResumedFiles } from "./platform/http/restore-form-files.ts";

/** What people who are signed in, and what strangers may be sending at a time to one process. */
const rooms = { people: 64 * 1024 * 1024, strangers: 32 * 1024 * 1024 };

/** A slow line may take its time, but for no longer. */
const bodyWithinMs = 60_000;

/** One file and the fields about it. Each page stops at its own, lower limit: server/platform/files/read-upload.ts. */
const uploadLimit = { maxBytes: terms.slipMaxBytes + 256 * 1024, withinMs: bodyWithinMs };

/** The pages whose action reads a file as a stream; the section's guard comes first. */
const takesFiles =
  /^\/(?:account\/(?:deposit(?:\/draft)?|verification|messages\/[\w-]+)|operator\/(?:(?:adjustments|reconciliation)\/new|payouts\/import))(?:\.data)?$/;

/** A batch's page takes a signed transaction, which a signer may give back with all that it spends. */
const takesTransactions = /^\/operator\/withdrawals\/batches\/[^/]+$/;

/**
 * Bounds what is sent. A form is read whole before anything looks at it; an upload is handed on as a stream that ends at its
 * limit, since its page must ask first who sends it.
 */
export function takeBodies(auth: Auth): MiddlewareHandler {
  const people = openBodyRoom(rooms.people);
  const strangers = openBodyRoom(rooms.strangers);
  return async (c, next) => {
    const { method, raw } = c.req;
    // These have no body that anybody reads; only to look for one makes a second, whole request of it.
    if (method === "GET" || method === "HEAD" || !raw.body) return next();
    const contentType = c.req.header("content-type") ?? "";
    if (isUpload(c, contentType)) {
      const body = limitBody(raw.body, uploadLimit);
      c.req.raw = new Request(raw, { body, duplex: "half" } as RequestInit);
      return next();
    }
    const room = openedLately(auth, c.req.header("cookie") ?? "") ? people : strangers;
    const limit = { maxBytes: maxFormBytes(c), withinMs: bodyWithinMs, room };
    const body = await readBody(raw.body, limit).catch((error) => refuseFor(c, error));
    if (countFields(body, contentType) > maxFields) throw refuse(413);
    c.req.raw = new Request(raw, { body });
    return next();
  };
}

function isUpload(c: Context, contentType: string): boolean {
  if (!isMultipart(contentType)) return false;
  if (!isPlainMultipart(contentType)) throw refuse(400);
  return !hasResumedFiles(c.req.raw) && takesFiles.test(c.req.path);
}

/** Forms are small, of whatever kind: all of them but these are read into memory whole. */
function maxFormBytes(c: Context): number {
  if (takesTransactions.test(c.req.path)) return 2_500_000;
  // With its files as text, which is a third longer.
  return hasResumedFiles(c.req.raw) ? 512 * 1024 : 256 * 1024;
}

function refuseFor(c: Context, error: unknown): never {
  if (error instanceof BodyTooLarge) throw refuse(413);
  if (error instanceof BodyTooSlow) throw refuse(408);
  if (!(error instanceof BodyCrowdedOut)) throw refuse(400);
  c.header("cache-control", "no-store");
  c.header("retry-after", "5");
  throw refuse(503);
}

const messages = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  503: "Service Unavailable",
};

function refuse(status: keyof typeof messages): HTTPException {
  return new HTTPException(status, { message: messages[status] });
}
