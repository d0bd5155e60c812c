import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "#tests/fakes/tcp-proxy.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { enqueue } from "./platform/jobs/jobs.ts";
import { findWorkerSeen } from "./platform/jobs/worker-seen.ts";
import { renderMail } from "./platform/mail/layout.ts";
import { queueMail } from "./platform/mail/queue-mail.ts";
import { releaseAbandoned, startWorker } from "./worker.ts";

const lines: TcpProxy[] = [];
const { app, db, owner } = await testApp({}, async (applicationUrl) => {
  const url = new URL(applicationUrl);
  const line = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  lines.push(line);
  url.port = String(line.port);
  return url.toString();
});
const [line] = lines;
if (!line) throw new Error("there is a line");

/** Queues a mail beside the line that is cut. */
async function queue(): Promise<string> {
  const site = { siteName: "Assay", appUrl: "https://assay.example" };
  const words = { template: "test", subject: "s", preview: "p", greeting: "g", paragraphs: [] };
  const content = renderMail(site, { ...words, headline: "h", because: "b" });
  const mail = { to: "ada@example.com", userId: null, now: new Date(), content };
  const { mailId } = await db.transaction((tx) => queueMail(tx, mail));
  if (!mailId) throw new Error("the mail is queued");
  return mailId;
}

/** What a worker of another test held when its line was cut: jobs, and queues in which nothing is done before minutes are over. */
async function releaseAll(): Promise<void> {
  for (const table of ["_private_jobs", "_private_job_queues"]) {
    await owner.query(
      `update graphile_worker.${table} set locked_at = null, locked_by = null where locked_at is not null`,
    );
  }
}

/** Jobs that wait for this very moment, or are under way. */
async function countJobs(): Promise<number> {
  const { rows } = await owner.query(
    `select count(*)::int as jobs from graphile_worker._private_jobs
      where attempts < max_attempts and (locked_at is not null or run_at <= now())`,
  );
  return rows[0].jobs;
}

async function stateOf(mailId: string): Promise<string> {
  const { rows } = await owner.query("select state from mails where id = $1", [mailId]);
  return rows[0].state;
}

test("works on after the database was away while jobs ran", async () => {
  const worker = await startWorker(app, { stuckAfterMs: 2_000 });
  try {
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 8 }, queue));
      line.set("cut");
      await new Promise((resolve) => setTimeout(resolve, 400));
      line.set("open");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const last = await queue();
    await expect.poll(() => stateOf(last)).toBe("sent");
    expect(readdirSync(path.join(app.config.dataDir, "outbox")).length).toBeGreaterThan(0);
  } finally {
    await worker.stop();
  }
});

test("works on after a line that swallowed what was asked", async () => {
  await releaseAll();
  const worker = await startWorker(app, { stuckAfterMs: 2_000 });
  try {
    // What begins with a start is done, and the worker knows: a job under way is given minutes.
    await expect.poll(() => countJobs()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    line.set("hole");
    // Long enough for each of its idle workers to ask for work, into the void.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    line.set("open");
    const last = await queue();
    await expect.poll(() => stateOf(last)).toBe("sent");
  } finally {
    await worker.stop();
    line.set("cut");
    line.set("open");
  }
});

test("a worker that comes back after hours is seen at once", async () => {
  await owner.query(
    `update graphile_worker._private_known_crontabs
        set known_since = now() - interval '2 days', last_execution = now() - interval '3 hours'`,
  );
  const away = await findWorkerSeen(db);
  expect(Date.now() - (away?.getTime() ?? 0)).toBeGreaterThan(3_600_000);
  const worker = await startWorker(app);
  try {
    const secondsAgo = async () => (Date.now() - Number(await findWorkerSeen(db))) / 1_000;
    await expect.poll(secondsAgo).toBeLessThan(120);
  } finally {
    await worker.stop();
  }
});

test("a job whose worker was killed is done by another one after half a minute", async () => {
  const [killed, running] = [await queue(), await queue()];
  const lock = `update graphile_worker._private_jobs set locked_by = 'dead', attempts = 1,
    locked_at = now() - $2::interval where key = 'mail:' || $1`;
  await owner.query(lock, [killed, "31 seconds"]);
  await owner.query(lock, [running, "20 seconds"]);
  await releaseAbandoned({ db, log: app.log });
  const { rows } = await owner.query(
    "select key from graphile_worker._private_jobs where locked_by = 'dead'",
  );
  expect(rows).toEqual([{ key: `mail:${running}` }]);
});

test("a queue whose worker was killed is worked on again after half a minute", async () => {
  for (const name of ["killed", "running"]) {
    await enqueue(db, "test/nobody-runs-this", {}, { queue: name });
  }
  const lock = `update graphile_worker._private_job_queues set locked_by = 'dead',
    locked_at = now() - $2::interval where queue_name = $1`;
  await owner.query(lock, ["killed", "31 seconds"]);
  await owner.query(lock, ["running", "20 seconds"]);
  await releaseAbandoned({ db, log: app.log });
  const { rows } = await owner.query(
    "select queue_name from graphile_worker._private_job_queues where locked_by = 'dead'",
  );
  expect(rows).toEqual([{ queue_name: "running" }]);
});
