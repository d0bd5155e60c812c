import { Link } from "react-router";
import { Panel } from "#app/ui/page/panel.tsx";
import type { DayCause, DayChange } from "#core/mining/explain-day.ts";
import { formatDay } from "#core/utc-day.ts";
import styles from "./mining.module.css";

interface DayChangesProps {
  changes: DayChange[];
  contractId: string;
  /** The day that it is compared with. */
  before: string;
}

/** Why a day brought less, or more, than the one before: the difference first, then its causes. */
export function DayChanges({ changes, contractId, before }: DayChangesProps) {
  const whole = changes.find(({ cause }) => cause === "credit");
  const causes = changes.filter(({ cause }) => cause !== "credit");
  const isLower = whole !== undefined && whole.permille < 0n;
  const link = (
    <Link to={`/account/mining/${contractId}/${before}`} className={styles.day}>
      {formatDay(before)}
    </Link>
  );
  return (
    <Panel title={isLower ? "Why this day was lower" : "Compared with the day before"}>
      <p className={styles.note}>
        {whole ? (
          <>
            Credited {percent(whole.permille)} {whole.permille < 0n ? "less" : "more"} bitcoin than
            on {link}.
          </>
        ) : (
          <>Credited as much bitcoin as on {link}.</>
        )}
      </p>
      {causes.length > 0 ? (
        <ul className={styles.next}>
          {causes.map(({ cause, permille }) => (
            <li key={cause}>{words[cause](percent(permille), permille < 0n)}</li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

const words: Record<DayCause, (size: string, isLess: boolean) => string> = {
  credit: () => "",
  downtime: (size, isLess) =>
    isLess
      ? `Downtime: our machines delivered ${size} less of the day.`
      : `Less downtime: our machines delivered ${size} more of the day.`,
  difficulty: (size, isLess) =>
    `Difficulty was ${size} ${isLess ? "lower" : "higher"}: the same hashrate finds ${isLess ? "more" : "fewer"} blocks.`,
  block: (size, isLess) => `A block paid ${size} ${isLess ? "less" : "more"}, fees included.`,
  pools: (size, isLess) =>
    `The rest is luck and fees of the pools: they paid ${size} ${isLess ? "less" : "more"} for the same work.`,
  price: (size, isLess) =>
    `Bitcoin was ${size} ${isLess ? "cheaper: the credit is worth less in dollars, and the maintenance fee takes more bitcoin" : "dearer: the credit is worth more in dollars, and the maintenance fee takes less bitcoin"}.`,
};

/** "3.1%", without a sign: the sentence says which way. */
function percent(permille: bigint): string {
  const size = permille < 0n ? -permille : permille;
  return `${size / 10n}.${size % 10n}%`;
}
