import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext, requestContext } from "#server/app-context.ts";
import { isDatabaseOutage, isUnreadableText } from "#server/platform/database-failure.ts";
import { inlineStyles } from "#server/platform/http/inline-styles.ts";
import { beside } from "#server/platform/http/page-text.ts";
import { isUnreadableForm } from "#server/platform/http/unreadable-form.ts";
import { openGate } from "#server/platform/open-gate.ts";
import { plainScriptOf, wantsAnswer } from "./plain-page.ts";
import { NonceContext } from "./ui/nonce.ts";

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
  const shown = ofShownRoutes(entry);
  const page = (
    <NonceContext.Provider value={nonce}>
      <ServerRouter context={shown} url={request.url} nonce={nonce} />
    </NonceContext.Provider>
  );
  const html = await renderWhole(page, shown, isStranger ? "strangers" : "people").finally(() =>
    emptyAfterUse(shown, entry),
  );
  headers.set("content-type", "text/html; charset=utf-8");
  const whole =
    script === null
      ? withLatePreloads(html)
      : script === "auth"
        ? inlineStyles(html, "build/client", nonce)
        : html;
  return beside(whole, { headers, status });
}

/**
 * The entry with the routes that the page shows. For each page that it renders the router makes elements of all routes that
 * it is given, which for all of the product's was a fifteenth of a page's work. A browser has its list of routes from a file.
 */
function ofShownRoutes(entry: EntryContext): EntryContext {
  const { manifest, routeModules, staticHandlerContext } = entry;
  const shown = staticHandlerContext.matches.map(({ route }) => route.id);
  return {
    ...entry,
    manifest: { ...manifest, routes: only(shown, manifest.routes) },
    routeModules: only(shown, routeModules),
    staticHandlerContext: { ...staticHandlerContext },
  };
}

function only<T>(
  keys: string[],
  all: Record<string, T | undefined>,
): Record<string, T | undefined> {
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}

/**
 * Lets go of what the page was made of. The router's object for a page has getters, which V8 takes for methods of something
 * lasting: it keeps them, and what they reach, until it looks through all memory. The router's own context stays whole, and is
 * told how far the rendering came.
 */
function emptyAfterUse(
  { staticHandlerContext: rendered }: EntryContext,
  { staticHandlerContext }: EntryContext,
): void {
  const { _deepestRenderedBoundaryId } = rendered;
  Object.assign(staticHandlerContext, { _deepestRenderedBoundaryId });
  rendered.matches = [];
  rendered.loaderData = {};
  rendered.actionData = null;
  rendered.loaderHeaders = {};
  rendered.actionHeaders = {};
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

/**
 * Renders a page to its end, as one text. No page of ours waits for a part of itself: to send it in pieces would bring
 * nothing earlier, and costs a tenth more.
 */
async function renderWhole(
  page: ReactNode,
  entry: EntryContext,
  lane: "people" | "strangers",
): Promise<string> {
  const { serverHandoffStream, renderMeta } = entry;
  if (serverHandoffStream && renderMeta)
    renderMeta.streamCache = await readAll(serverHandoffStream);
  return inTurn(lane, async () => `<!DOCTYPE html>${renderToString(page)}`);
}

/** Whoever came this far has been admitted: server/strangers-gate.ts says how many may wait before. */
const room = { places: Number.POSITIVE_INFINITY, waitMs: 60_000 };
/** One page in a turn of the event loop: many that the database answers together would keep all others from being heard. */
const inTurn = openGate(1, { people: room, strangers: room }, { lastGoesEvery: 4 });

/** What the loaders gave, as the router wants to have read it: a component that had to wait for it would be left out. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<StreamCache> {
  const decoder = new TextDecoder();
  let value = "";
  // The router takes the stream's reader once more, and is told that there is nothing left.
  for await (const bytes of stream.values({ preventCancel: true }))
    value += decoder.decode(bytes, { stream: true });
  return { 0: Object.assign(Promise.resolve(), { result: { done: true, value } }) };
}

type StreamCache = NonNullable<NonNullable<EntryContext["renderMeta"]>["streamCache"]>;

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
  facts.failure ??= isDatabaseOutage(error) ? 503 : isUnreadableText(error) ? 400 : null;
  context.get(appContext).log.error({ err: error, requestId }, "request failed");
}
