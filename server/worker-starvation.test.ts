import { randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { startSmtpInbox } from "#tests/fakes/smtp-inbox.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { sendNoticeLater } from "./notices/send-notice.ts";
import { enqueue, nodeQueues } from "./platform/jobs/jobs.ts";
import { renderMail } from "./platform/mail/layout.ts";
import { type NewMail, queueMail } from "./platform/mail/queue-mail.ts";
import { followSoon } from "./withdrawals/batches/follow-soon.ts";
import { startWorker } from "./worker.ts";

const { app, db, owner } = await testApp();
const customer = await createTestCustomer(db);

async function queue(subject: string, more: Partial<NewMail> = {}): Promise<void> {
  const words = { template: "test", subject, preview: "p", greeting: "g", paragraphs: [] };
  const content = renderMail(app.config, { ...words, headline: "h", because: "b" });
  const mail = { to: customer.email, userId: customer.id, now: new Date(), content, ...more };
  await db.transaction((tx) => queueMail(tx, { ...mail, countedElsewhere: true }));
}

async function notify(): Promise<void> {
  const deposit = { depositId: randomUUID(), method: "Bitcoin", usdCents: 100n };
  const notice = { kind: "deposit-received" as const, ...deposit };
  await db.transaction((tx) => sendNoticeLater(tx, { customerId: customer.id, notice }));
}

const nodeJobs = [
  "reconciliation/read-wallets",
  "chain/watch-bitcoin",
  "chain/watch-ethereum",
  "withdrawals/follow-bitcoin",
];

async function countDue(task: "mail" | "others", but: string[] = []): Promise<number> {
  const { rows } = await owner.query(
    `select count(*)::int as jobs from graphile_worker.jobs
      where run_at <= now() and attempts < max_attempts and (task_identifier = 'mail/send') = $1
        and task_identifier <> all ($2)`,
    [task === "mail", but],
  );
  return rows[0].jobs;
}

/** A server that accepts and says nothing, and the lines that it holds. */
async function startSilence() {
  const held = new Set<Socket>();
  const seen = { most: 0 };
  const silent = createServer((socket) => {
    held.add(socket);
    seen.most = Math.max(seen.most, held.size);
    socket.on("error", () => {}).on("close", () => held.delete(socket));
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  afterAll(() => silent.close());
  const end = () => {
    for (const socket of held) socket.destroy();
  };
  return { held, seen, end, port: (silent.address() as { port: number }).port };
}

test("a mail server that accepts and says nothing holds up letters alone", async () => {
  const { held, seen, end, port } = await startSilence();
  for (let nth = 0; nth < 20; nth += 1) await queue(`letter ${nth}`);
  const config = { ...app.config, smtpUrl: `smtp://127.0.0.1:${port}` };
  const worker = await startWorker({ ...app, config });
  try {
    await expect.poll(() => held.size).toBe(1);
    const work = ["markets/schedule-rounds", "mining/run", "mining/keep-clocks"];
    for (const name of [...work, "chain/schedule-passes", "withdrawals/follow-bitcoin"]) {
      await enqueue(db, name, {});
    }
    await notify();
    await expect.poll(() => countDue("others")).toBe(0);
    // None of the letters could leave meanwhile, and no second one was tried beside the first.
    const { rows } = await owner.query(
      "select count(*)::int as mails from mails where state = 'sent'",
    );
    expect(rows).toEqual([{ mails: 0 }]);
    expect(await countDue("mail")).toBeGreaterThan(0);
    expect(seen.most).toBe(1);
  } finally {
    end();
    await worker.stop();
    await owner.query("delete from graphile_worker._private_jobs");
  }
});

test("what somebody waits for leaves before notices", async () => {
  const inbox = await startSmtpInbox();
  for (const nth of [1, 2, 3]) {
    await queue(`notice ${nth}`, { isNotice: true });
  }
  await queue("reset link");
  const worker = await startWorker({ ...app, config: { ...app.config, smtpUrl: inbox.url } });
  try {
    await expect.poll(() => inbox.mails.length).toBe(4);
    expect(inbox.mails.map(({ subject }) => subject)).toEqual([
      "reset link",
      ...["notice 1", "notice 2", "notice 3"],
    ]);
  } finally {
    await worker.stop();
    await inbox.stop();
  }
});

test("notices are written when nothing that moves money is due", async () => {
  await notify();
  await enqueue(db, "mining/run", {});
  const { rows } = await owner.query(
    "select task_identifier as task from graphile_worker.jobs order by priority, run_at, id",
  );
  const tasks = rows.map(({ task }) => task);
  expect(tasks.indexOf("mining/run")).toBeLessThan(tasks.indexOf("notices/send"));
});

test("nodes that accept and say nothing hold up what asks them alone, however much that is", async () => {
  const silence = await startSilence();
  const url = `http://u:p@127.0.0.1:${silence.port}`;
  const ethereumChain = {
    url,
    chainIds: [1337],
    usdtContract: null,
    traces: false,
    ownAddresses: [],
  };
  const bitcoinChain = { url };
  const config = { ...app.config, bitcoinChain, ethereumChain };
  const withdrawer = await createWithdrawer(db, { now: new Date(Date.now() - 30 * 3_600_000) });
  await createUnsentBatch(db, { customer: withdrawer, operator: await createTestOperator(db) });
  for (let nth = 0; nth < 12; nth += 1) {
    await db.transaction((tx) => followSoon(tx, "bitcoin", `follow ${nth}`));
    const queue = nodeQueues.scanBitcoin;
    await enqueue(db, "reconciliation/read-wallets", {}, { queue });
  }
  const worker = await startWorker({ ...app, config });
  try {
    // Both chains' watchers, a batch, and a scan of a wallet.
    await expect.poll(() => silence.held.size).toBe(4);
    await enqueue(db, "mining/run", {});
    await notify();
    await expect.poll(() => countDue("others", nodeJobs)).toBe(0);
    expect(silence.seen.most).toBe(4);
  } finally {
    silence.end();
    await worker.stop();
    await owner.query("delete from graphile_worker._private_jobs");
  }
});
