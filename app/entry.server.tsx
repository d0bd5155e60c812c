import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext, requestContext } from "#server/app-context.ts";
import { isDatabaseOutage, isUnreadableText } from "#server/platform/database-failure.ts";
import { NonceContext } from "./ui/nonce.ts";

/** How long a page may take to stream before what is missing is given up. */
const streamTimeoutMs = 6_000;

export default function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(requestContext);
  const whole = isbot(request.headers.get("user-agent")) || entry.isSpaMode;
  return new Promise((resolve, reject) => {
    let started = false;
    const start = () => {
      started = true;
      const body = new PassThrough();
      headers.set("content-type", "text/html; charset=utf-8");
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
      stream.pipe(body);
    };
    const stream = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </NonceContext.Provider>,
      {
        nonce,
        [whole ? "onAllReady" : "onShellReady"]: start,
        onShellError: reject,
        onError(error) {
          if (started)
            context.get(appContext).log.error({ err: error }, "page failed while streaming");
        },
      },
    );
    setTimeout(() => stream.abort(), streamTimeoutMs).unref();
  });
}

/** Logs what went wrong in a loader, an action or a component; answers that a page chose are not errors. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const facts = context.get(requestContext);
  const { requestId } = facts;
  facts.failure ??= isDatabaseOutage(error) ? 503 : isUnreadableText(error) ? 400 : null;
  context.get(appContext).log.error({ err: error, requestId }, "request failed");
}
