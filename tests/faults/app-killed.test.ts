import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { sealTransfers } from "../../server/ledger/seal-transfers.ts";
import { verifyLedger } from "../../server/ledger/verify/verify-ledger.ts";
import { isLong } from "../setup/slowness.ts";
import { testDatabase } from "../setup/test-database.ts";
import { type Asked, addUp, askAgain, expectExactlyOnce, type Outcome } from "./ask-again.ts";

const { db, applicationUrl } = await testDatabase({ documents: false });
const folder = mkdtempSync(path.join(tmpdir(), "assay-app-killed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const atOnce = 4;
const kills = isLong ? 5 * atOnce : atOnce;

interface App {
  process: ChildProcess;
  witness: string;
  gone: Promise<unknown>;
}

function startApp(name: string): App {
  const witness = path.join(folder, name);
  const script = path.join(import.meta.dirname, "posting-app.ts");
  const child = spawn(process.execPath, [script, applicationUrl, witness], { stdio: "inherit" });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return { process: child, witness, gone };
}

function readWitness({ witness }: App): Asked {
  const lines = existsSync(witness) ? readFileSync(witness, "utf8").split("\n").slice(0, -1) : [];
  const asked = lines.filter((line) => line.startsWith("?")).map((line) => line.slice(1));
  const told = lines
    .filter((line) => line.startsWith("="))
    .map((line): [string, string] => {
      const [key = "", transferId = ""] = line.slice(1).split("=");
      return [key, transferId];
    });
  return { asked: new Set(asked), told: new Map(told) };
}

async function killWhilePosting(app: App, afterMs: number): Promise<Asked> {
  await expect.poll(() => readWitness(app).told.size, { interval: 20 }).toBeGreaterThan(20);
  await wait(afterMs);
  app.process.kill("SIGKILL");
  await app.gone;
  const said = readWitness(app);
  expect(said.asked.size - said.told.size, "requests in doubt when it died").toBeGreaterThan(0);
  return said;
}

const title = `an application killed ${kills} times while it posts loses nothing that it was told, and the same keys give the same transfers`;
test(title, async ({ annotate }) => {
  const everything = new Set<string>();
  const outcomes: Outcome[] = [];
  for (let round = 0; round < kills / atOnce; round += 1) {
    const apps = Array.from({ length: atOnce }, (_, nth) => startApp(`${round}-${nth}`));
    const said = await Promise.all(apps.map((app, nth) => killWhilePosting(app, nth * 17)));
    for (const each of said) {
      outcomes.push(await askAgain(db, each));
      for (const key of each.asked) everything.add(key);
    }
  }
  const { acknowledged, lost, inDoubt, inDoubtPosted } = addUp(outcomes);
  await annotate(
    `${kills} kills: ${inDoubt} requests in doubt, of which ${inDoubtPosted} had been posted; ${acknowledged} acknowledged, ${lost} lost`,
  );
  expect(lost).toBe(0);
  expect(inDoubt).toBeGreaterThanOrEqual(kills);
  await expectExactlyOnce(db, everything);
  await sealTransfers(db, new Date());
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
});
