import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * After a navigation by script the title of the new page has the focus, so that a screen reader reads it and the next tab stop
 * is the page's first. A field that the page itself put the focus into keeps it; so does a place inside the page.
 */
export function useFocusOnNewPage(): void {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (hash !== "" || document.activeElement?.matches("main :is(input, select, textarea)")) return;
    const title = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
    if (!title) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }, [pathname, hash]);
}
