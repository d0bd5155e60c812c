import { useEffect, useRef } from "react";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { notifyError, notifySuccess } from "#app/ui/toasts/notify.ts";

interface Progress {
  /** Whether work that somebody waits for is under way. */
  runs: boolean;
  /** Of what: another page's work is another. */
  of: string;
  /** What is said when it has ended; `fault`: why it failed. */
  done: string;
  fault?: string | null;
}

/** How often a page reads how far work is, and one that waits for blocks. */
export const workMs = 1_500;
export const blocksMs = 20_000;

/** Reads the page again while work runs that was begun on it, and says when it is done. */
export function useProgress({ runs, of, done, fault = null }: Progress): void {
  useRefresh(runs ? workMs : null);
  const ran = useRef<string | null>(null);
  useEffect(() => {
    if (ran.current === of && !runs) {
      if (fault) notifyError(fault);
      else notifySuccess(done);
    }
    ran.current = runs ? of : null;
  }, [runs, of, done, fault]);
}
