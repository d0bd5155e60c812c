import { expect, test } from "vitest";
import { statusParts } from "#core/status.ts";
import { listStatus } from "#server/console/status/list-status.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
const { db, owner, app } = product;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function alarm(
  kind: string,
  subject: string,
  from: Date,
  until: Date | null = null,
  seen = until ?? new Date(),
) {
  await owner.query(
    `insert into alarms (id, subject, kind, words, late_since, begun_at, seen_at, ended_at)
     values (gen_random_uuid(), $1, $2, 'Reasons that are for staff', $3, $3, $4, $5)`,
    [subject, kind, from, seen, until],
  );
}

test("everything works where nothing is late, and a chain without a node is not ours to speak of", async () => {
  const html = await (await product.request("/status")).text();
  expect(html).toContain("Everything works.");
  expect(html).toContain("Nothing was late for longer than three minutes.");
  expect(html).toContain(statusParts.bitcoin.name);
  expect(html).not.toContain(statusParts.ethereum.name);
});

test("says what is late since when, and what was, without what staff are told", async () => {
  await alarm("chain", "chain bitcoin", minutesAgo(50));
  await alarm("prices", "prices BTC", minutesAgo(1));
  await alarm("backup", "backup", minutesAgo(90));
  await alarm("uncredited", "uncredited", minutesAgo(90));
  await alarm("mails", "mails", minutesAgo(300), minutesAgo(200));
  await alarm("mails", "mails", minutesAgo(60 * 24 * 40), minutesAgo(60 * 24 * 39));
  await alarm("proof", "proof", minutesAgo(500), minutesAgo(499));
  await alarm("chain", "chain ethereum", minutesAgo(500), minutesAgo(400));
  // Not seen for some minutes: over, though nobody has said so yet.
  await alarm("mails", "mails now", minutesAgo(50), null, minutesAgo(5));
  const { parts, past } = await listStatus(db, app.config, new Date());
  expect(parts.filter(({ lateSince }) => lateSince)).toEqual([
    { part: "bitcoin", lateSince: expect.any(Date) },
  ]);
  expect(past.map(({ part }) => part)).toEqual(["mail"]);
  const html = await product.readAnew("/status");
  expect(html).toContain("Not everything works");
  expect(html).toContain(statusParts.bitcoin.late);
  expect(html).not.toContain("for staff");
});
