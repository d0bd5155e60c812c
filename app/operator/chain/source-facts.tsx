import type { ReactNode } from "react";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { isSilent } from "#core/payments/silence.ts";
import { healthTexts } from "#core/payments/source-health.ts";
import type { Position } from "#server/chain/find-position.ts";
import type { AskedSource } from "#server/chain/find-source.ts";
import styles from "../deposits/deposit.module.css";

interface SourceFactsProps {
  source: AskedSource | null;
  position: Position | null;
  now: Date;
  /** How often it is asked. */
  pollSeconds: number;
  /** What else is to be known of it. */
  more?: Array<{ label: string; value: ReactNode }>;
}

/** Whether the source can be used, and how far the chain was read with it. */
export function SourceFacts({ source, position, now, pollSeconds, more = [] }: SourceFactsProps) {
  if (!source) return <p className={layout.note}>It has not been asked yet: does a worker run?</p>;
  const isFine = source.health === "following" || source.health === "catching-up";
  const silent = isSilent(source.askedAt, pollSeconds, now);
  return (
    <div className={styles.form}>
      <Silence askedAt={silent ? source.askedAt : null} />
      {isFine ? null : (
        <Notice tone="warning" title={healthTexts[source.health]}>
          Nothing is credited or taken back until it can be used again. It says: {source.detail}.
        </Notice>
      )}
      <Facts
        facts={[
          {
            label: "Health",
            value: (
              <StatusBadge
                status={silent ? "Not asked" : healthOf(source, isFine)}
                tone={isFine && !silent ? "good" : "bad"}
              />
            ),
          },
          { label: "Since", value: source.since },
          { label: "Asked", value: <Age at={source.askedAt} now={now} /> },
          source.tipHeight !== null && {
            label: "Its newest block",
            value: source.tipHeight.toLocaleString("en-US"),
          },
          position !== null && {
            label: "Read up to",
            value: `${position.height.toLocaleString("en-US")}, from ${position.beganAtHeight.toLocaleString("en-US")} on`,
          },
          position !== null &&
            position.finalizedHeight !== null && {
              label: "Final up to",
              value: position.finalizedHeight.toLocaleString("en-US"),
            },
          position !== null && { label: "Hash", code: position.hash },
          position !== null && { label: "Time of that block", value: position.blockTime },
          ...more,
        ]}
      />
    </div>
  );
}

function healthOf({ health }: AskedSource, isFine: boolean): string {
  return isFine ? healthTexts[health] : "Cannot be used";
}

function Silence({ askedAt }: { askedAt: Date | null }) {
  if (!askedAt) return null;
  return (
    <Notice tone="warning" title="Not asked any more">
      Nothing is credited or taken back until it is asked again: does a worker run? Below is what it
      said on <When at={askedAt} />.
    </Notice>
  );
}
