import { Link } from "react-router";
import { Facts } from "#app/ui/page/facts.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { salesStopRemedies, salesStopWords } from "#core/mining/sales-stop.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Standing } from "#server/console/today/read-standing.ts";
import { counted } from "../parts/counted.ts";
import styles from "./today.module.css";

interface HashratePanelProps {
  hashrate: Standing["fleet"] & Pick<Standing, "lastDay">;
  today: string;
}

/** What is sold today, beside what was delivered on the last day that is credited. */
export function HashratePanel({ hashrate, today }: HashratePanelProps) {
  const { soldGhs, capacityGhs, sellsNothing, salesStop, outages, lastDay } = hashrate;
  return (
    <Panel
      title="Hashrate"
      aside={
        <Link to="/operator/fleet" className={styles.more}>
          Fleet
        </Link>
      }
    >
      <Facts
        facts={[
          {
            label: "Sold",
            value: `${formatHashrate(soldGhs)} of ${formatHashrate(capacityGhs)} on ${formatDay(today)}`,
          },
          {
            label: "Delivered",
            value: lastDay ? (
              <>
                <Link to={`/operator/mining/${lastDay.day}`}>
                  {formatHashrate(lastDay.deliveredGhs)}
                </Link>{" "}
                for {formatHashrate(lastDay.activeGhs)} sold on {formatDay(lastDay.day)}
                {lastDay.deliveredGhs < lastDay.activeGhs ? (
                  <span className={styles.bad}>, {partOf(lastDay)}</span>
                ) : null}
              </>
            ) : (
              "no day credited yet"
            ),
          },
          salesStop !== null && {
            label: "Sales are paused",
            value: (
              <span className={styles.bad}>
                {salesStopWords[salesStop]} {salesStopRemedies[salesStop]}
              </span>
            ),
          },
          sellsNothing && {
            label: "For sale",
            value: (
              <span className={styles.bad}>
                nothing: fewer than seven of the last ten days are credited, or pools saw nothing
              </span>
            ),
          },
          outages > 0 && {
            label: "Down now",
            value: <Link to="/operator/fleet/outages">{counted(outages, "outage")}</Link>,
          },
        ]}
      />
    </Panel>
  );
}

/** "98.3 %" */
function partOf({ deliveredGhs, activeGhs }: NonNullable<Standing["lastDay"]>): string {
  const permille = (deliveredGhs * 1000n) / activeGhs;
  return `${permille / 10n}.${permille % 10n} %`;
}
