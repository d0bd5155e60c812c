import type { RenderPage } from "./cached-pages.ts";

/**
 * Who opens a file's address in a browser and is refused reads a page, as anywhere else: a route without a page answers
 * in JSON, which is for scripts alone. The page is that of an address that is nobody's (app/site/not-found.tsx).
 */
export function refusedFilePage(renderPage: RenderPage): RenderPage {
  return async (request, facts) => {
    const answer = await renderPage(request, facts);
    if (answer.status < 400 || !isForPerson(request) || !isJson(answer)) return answer;
    const refused = { status: answer.status, data: (await answer.json()) as unknown };
    const { headers, signal } = request;
    const nobodys = new Request(new URL("/refused", request.url), { headers, signal });
    return renderPage(nobodys, { ...facts, refused });
  };
}

function isForPerson({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept")?.includes("text/html") ?? false);
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}
