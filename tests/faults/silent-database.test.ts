import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { postTransfer } from "../../server/ledger/post-transfer.ts";
import { isDatabaseOutage } from "../../server/platform/database/database-failure.ts";
import { allowMinutes, openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { sql } from "../../server/platform/sql.ts";
import { startTcpProxy } from "../fakes/tcp-proxy.ts";
import { testDatabase } from "../setup/test-database.ts";
import { expectExactlyOnce } from "./ask-again.ts";
import { transferOf } from "./posting-load.ts";

const { applicationUrl } = await testDatabase({ documents: false });

/** The product's pool at the far end of a line of its own. */
async function throughLine() {
  const url = new URL(applicationUrl);
  const line = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${line.port}`;
  const db = openDatabase(url.href, openLog("silent"), { connections: 2 });
  afterAll(async () => {
    line.set("cut");
    await db.$client.end();
    await line.stop();
  });
  return { line, db };
}
const [begun, committed, slow] = [await throughLine(), await throughLine(), await throughLine()];

// Silence is long: all of them wait at once.
test.concurrent("what was begun, and not answered, was not done", async () => {
  const { line, db } = begun;
  const key = `${randomUUID()} 1`;
  await postTransfer(db, transferOf(`${randomUUID()} 1`));
  line.set("mute");
  const asked = db.transaction((tx) => postTransfer(tx, transferOf(key)));
  // BEGIN itself is not answered: nothing further is sent.
  await expect(asked).rejects.toSatisfy(isDatabaseOutage);
  line.set("open");
  expect((await postTransfer(db, transferOf(key))).posted).toBe(true);
  await expectExactlyOnce(db, [key]);
});

test.concurrent("what was done, but not answered, is not done twice when it is asked again", async () => {
  const { line, db } = committed;
  const key = `${randomUUID()} 2`;
  await db.$client.query("select 1");
  line.set("mute");
  await expect(postTransfer(db, transferOf(key))).rejects.toSatisfy(isDatabaseOutage);
  line.set("open");
  // It had reached PostgreSQL, which committed it; nobody was told.
  const again = await postTransfer(db, transferOf(key));
  expect(again.posted).toBe(false);
  await expectExactlyOnce(db, [key]);
});

test.concurrent("a statement that may take its time is not taken for silence, and keeps its limit to its transaction", async () => {
  const { db } = slow;
  const limits = await db.transaction(async (tx) => {
    await allowMinutes(tx, 10);
    await tx.execute(sql`select pg_sleep(18)`);
    const { rows } = await tx.execute(sql`show statement_timeout`);
    return rows;
  });
  expect(limits).toEqual([{ statement_timeout: "10min" }]);
  const { rows } = await db.execute(sql`show statement_timeout`);
  expect(rows).toEqual([{ statement_timeout: "15s" }]);
});
