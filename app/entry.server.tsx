import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { NonceContext } from "#app/ui/browser/nonce.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { isUnreadableText } from "#server/platform/database/database-failure.ts";
import { inlineStyles } from "#server/platform/http/inline-styles.ts";
import { isUnreadableForm } from "#server/platform/http/unreadable-form.ts";
import { isOutage } from "#server/platform/is-outage.ts";
import { limitConcurrency } from "#server/platform/limit-concurrency.ts";
import { readHandoff } from "#server/platform/tuned/read-handoff.ts";
import { withShownRoutes } from "#server/platform/tuned/shown-routes.ts";
import { plainScriptOf, wantsAnswer } from "./plain-page.ts";

export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, isStranger } = context.get(requestContext);
  const { matches, actionData } = entry.staticHandlerContext;
  const script = plainScriptOf(matches.map(({ route }) => route.handle));
  if (script !== null && request.method === "POST" && wantsAnswer(request))
    return answerOf(actionData, status, headers);
  const page = (
    <NonceContext.Provider value={nonce}>
      <ServerRouter context={withShownRoutes(entry)} url={request.url} nonce={nonce} />
    </NonceContext.Provider>
  );
  await readHandoff(entry);
  const html = await inTurn(
    isStranger ? "strangers" : "people",
    async () => `<!DOCTYPE html>${renderToString(page)}`,
  );
  headers.set("content-type", "text/html; charset=utf-8");
  const whole =
    script === null
      ? withLatePreloads(html)
      : script === "auth"
        ? inlineStyles(html, "build/client", nonce)
        : html;
  return new Response(whole, { headers, status });
}

/** What the action of a plain page's form answered, for the page's script. */
function answerOf(
  answers: EntryContext["staticHandlerContext"]["actionData"],
  status: number,
  headers: Headers,
): Response {
  const [answer = null] = Object.values(answers ?? {});
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(answer), { headers, status });
}

/**
 * React's scripts are asked for at once, but behind the styles and the fonts that the reader waits for: the page
 * can be read, and its forms sent, before they are there.
 */
function withLatePreloads(html: string): string {
  const body = html.indexOf("<body");
  return (
    html.slice(0, body).replaceAll(preload, `${preload} fetchpriority="low"`) + html.slice(body)
  );
}

const preload = '<link rel="modulepreload"';

/** Whoever came this far has been admitted: server/limit-anonymous-requests.ts says how many may wait before. */
const room = { places: Number.POSITIVE_INFINITY, waitMs: 60_000 };
/** One page in a turn of the event loop: many that the database answers together would keep all others from being heard. */
const inTurn = limitConcurrency(1, { people: room, strangers: room }, { lastGoesEvery: 4 });

/** Logs what went wrong in a loader, an action or a component; answers that a page chose are not errors. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const facts = context.get(requestContext);
  const { requestId } = facts;
  if (isUnreadableForm(error)) {
    facts.failure = 400;
    context.get(appContext).log.warn({ requestId }, "a form could not be read");
    return;
  }
  facts.failure ??= isOutage(error) ? 503 : isUnreadableText(error) ? 400 : null;
  context.get(appContext).log.error({ err: error, requestId }, "request failed");
}
