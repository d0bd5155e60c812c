import { useMatches } from "react-router";

/** The scripts that pages without React's have, each built by itself: scripts/vite/site-script.ts. */
export type PlainScript = "site" | "auth";

/**
 * What a section exports as `handle` when its pages are sent without React's scripts: rendered on the
 * server, never hydrated. What moves on them is native HTML and the section's own `enhance/`.
 */
export function plainPage(script: PlainScript): { plain: PlainScript } {
  return { plain: script };
}

/**
 * The `handle` of a page in such a section that shows everybody the same: the server renders it once and
 * keeps it for some seconds (server/platform/http/page-cache.ts). Its loader reads nothing but the path, the
 * named parameters and the database; other parameters it does not get to see.
 */
export function cachedPage(...parameters: string[]): { kept: string[] } {
  return { kept: parameters };
}

/** A cached page that is asked by a choice of words: whatever else is asked for is the page without it. */
export function keptChoice(choices: Record<string, readonly string[]>): {
  kept: string[];
  choices: Record<string, readonly string[]>;
} {
  return { kept: Object.keys(choices), choices };
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

/** The script of the page at hand, when it is sent without React's. */
export function usePlainScript(): PlainScript | null {
  return plainScriptOf(useMatches().map(({ handle }) => handle));
}

/** Read from what the matched routes export as `handle`. */
export function plainScriptOf(handles: unknown[]): PlainScript | null {
  for (const handle of handles) {
    if (typeof handle !== "object" || handle === null || !("plain" in handle)) continue;
    return handle.plain as PlainScript;
  }
  return null;
}

/** Whether a plain page's script sent a form: it wants what the action answered, not the page again. */
export function wantsAnswer(request: Request): boolean {
  return request.headers.get("accept") === "application/json";
}
