import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifyCommand } from "../../scripts/verify-command.ts";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { runBlocks } from "../setup/run-blocks.ts";
import { runInProcess } from "../setup/run-in-process.ts";
import { startProducts } from "../setup/started-product.ts";
import { startOperatorsServer, worksOffAJob } from "./operators-server.ts";

const page = readFileSync("docs/operating/backup-and-restore.md", "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "assay-restore-"));
const start = startProducts(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a demo fills itself with invented people, marked as a demo on every page; dumped while it runs or copied while it is stopped, word for word as the page says, it starts again, works and verifies", async () => {
  const demo = await start("demo", {}, { script: "demo" });
  await expect.poll(() => demo.output).toContain("password of all");
  for (const address of ["/", "/login", "/nowhere"]) {
    expect(await (await fetch(demo.url + address)).text()).toContain(
      "Every person and figure here is invented",
    );
  }
  await expect.poll(() => firstPrices(demo.url)).toContain('"asset":"BTC"');
  expect(await firstPrices(demo.url)).not.toContain('"simulated":false');

  const work = path.join(folder, "backup");
  mkdirSync(work);
  runBlocks(page, "### Dump", work, {
    DATABASE_OWNER_URL: findRunningEmbeddedPostgres(path.join(folder, "demo"))?.ownerUrl ?? "",
    DATA_DIR: path.join(folder, "demo"),
  });
  const server = await startOperatorsServer(folder);
  const target = await server.newDatabase("restored", "createrole");
  // As where another database of the server has the role already.
  await server.admin.query("create role assay_app nologin");
  await server.admin.query("grant assay_app to restored with admin option");
  const DATA_DIR = path.join(folder, "restored");
  mkdirSync(DATA_DIR);
  runBlocks(page, "### Restore the dump", work, {
    NEW_OWNER_URL: target,
    OWNER: "restored",
    DATA_DIR,
  });
  expect(await demo.end("SIGTERM")).toBe(0);

  // The demo may have swept away a file since.
  expect(filesBelow("restored")).toEqual(expect.arrayContaining(filesBelow("demo")));
  const env = { DATABASE_URL: target, DEMO: "1" };
  const restored = await start("restored", env);
  await restored.healthy();
  await worksOffAJob(target);
  for (const subject of ["ledger", "mining", "audit"]) await verify(subject, { ...env, DATA_DIR });
  await restored.end("SIGTERM");
  await server.stop();
  await isCopied("demo");
});

/** While it is stopped: by the page, and the copy starts and verifies. */
async function isCopied(stopped: string): Promise<void> {
  const work = path.join(folder, "copy");
  mkdirSync(work);
  runBlocks(page, "### Copy", work, { DATA_DIR: path.join(folder, stopped) });
  const again = path.join(folder, "again");
  mkdirSync(again);
  runBlocks(page, "### Put the copy back", work, { DATA_DIR: again });
  await (await start("again", {}, { script: "demo" })).healthy();
  await verify("ledger", { DATA_DIR: again });
}

/** The first prices that a stream brings. */
async function firstPrices(url: string): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/events/prices`, { signal: leaving.signal });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/^data: .*\n\n/m.test(text)) break;
  }
  leaving.abort();
  return text;
}

async function verify(subject: string, env: Record<string, string>): Promise<void> {
  const said = await runInProcess(verifyCommand, [subject], { ...process.env, ...env });
  expect(said).toMatchObject({ status: 0, stderr: "" });
  expect(said.stdout).toContain("ok ");
}

function filesBelow(product: string): string[] {
  const files = path.join(folder, product, "files");
  return readdirSync(files, { recursive: true, encoding: "utf8" }).sort();
}
