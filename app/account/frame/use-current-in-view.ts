import { type RefObject, useEffect } from "react";
import { useLocation } from "react-router";

/** Brings the current entry into view where the row of entries is wider than the screen. */
export function useCurrentInView(row: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry
  useEffect(() => {
    const entry = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !entry) return;
    row.current.scrollLeft = entry.offsetLeft - (row.current.clientWidth - entry.offsetWidth) / 2;
  }, [pathname]);
}
