import { useMatches } from "react-router";

/**
 * What a section exports as `handle` when its pages are sent without React's scripts: rendered on the
 * server, never hydrated. What moves on them is native HTML and app/site/enhance.
 */
export const plainPage = { plain: true } as const;

/**
 * The `handle` of a page in such a section that shows everybody the same: the server renders it once and
 * keeps it for some seconds (server/platform/http/page-cache.ts). Its loader reads nothing but the path, the
 * named parameters and the database; other parameters it does not get to see.
 */
export function keptPage(...parameters: string[]): { kept: string[] } {
  return { kept: parameters };
}

/**
 * For such a section's `clientMiddleware`: a hydrated page whose router leads here could draw the page,
 * but not bring the script that belongs to it. So it loads the document.
 */
export const loadDocument = ({ request }: { request: Request }): Promise<never> => {
  window.location.assign(request.url);
  // The old page stays until the new one is there.
  return new Promise<never>(() => {});
};

/** Whether the page at hand is sent without React's scripts. */
export function useIsPlain(): boolean {
  return useMatches().some(({ handle }) => isPlain(handle));
}

/** Compared by what it says: in development the same module may be loaded twice. */
function isPlain(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "plain" in handle;
}
