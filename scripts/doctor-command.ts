import { lateAdvice, sayLate } from "../core/late.ts";
import { formatMoment } from "../core/utc-day.ts";
import { listLateFactsAndWorker } from "../server/console/today/list-late.ts";
import { readSeen } from "../server/console/today/read-seen.ts";
import { originOf } from "../server/platform/config/read-config.ts";
import type { Config } from "../server/platform/config.ts";
import { findRunningEmbeddedPostgres } from "../server/platform/database/embedded-postgres.ts";
import type { Db } from "../server/platform/database.ts";
import { openFileStore } from "../server/platform/files/open-file-store.ts";
import { openLog } from "../server/platform/log/log.ts";
import { readDisk } from "../server/platform/read-disk.ts";
import { requireSameKeys } from "../server/platform/require-same-keys.ts";
import type { Printed } from "./printed.ts";
import { oneLine } from "./run-until-stopped.ts";
import { readConfigOfExisting, withDatabase } from "./with-database.ts";

const answersWithinMs = 5_000;

interface Finding {
  holds: boolean;
  says: string;
  advice?: string;
}

/**
 * `npm run doctor`: says on one screen whether the product runs, and what is late, with what to do, from the same list as Health, the
 * e-mails and the metrics. For who has a terminal and no console. Returns the exit code: 1 where anything is amiss.
 */
export async function doctorCommand(env: NodeJS.ProcessEnv, printed: Printed): Promise<number> {
  let findings: Finding[];
  try {
    findings = await examine(readConfigOfExisting(env));
  } catch (error) {
    findings = [{ holds: false, says: oneLine(error) }];
  }
  for (const { holds, says, advice } of findings) {
    printed.log(`${holds ? "ok   " : "WRONG"}  ${says}`);
    if (advice) printed.log(`       ${advice}`);
  }
  return findings.every(({ holds }) => holds) ? 0 : 1;
}

async function examine(config: Config): Promise<Finding[]> {
  const ofMachine = [await findDisk(config), ...(await findAnswer(config))];
  if (!config.databaseUrl && !findRunningEmbeddedPostgres(config.dataDir)) {
    const advice = "Start it. What is late cannot be told before.";
    return [...ofMachine, { holds: false, says: "The embedded database does not run.", advice }];
  }
  const ofDatabase = await withDatabase(config, (db) => findInDatabase(db, config)).catch(
    (error: unknown) => [{ holds: false, says: oneLine(error) }],
  );
  return [...ofMachine, ...ofDatabase];
}

async function findDisk({ dataDir }: Config): Promise<Finding> {
  const disk = await readDisk(dataDir);
  if (!disk) return { holds: false, says: `DATA_DIR ${dataDir} cannot be read.` };
  const { freeBytes, sizeBytes, isShort } = disk;
  const says = `${gigabytes(freeBytes)} of ${gigabytes(sizeBytes)} are free where DATA_DIR is.`;
  const advice = "Make room: without it nothing is written.";
  return isShort ? { holds: false, says, advice } : { holds: true, says };
}

/** Of a machine that answers HTTP. */
async function findAnswer({ host, port, role }: Config): Promise<Finding[]> {
  if (role === "worker" || port === 0) return [];
  const address = `${originOf(host, port)}/readyz`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(answersWithinMs) });
    const text = await answer.text();
    // A balancer's page says nothing of the product.
    const detail = text.startsWith("{") ? `: ${text.slice(0, 300)}` : "";
    const says = `${address} answers ${answer.status}${detail}`;
    return [{ holds: answer.ok, says }];
  } catch {
    const advice = "Does it run, and on this HOST and PORT? Its log says why it ended.";
    return [{ holds: false, says: `${address} does not answer.`, advice }];
  }
}

async function findInDatabase(db: Db, config: Config): Promise<Finding[]> {
  const now = new Date();
  const late = listLateFactsAndWorker(await readSeen(db, config, now));
  const log = openLog("silent");
  const own = {
    db,
    config,
    files: openFileStore(config, log),
    log,
    now: () => now,
    onlyCompares: true,
  };
  const keys = await requireSameKeys(own).then(
    () => ({
      holds: true,
      says: "Secrets and file store are no others than the database's processes have.",
    }),
    (error: unknown) => ({ holds: false, says: oneLine(error) }),
  );
  if (late.length === 0) return [keys, { holds: true, says: "Nothing is late." }];
  const ofLate = late.map((fact) => ({
    holds: false,
    says: `${sayLate(fact)}${fact.since ? `, since ${formatMoment(fact.since)}` : ""}.`,
    advice: lateAdvice[fact.kind],
  }));
  return [keys, ...ofLate];
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
