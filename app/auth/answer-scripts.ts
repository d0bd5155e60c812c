import type { MiddlewareFunction } from "react-router";
import { wantsAnswer } from "#app/plain-page.ts";
import type { Answer } from "./answer.ts";

/** Tells a page's script where a form leads, which it could not read off a redirect. Cookies go along. */
export const answerScripts: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const location = response.headers.get("location");
  if (location === null || request.method !== "POST" || !wantsAnswer(request)) return response;
  const headers = new Headers(response.headers);
  headers.delete("location");
  return Response.json({ next: location } satisfies Answer, { headers });
};
