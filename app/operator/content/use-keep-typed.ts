import { useEffect } from "react";
import { useBlocker } from "react-router";

const question = "What you typed is not saved. Leave it?";

/** Asks before words that were typed and not saved are left: by a link, the back button or the tab's end. */
export function useKeepTyped(isDirty: boolean): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const restore = (search: string) => new URLSearchParams(search).get("restore");
    const leaves =
      currentLocation.pathname !== nextLocation.pathname ||
      restore(currentLocation.search) !== restore(nextLocation.search);
    return isDirty && leaves;
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
}
