export const usage = `Use: npm run verify -- ledger [SEAL:HASH]            (everything, against a seal's number and hash that you kept)
     npm run verify -- ledger --since SEAL:HASH      (what came after a seal that you kept)
     npm run verify -- mining                         (every run again from its evidence)
     npm run verify -- files                          (every file that the database names is in the file store)
     npm run verify -- marks                          (every digest of a day that is in the chain against the books)
     npm run verify -- addresses [DESCRIPTOR...]      (every address again from the wallets' keys; name wallets that you used before)
     npm run verify -- audit [--head POSITION:HASH]   (a head of the audit log that you kept)`;

interface Kept {
  number: string;
  hash: string;
}

const subjects = ["addresses", "ledger", "mining", "files", "marks", "audit"] as const;

export interface Order {
  subject: (typeof subjects)[number] | "ledger --since";
  kept?: Kept | undefined;
  /** Of `addresses`: descriptors of wallets that were used before. */
  former: string[];
}

/** What `npm run verify` was asked to verify; null where that cannot be read. */
export function readOrder([name = "", ...rest]: string[]): Order | null {
  const subject = subjects.find((each) => each === name);
  if (!subject) return null;
  if (subject === "addresses") return { subject, former: rest };
  const isSince = subject === "ledger" && rest[0] === "--since";
  const isHead = subject === "audit" && rest[0] === "--head";
  const mustKeep = isSince || isHead;
  const kept = readKept(mustKeep ? rest.slice(1) : rest);
  if (kept === null || (mustKeep && !kept)) return null;
  return { subject: isSince ? "ledger --since" : subject, kept, former: [] };
}

/** Undefined when nothing was given, null when it cannot be read. */
function readKept([text, ...more]: string[]): Kept | null | undefined {
  if (text === undefined) return undefined;
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(text) ?? [];
  return number && hash && more.length === 0 ? { number, hash } : null;
}
