import { Day, When } from "#app/ui/figures/when.tsx";
import list from "./console-list.module.css";

/** When a clock ends its contract, if nothing is paid and no day is late. */
export function ClockEnd({
  clock,
}: {
  clock: { expiresAt: Date; waitsFor: { day: string } | null };
}) {
  return (
    <>
      <When at={clock.expiresAt} />
      {clock.waitsFor ? (
        <div className={list.second}>
          Stands still until <Day day={clock.waitsFor.day} /> is posted
        </div>
      ) : null}
    </>
  );
}
