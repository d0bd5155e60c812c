import { expect, test } from "vitest";
import { lateAdvice } from "#core/late.ts";
import { tellAlarms } from "#server/console/alarms/tell-alarms.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
const { db, owner, app } = product;
const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const staff = async (role: "treasurer" | "content") =>
  signInAs(product, await createTestOperator(db, { role }));
const cookies = { treasurer: await staff("treasurer"), content: await staff("content") };

async function read(cookie: string): Promise<string> {
  const answer = await product.request("/operator/health", { cookie });
  return (await answer.text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}
const send = (form: Record<string, string>) =>
  product.request("/operator/health", { cookie: cookies.treasurer, form });

test("says what is late and what to do to those who may read of it, and nothing where there is nothing", async () => {
  expect(await read(cookies.treasurer)).toContain("Nothing is late.");
  await owner.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('a', now(), now())`,
  );
  await owner.query(
    "insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'unreachable', '', now(), now())",
  );
  await tellAlarms({ db, config: app.config, now: new Date() });
  const page = await read(cookies.treasurer);
  expect(page).toContain("Bitcoin node: cannot be reached");
  expect(page).toContain(lateAdvice.chain);
  expect(page).toContain("Staff are not told yet.");
  expect(await read(cookies.content)).not.toContain("Bitcoin node");
});

test("planned work keeps what was typed when it is refused, is seen by colleagues, and ends", async () => {
  const refused = await send({ intent: "silence", hours: "3", reason: "New disks" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('value="New disks"');
  expect((await send({ intent: "silence", hours: "2", reason: "New disks" })).status).toBe(302);
  expect(await read(cookies.content)).toContain("New disks");
  expect((await send({ intent: "silence", hours: "1", reason: "Again" })).status).toBe(409);
  const { rows } = await owner.query("select id from alarm_silences");
  expect((await send({ intent: "end", silenceId: rows[0].id })).status).toBe(302);
  expect(await read(cookies.treasurer)).not.toContain("New disks");
});

test("says of backups that there are none, or how new they are and what the last drill found", async () => {
  expect(await read(cookies.content)).toContain("BACKUP_FOLDER is not set");
  const backedUp = await testApp({
    BACKUP_FOLDER: "/nowhere/backups",
    BACKUP_RECIPIENT: recipient,
  });
  const cookie = await signInAs(backedUp, await createTestOperator(backedUp.db, { role: "owner" }));
  const look = async () => {
    const answer = await backedUp.request("/operator/health", { cookie });
    return (await answer.text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  };
  expect(await look()).toContain("none yet");
  await backedUp.owner.query(
    `insert into backup_marks values ('backup', now(), null, null, null), ('wal', now(), null, null, null), ('drill', now(), now(), 48, false)`,
  );
  const page = await look();
  expect(page).toContain("/nowhere/backups");
  expect(page).toContain("it did not hold");
  expect(page).not.toContain("48 s");
  await backedUp.owner.query("update backup_marks set holds = true where of = 'drill'");
  expect(await look()).toContain("48 s");
});
