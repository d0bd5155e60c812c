import { partsOf, publicKinds, type StatusPart, statusParts } from "#core/status.ts";
import type { Config } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import { and, desc, gt, inArray, isNotNull, isNull, sql } from "#server/platform/sql.ts";
import { findSilence } from "../alarms/list-alarms.ts";
import { alarms } from "../schema.ts";

/** What is over before staff would be told of it is nothing to tell customers, and what was not seen for as long is over. */
const lastsSeconds = 180;
export const daysShown = 30;
const mostShown = 100;

export interface PartStatus {
  part: StatusPart;
  /** Since when it is late; null: it works. */
  lateSince: Date | null;
}

export interface PastLateness {
  part: StatusPart;
  from: Date;
  until: Date;
}

/** What works, and what was late, from the alarms of staff: Health has the same with its reasons. Nothing of customers or amounts. */
export async function listStatus(
  db: Db,
  config: Pick<Config, "bitcoinChain" | "ethereumChain">,
  now: Date,
): Promise<{ parts: PartStatus[]; past: PastLateness[]; plannedUntil: Date | null }> {
  const a = alarms;
  const columns = {
    kind: a.kind,
    subject: a.subject,
    from: sql`coalesce(${a.lateSince}, ${a.begunAt})`.mapWith(a.begunAt),
    until: a.seenAt,
  };
  const isShown = and(
    inArray(a.kind, publicKinds),
    sql`${a.seenAt} - ${a.begunAt} > make_interval(secs => ${lastsSeconds})`,
  );
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const [open, over, silence] = await Promise.all([
    db
      .select(columns)
      .from(a)
      .where(and(isNull(a.endedAt), isShown, gt(a.seenAt, ago(lastsSeconds))))
      .limit(1000),
    db
      .select(columns)
      .from(a)
      .where(and(isNotNull(a.endedAt), isShown, gt(a.endedAt, ago(daysShown * 86_400))))
      .orderBy(desc(a.endedAt))
      .limit(mostShown),
    findSilence(db, now),
  ]);
  const shown = shownParts(config);
  const since = new Map<StatusPart, Date>();
  for (const alarm of open) {
    for (const part of partsOf(alarm)) {
      const known = since.get(part);
      if (!known || alarm.from < known) since.set(part, alarm.from);
    }
  }
  return {
    parts: shown.map((part) => ({ part, lateSince: since.get(part) ?? null })),
    past: over.flatMap((alarm) =>
      partsOf(alarm)
        .filter((part) => shown.includes(part))
        .map((part) => ({ part, from: alarm.from, until: alarm.until })),
    ),
    plannedUntil: silence?.endsAt ?? null,
  };
}

/** A chain that no node is asked about is none of ours. */
function shownParts({
  bitcoinChain,
  ethereumChain,
}: Pick<Config, "bitcoinChain" | "ethereumChain">): StatusPart[] {
  const isThere: Partial<Record<StatusPart, boolean>> = {
    bitcoin: bitcoinChain !== null,
    ethereum: ethereumChain !== null,
  };
  return (Object.keys(statusParts) as StatusPart[]).filter((part) => isThere[part] ?? true);
}
