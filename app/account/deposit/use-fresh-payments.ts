import { useEffect, useRef } from "react";
import { useFetcher, useRevalidator } from "react-router";
import type { clientLoader } from "./deposit-payments.ts";
import type { PaymentsOnChain } from "./read-payments.ts";

/** How often a customer's page asks for the status of payments on their way. */
const refreshMs = 5_000;

/**
 * What was read with the page, and again every few seconds; null: no one watches the chain. When one of the customer's deposits
 * is another than the page knows (`version`), the page reads all of itself again: what is typed in its form stays.
 */
export function useFreshPayments(
  read: PaymentsOnChain | null,
  version: string,
): PaymentsOnChain | null {
  const { load, data, state } = useFetcher<typeof clientLoader>();
  const { revalidate, state: reading } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && state === "idle") {
        void load("/account/deposit/payments");
      }
    }, refreshMs);
    return () => clearInterval(timer);
  }, [load, state]);
  const asked = useRef(version);
  const latest = data?.version ?? version;
  useEffect(() => {
    if (latest === version || latest === asked.current || reading !== "idle") return;
    // Once for each: a line that is lost meanwhile is not asked for the whole page again and again.
    asked.current = latest;
    void revalidate();
  }, [latest, version, reading, revalidate]);
  return data?.payments ?? read;
}
