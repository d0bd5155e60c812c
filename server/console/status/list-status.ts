import { partsOf, publicKinds, type StatusPart, statusParts } from "#core/status.ts";
import type { Config } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import { and, desc, gt, inArray, isNotNull, isNull, lt, sql } from "#server/platform/sql.ts";
import { alarms } from "../schema.ts";

const minute = 60_000;
/** What is over before staff would be told of it is nothing to tell customers. */
const lastsMs = 3 * minute;
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
): Promise<{ parts: PartStatus[]; past: PastLateness[] }> {
  const a = alarms;
  const columns = {
    kind: a.kind,
    subject: a.subject,
    from: sql`coalesce(${a.lateSince}, ${a.begunAt})`.mapWith(a.begunAt),
    until: a.endedAt,
  };
  const isPublic = inArray(a.kind, publicKinds);
  const before = new Date(now.getTime() - lastsMs);
  const [open, over] = await Promise.all([
    db
      .select(columns)
      .from(a)
      .where(and(isNull(a.endedAt), isPublic, lt(a.begunAt, before)))
      .limit(1000),
    db
      .select(columns)
      .from(a)
      .where(
        and(
          isNotNull(a.endedAt),
          isPublic,
          gt(a.endedAt, new Date(now.getTime() - daysShown * 24 * 60 * minute)),
          sql`${a.seenAt} - ${a.begunAt} > interval '3 minutes'`,
        ),
      )
      .orderBy(desc(a.begunAt), desc(a.id))
      .limit(mostShown),
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
        .map((part) => ({ part, from: alarm.from, until: alarm.until ?? now })),
    ),
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
