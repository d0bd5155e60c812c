import { isSilent } from "#core/payments/silence.ts";
import { readRows, text } from "#server/platform/database/read-rows.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import type { Log } from "#server/platform/log/log.ts";
import { type MailContext, sendMail } from "#server/platform/mail/send-mail.ts";
import { sql } from "#server/platform/sql.ts";
import { tellAlarms } from "./tell-alarms.ts";

type Context = MailContext & Omit<Parameters<typeof tellAlarms>[0], "now"> & { log: Log };

const lookEveryMs = 60_000;

/** Looks each minute whether a worker runs, from a process that answers HTTP. Where none does, it tells staff, as the worker would. */
export function watchWorker(app: Context): { stop(): void } {
  const look = () =>
    tellWithoutWorker(app).catch((error: unknown) => {
      app.log.warn({ err: error }, "staff could not be told that no worker runs");
    });
  const looking = setInterval(() => void look(), lookEveryMs).unref();
  return { stop: () => clearInterval(looking) };
}

/** Does nothing while a worker runs. Else tells what is late, and sends those mails itself: nobody else sends any. */
export async function tellWithoutWorker(app: Context): Promise<void> {
  const { db, config, now } = app;
  const seenAt = await findWorkerSeen(db);
  if (seenAt && !isSilent(seenAt, workerPeriodSeconds, now())) return;
  await tellAlarms({ db, config, now: now() });
  const waiting = await readRows(
    db,
    sql`select id from mails where state = 'queued' and template = 'alarm' order by id desc limit 50`,
    { id: text },
  );
  for (const { id } of waiting) {
    await sendMail(app, id).catch((error: unknown) => {
      app.log.warn({ mailId: id, err: error }, "a mail about what is late did not leave");
    });
  }
}
