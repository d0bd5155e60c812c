import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether JavaScript has taken over the page: false on the server and in the first render of the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
