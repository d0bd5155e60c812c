import { useEffect, useState } from "react";
import { hoursAndMinutes } from "#core/text/hours-and-minutes.ts";

/** How long it is until a moment, counted from when the page was made, whatever the reader's clock says. */
export function TimeLeft({ until, now }: { until: Date; now: Date }) {
  const total = until.getTime() - now.getTime();
  const [leftMs, setLeftMs] = useState(total);
  useEffect(() => {
    const opened = performance.now();
    const timer = setInterval(() => setLeftMs(total - (performance.now() - opened)), 10_000);
    return () => clearInterval(timer);
  }, [total]);
  return <span role="timer">{hoursAndMinutes(leftMs)}</span>;
}
