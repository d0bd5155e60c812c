import { readRows, text } from "#server/platform/database/read-rows.ts";
import type { Log } from "#server/platform/log/log.ts";
import { type MailContext, sendMail } from "#server/platform/mail/send-mail.ts";
import { noteDisk } from "#server/platform/note-disk.ts";
import { sql } from "#server/platform/sql.ts";
import { tellAlarms } from "./tell-alarms.ts";

type Context = MailContext & Omit<Parameters<typeof tellAlarms>[0], "now"> & { log: Log };

const lookEveryMs = 60_000;

/** Looks each minute what is late, in a process that answers HTTP: a worker that is stuck does not tell that it is. */
export function watchAlarms(app: Context): { stop(): void } {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    await noteDisk(app).catch((error: unknown) => {
      app.log.warn({ err: error }, "how full the disk is could not be noted");
    });
    await tellBesideWorker(app).catch((error: unknown) => {
      app.log.warn({ err: error }, "staff could not be told what is late");
    });
    isLooking = false;
  };
  const looking = setInterval(() => void look(), lookEveryMs).unref();
  return { stop: () => clearInterval(looking) };
}

/** Tells what is late, and sends what the worker should have sent two minutes ago, each mail after waits that grow. */
export async function tellBesideWorker(app: Context): Promise<void> {
  const { db, config, now } = app;
  await tellAlarms({ db, config, now: now() });
  const waiting = await readRows(
    db,
    sql`select id from mails
         where state = 'queued' and template = 'alarm'
           and created_at + make_interval(mins => 2 * (2 ^ least(attempts, 12))::integer) < ${now().toISOString()}::timestamptz
         order by id desc limit 50`,
    { id: text },
  );
  for (const { id } of waiting) {
    await sendMail(app, id).catch((error: unknown) => {
      app.log.warn({ mailId: id, err: error }, "a mail about what is late did not leave");
    });
  }
}
