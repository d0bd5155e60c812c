import { Usd } from "#app/ui/figures/amount.tsx";
import type { PlanRecord } from "#server/mining/contracts/plan-records.ts";

/** What past contracts really returned. Results that cannot be read are said to be unreadable: never none. */
export function PastContracts({ record }: { record: PlanRecord | "none" | null }) {
  if (!record) return <>We could not read the results just now. Please reload this page later.</>;
  if (record === "none" || record.ended === 0) return <>None has ended yet.</>;
  const { ended, below, medianCents, p10Cents, p90Cents } = record;
  const share = Math.round((below * 100) / ended);
  return (
    <>
      {ended.toLocaleString("en-US")} {ended === 1 ? "has" : "have"} ended. Of every $100.00 paid,
      what was mined less maintenance came to <Usd cents={medianCents} /> in the middle,{" "}
      <Usd cents={p10Cents} /> or less in the worst tenth, <Usd cents={p90Cents} /> or more in the
      best; {below.toLocaleString("en-US")} of {ended.toLocaleString("en-US")} ({share}%) did not
      reach break-even. Each day counts at its own price.
    </>
  );
}
