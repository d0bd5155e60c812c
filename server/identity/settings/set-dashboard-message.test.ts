import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { markOfMessage, setDashboardMessage } from "./set-dashboard-message.ts";

const { db, owner } = await testDatabase();
const operator = await createTestOperator(db);
const now = new Date("2026-11-21T12:00:00Z");

async function messageOf(customerId: string) {
  const { rows } = await owner.query(
    `select dashboard_message as text, dashboard_message_expires_at as "expiresAt",
            dashboard_message_act as act from customers where id = $1`,
    [customerId],
  );
  return rows[0];
}

async function actsOn(customerId: string) {
  const { rows } = await owner.query(
    "select id, act, operator_id, subject, detail from audit_log where customer_id = $1 order by position",
    [customerId],
  );
  return rows;
}

test("writes the message and, with it, who wrote what over what", async () => {
  const { id } = await createTestCustomer(db);
  const expiresAt = new Date("2026-12-01T00:00:00Z");
  await setDashboardMessage(
    db,
    operator,
    { customerId: id, text: " First ", expiresAt: null },
    now,
  );
  await setDashboardMessage(
    db,
    operator,
    { customerId: id, text: "notice: second", expiresAt },
    now,
  );
  const acts = await actsOn(id);
  expect(await messageOf(id)).toEqual({ text: "notice: second", expiresAt, act: acts[1].id });
  expect(
    acts.map(({ operator_id, subject, detail }) => ({ operator_id, subject, detail })),
  ).toEqual([
    {
      operator_id: operator.id,
      subject: `customer:${id}`,
      detail: { before: "", after: "First", expiresAt: null },
    },
    {
      operator_id: operator.id,
      subject: `customer:${id}`,
      detail: { before: "First", after: "notice: second", expiresAt: expiresAt.toISOString() },
    },
  ]);
});

test("an empty text takes the message and its expiry away", async () => {
  const { id } = await createTestCustomer(db);
  const expiresAt = new Date("2026-12-01T00:00:00Z");
  await setDashboardMessage(db, operator, { customerId: id, text: "Hello", expiresAt }, now);
  await setDashboardMessage(db, operator, { customerId: id, text: "  ", expiresAt }, now);
  expect(await messageOf(id)).toMatchObject({ text: "", expiresAt: null });
});

test("saving what stands there already is no act", async () => {
  const { id } = await createTestCustomer(db);
  const message = { customerId: id, text: "Hello", expiresAt: new Date("2026-12-01T00:00:00Z") };
  await setDashboardMessage(db, operator, message, now);
  await setDashboardMessage(db, operator, message, now);
  expect(await actsOn(id)).toHaveLength(1);
});

test("who looked at another message takes nobody's words away unseen", async () => {
  const { id } = await createTestCustomer(db);
  const seen = markOfMessage({ text: "", expiresAt: null });
  const one = { customerId: id, text: "one", expiresAt: null, seen };
  await setDashboardMessage(db, operator, one, now);
  await setDashboardMessage(db, operator, one, now);
  const two = setDashboardMessage(db, operator, { ...one, text: "two" }, now);
  await expect(two).rejects.toMatchObject({ code: "identity/message-changed-meanwhile" });
  await setDashboardMessage(db, operator, { ...one, text: "two", seen: markOfMessage(one) }, now);
  expect(await actsOn(id)).toHaveLength(2);
});

test("two operators at once leave two acts, each with what the other had written", async () => {
  const { id } = await createTestCustomer(db);
  const other = await createTestOperator(db);
  const write = (who: typeof operator, text: string) =>
    setDashboardMessage(db, who, { customerId: id, text, expiresAt: null }, now);
  await Promise.all([write(operator, "one"), write(other, "two")]);
  const [first, second] = await actsOn(id);
  expect(second.detail.before).toBe(first.detail.after);
  expect((await messageOf(id)).text).toBe(second.detail.after);
});

test.each([
  ["identity/message-too-long", { text: "x".repeat(501), expiresAt: null }],
  [
    "identity/message-names-address",
    { text: `Notice: pay to 0x${"aB1".repeat(13)}c.`, expiresAt: null },
  ],
  ["identity/message-already-expired", { text: "Hello", expiresAt: now }],
])("refuses with %s and writes nothing", async (code, message) => {
  const { id } = await createTestCustomer(db);
  const saving = setDashboardMessage(db, operator, { customerId: id, ...message }, now);
  await expect(saving).rejects.toMatchObject({ code });
  expect(await actsOn(id)).toEqual([]);
});

test("refuses a customer who does not exist", async () => {
  const nobody = { customerId: randomUUID(), text: "Hello", expiresAt: null };
  await expect(setDashboardMessage(db, operator, nobody, now)).rejects.toMatchObject({
    code: "identity/no-such-customer",
  });
});

test("PostgreSQL refuses a message without an act, from the application too", async () => {
  const { id } = await createTestCustomer(db);
  const quietly = db.$client.query(
    "update customers set dashboard_message = 'Pay first' where id = $1",
    [id],
  );
  await expect(quietly).rejects.toMatchObject({
    constraint: "dashboard_messages_are_written_by_an_act",
  });
});
