import { useEffect } from "react";
import { useRevalidator } from "react-router";

/**
 * Reads the page again every so often while a reader looks at it: what has changed elsewhere shows, and what is typed in its forms
 * stays. Null: there is nothing to wait for.
 */
export function useRefresh(everyMs: number | null): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && state === "idle") void revalidate();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, revalidate, state]);
}
