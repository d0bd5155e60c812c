import { verifyAddresses } from "../server/chain/wallets/verify-addresses.ts";
import { verifyApprovedDocuments } from "../server/console/audit/verify-approved-documents.ts";
import { verifyAuditLog } from "../server/identity/audit/verify-audit-log.ts";
import { verifyMining } from "../server/mining/verify-mining.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import type { Config } from "../server/platform/config.ts";
import type { Db } from "../server/platform/database.ts";
import { verifyBooks, verifyBooksSince } from "../server/verify-books.ts";
import { loadEnv } from "./load-env.ts";
import { oneLine } from "./run-until-stopped.ts";
import { withDatabase } from "./with-database.ts";

const usage = `Use: npm run verify -- journal [SEAL:HASH]            (everything, against a seal's number and hash that you kept)
     npm run verify -- journal --since SEAL:HASH      (what came after a seal that you kept)
     npm run verify -- mining                         (every run again from its evidence)
     npm run verify -- addresses [DESCRIPTOR...]      (every address again from the wallets' keys; name wallets that you used before)
     npm run verify -- audit [--head POSITION:HASH]   (a head of the audit log that you kept)`;

interface Kept {
  number: string;
  hash: string;
}

interface Check {
  claim: string;
  holds: boolean;
  detail: string;
}

const [subject = "", ...rest] = process.argv.slice(2);

/** What can be verified, and how. */
const subjects: Record<string, (db: Db, kept?: Kept, config?: Config) => Promise<Check[]>> = {
  addresses: (db, _, config) =>
    verifyAddresses(db, {
      keys: Object.values(config?.wallets ?? {}),
      former: rest,
      progress: (derived) => {
        if (derived % 100_000 === 0) console.error(`${derived} addresses derived`);
      },
    }),
  journal: verifyBooks,
  "journal --since": (db, kept) => (kept ? verifyBooksSince(db, kept) : verifyBooks(db)),
  mining: verifyMining,
  audit: async (db, kept) => [
    ...(await verifyAuditLog(db, kept && { link: kept.number, hash: kept.hash })),
    ...(await verifyApprovedDocuments(db)),
  ],
};

const isSince = subject === "journal" && rest[0] === "--since";
const name = isSince ? "journal --since" : subject;
const verifySubject =
  Object.hasOwn(subjects, name) && !subject.includes(" ") ? subjects[name] : undefined;
const isHead = subject === "audit" && rest[0] === "--head";
const named = subject === "addresses" ? [] : rest;
const kept = readKept(isHead || isSince ? rest.slice(1) : named);
if (!verifySubject || kept === null || ((isHead || isSince) && !kept)) {
  console.error(usage);
  process.exit(1);
}

try {
  if (!(await verify(readConfig(loadEnv()), verifySubject, kept))) process.exitCode = 1;
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}

/** Undefined when nothing was given, null when it cannot be read. */
function readKept([text, ...more]: string[]): Kept | null | undefined {
  if (text === undefined) return undefined;
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(text) ?? [];
  return number && hash && more.length === 0 ? { number, hash } : null;
}

async function verify(
  config: Config,
  verifySubject: NonNullable<(typeof subjects)[string]>,
  kept: Kept | undefined,
): Promise<boolean> {
  const checks = await withDatabase(config, (db) => verifySubject(db, kept, config));
  for (const { claim, holds, detail } of checks) {
    console.log(`${holds ? "ok   " : "WRONG"}  ${claim}: ${detail}`);
  }
  return checks.every(({ holds }) => holds);
}
