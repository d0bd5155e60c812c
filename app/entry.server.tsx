import { EventEmitter } from "node:events";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext, requestContext } from "#server/app-context.ts";
import { isDatabaseOutage, isUnreadableText } from "#server/platform/database-failure.ts";
import { inlineStyles } from "#server/platform/http/inline-styles.ts";
import { isUnreadableForm } from "#server/platform/http/unreadable-form.ts";
import { plainScriptOf, wantsAnswer } from "./plain-page.ts";
import { NonceContext } from "./ui/nonce.ts";

/** How long a page may take to render before what is missing is given up. */
const renderTimeoutMs = 6_000;

export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(requestContext);
  const { matches, actionData } = entry.staticHandlerContext;
  const script = plainScriptOf(matches.map(({ route }) => route.handle));
  if (script !== null && request.method === "POST" && wantsAnswer(request))
    return answerOf(actionData, status, headers);
  const page = (
    <NonceContext.Provider value={nonce}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </NonceContext.Provider>
  );
  const html = await renderWhole(page, nonce, (error) =>
    context.get(appContext).log.error({ err: error }, "a part of a page failed"),
  );
  headers.set("content-type", "text/html; charset=utf-8");
  const whole =
    script === null
      ? html.replaceAll(preload, `${preload} fetchpriority="low"`)
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
const preload = '<link rel="modulepreload"';

/**
 * Renders a page to its end. No page of ours waits for a part of itself, so nothing would come earlier if it were
 * sent piece by piece; it would only cost more.
 */
function renderWhole(
  page: ReactNode,
  nonce: string,
  onPartFailed: (error: unknown) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let started = false;
    const stream = renderToPipeableStream(page, {
      nonce,
      onAllReady() {
        started = true;
        const whole = new Collected();
        whole.once("end", () => resolve(whole.text())).once("error", reject);
        stream.pipe(whole as unknown as NodeJS.WritableStream);
      },
      onShellError: reject,
      onError(error) {
        if (started) onPartFailed(error);
      },
    });
    setTimeout(() => stream.abort(), renderTimeoutMs).unref();
  });
}

/** What React writes, in memory. A stream of Node's would cost more than the rendering of a small page. */
class Collected extends EventEmitter {
  readonly #chunks: Uint8Array[] = [];

  /** Long texts come as they are, short ones encoded together. */
  write(chunk: Uint8Array | string): boolean {
    this.#chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    return true;
  }

  end(): void {
    this.emit("end");
  }

  destroy(error: unknown): void {
    this.emit("error", error);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

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
