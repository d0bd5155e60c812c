import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { recordAccountEvent } from "./identity/account/account-events.ts";
import type { Tx } from "./platform/database.ts";
import { openMonths } from "./platform/jobs/open-months.ts";
import { forgetMails } from "./platform/mail/forget-mails.ts";
import { queueMail } from "./platform/mail/queue-mail.ts";

const { db, owner } = await testDatabase();
const now = new Date("2025-01-20T12:00:00Z");
const { id: userId } = await createTestCustomer(db, { email: "ada@example.com" });

/** An id of a moment, as a UUID of version 7 has it. */
function idOf(moment: string): string {
  const time = Date.parse(moment).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${randomUUID().slice(24)}`;
}

async function addMail(moment: string, state: "sent" | "failed" = "sent"): Promise<string> {
  const id = idOf(moment);
  await owner.query("insert into mail_keys (id, key) values ($1, $2)", [id, `told:${id}`]);
  await owner.query(
    `insert into mails (id, user_id, recipient, template, subject, state, body_text, body_html, created_at, sent_at, sent_via)
     values ($1, $2, 'ada@example.com', 'test', 'Hello', $3, '', '', $4, case $3 when 'sent' then $4::timestamptz end,
             case $3 when 'sent' then 'smtp' end)`,
    [id, userId, state, moment],
  );
  return id;
}

async function partOf(table: string, id: string): Promise<string | undefined> {
  const { rows } = await owner.query(
    `select tableoid::regclass::text as part from ${table} where id = $1`,
    [id],
  );
  return rows[0]?.part;
}

function aMail(key: string) {
  const content = { template: "test", subject: "Hello", preview: "", holdsLink: false };
  const write = () => ({ text: "Hello", html: "<p>Hello</p>" });
  return { to: "ada@example.com", userId, now, key, content: { ...content, write } };
}

test("what is written before its month is opened is kept with the rest, and so is its month", async () => {
  const early = await addMail("2025-01-05T00:00:00Z");
  await openMonths(db, "2025-01-31");
  await openMonths(db, "2025-02-01");
  const { rows } = await owner.query(
    "select month::text from months where parent = 'mails' order by month",
  );
  expect(rows.map(({ month }) => month)).toEqual(["2025-02-01", "2025-03-01"]);
  expect(await partOf("mails", early)).toBe("mails_rest");
  expect(await partOf("mails", await addMail("2025-01-31T23:59:59.999Z"))).toBe("mails_rest");
  expect(await partOf("mails", await addMail("2025-02-01T00:00:00Z"))).toBe("mails_2025_02");
  expect(await partOf("mails", await addMail("2025-02-28T23:59:59.999Z"))).toBe("mails_2025_02");
  expect(await partOf("mails", await addMail("2025-04-01T00:00:00Z"))).toBe("mails_rest");
});

test("a month of mails is taken out and put back; a key stays used, and what is forgotten stays so", async () => {
  const kept = await addMail("2025-02-10T00:00:00Z");
  const forgotten = await addMail("2025-02-11T00:00:00Z");
  await owner.query(
    "update mails set state = 'queued', sent_at = null, sent_via = null where id = $1",
    [kept],
  );
  await expect(owner.query("call detach_month('mails', '2025-02-01')")).rejects.toMatchObject({
    constraint: "mails_are_sent_before_their_month_goes",
  });
  await owner.query(
    "update mails set state = 'sent', sent_at = now(), sent_via = 'smtp' where id = $1",
    [kept],
  );
  await expect(owner.query("call detach_month('mails', '2025-03-01')")).rejects.toMatchObject({
    constraint: "months_are_taken_out_in_turn",
  });
  await owner.query("call detach_month('mails', '2025-02-01')");
  expect(await partOf("mails", kept)).toBeUndefined();
  const again = await db.transaction((tx) => queueMail(tx, aMail(`told:${kept}`)));
  expect(again).toEqual({ mailId: null });
  await db.transaction((tx) => forgetMails(tx, [forgotten]));

  await owner.query("call attach_month('mails', '2025-02-01')");
  expect(await partOf("mails", kept)).toBe("mails_2025_02");
  expect(await partOf("mails", forgotten)).toBeUndefined();
  const { mailId } = await db.transaction((tx) => queueMail(tx, aMail(`told:${forgotten}`)));
  expect(mailId).not.toBeNull();
});

test("a month of an account's history is taken out and put back, and is never rewritten", async () => {
  const id = idOf("2025-02-20T00:00:00Z");
  await owner.query(
    `insert into account_events (id, user_id, event, by, occurred_at) values ($1, $2, 'signed-in', 'self', $3)`,
    [id, userId, now],
  );
  await recordAccountEvent(db, { userId, event: "signed-out", by: "self", now });
  expect(await partOf("account_events", id)).toBe("account_events_2025_02");
  await owner.query("call detach_month('account_events', '2025-02-01')");
  expect(await partOf("account_events", id)).toBeUndefined();
  await expect(owner.query("delete from account_events_2025_02")).rejects.toMatchObject({
    constraint: "the_history_of_an_account_only_grows",
  });
  for (const attempt of [
    "update account_events_2025_02 set event = 'other'",
    "insert into account_events_2025_02 select * from account_events",
  ]) {
    await expect(owner.query(attempt), attempt).rejects.toMatchObject({
      constraint: "what_is_taken_out_stays_as_it_is",
    });
  }
  await owner.query("call attach_month('account_events', '2025-02-01')");
  for (const table of ["account_events", "account_events_2025_02"]) {
    for (const attempt of [`update ${table} set event = 'other'`, `truncate ${table}`]) {
      await expect(owner.query(attempt), attempt).rejects.toMatchObject({
        constraint: "the_history_of_an_account_only_grows",
      });
    }
  }
});

test("the application reads and writes months through their tables alone", async () => {
  const { rows } = await owner.query(
    `select c.relname, privilege from pg_class c
      cross join unnest('{insert,update,delete,truncate}'::text[]) privilege
      where c.relispartition and c.relkind = 'r' and has_table_privilege('assay_app', c.oid, privilege)`,
  );
  expect(rows).toEqual([]);
});

test("whoever writes to two tables waits for the opening of their months, and is never its deadlock", async () => {
  const event = (tx: Tx) =>
    recordAccountEvent(tx, { userId, event: "registered", by: "self", now });
  const mail = (tx: Tx) => queueMail(tx, aMail(`told:${randomUUID()}`));
  for (const [day, first, second] of [
    ["2025-05-01", event, mail],
    ["2025-06-01", mail, event],
  ] as const) {
    let opening: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await first(tx);
      // Whoever opens may give way.
      opening = expect(openMonths(db, day)).rejects.toMatchObject({ cause: { code: "55P03" } });
      opening.catch(() => undefined);
      const waiting = vi.waitFor(async () => expect(await countWaiting()).toBe(1), 2000);
      await Promise.race([waiting, opening]);
      await second(tx);
      await opening;
    });
    await openMonths(db, day);
  }
  const { rows } = await owner.query(
    "select from months where month in ('2025-06-01', '2025-07-01')",
  );
  expect(rows).toHaveLength(4);
});

async function countWaiting() {
  const { rowCount } = await owner.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount;
}
