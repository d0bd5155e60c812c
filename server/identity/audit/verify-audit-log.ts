import { sql } from "#server/platform/sql.ts";
import { allowMinutes, type Db, type Tx } from "../../platform/database.ts";
import { beforeTheFirstLink, type ChainedAct, hashLink } from "./audit-chain.ts";
import { walkApprovals } from "./verify-approvals.ts";

/** A link that somebody kept outside of this database. */
export interface KeptLink {
  link: string;
  /** Hexadecimal. */
  hash: string;
}

export interface AuditCheck {
  claim: string;
  holds: boolean;
  /** How much was looked at; of a claim that does not hold, the first that is wrong. */
  detail: string;
}

/** A statement that checks a table reads all of it. */
const verifiesWithinMinutes = 24 * 60;

/** How many links are in memory at once. */
const batchSize = 2_000;

/**
 * Recomputes the whole chain of the audit log from its rows, with the signatures of what was approved, reading one state of it
 * while staff go on. Trusts no hash that
 * is stored. Who owns the tables can compute a whole false chain, which shows against a kept link alone.
 */
export function verifyAuditLog(db: Db, kept?: KeptLink): Promise<AuditCheck[]> {
  return db.transaction(
    async (tx) => {
      await allowMinutes(tx, verifiesWithinMinutes);
      const walked = await walkChain(tx, kept);
      const checks = [walked.chain, await verifyCover(tx), ...(await walked.approvals.check(tx))];
      if (kept) checks.push(checkKept(kept, walked.keptHash));
      return checks;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function walkChain(
  tx: Tx,
  kept: KeptLink | undefined,
): Promise<{
  chain: AuditCheck;
  keptHash: string | null;
  approvals: ReturnType<typeof walkApprovals>;
}> {
  const claim = "every act is as it was written, and follows from the one before";
  let wrong: string | null = null;
  let keptHash: string | null = null;
  const approvals = walkApprovals();
  let last: Walked = { link: 0n, hash: beforeTheFirstLink };
  for await (const row of readChain(tx)) {
    wrong ??= findFault(row, last);
    last = { link: BigInt(row.link), hash: row.hash };
    if (row.id !== null) await approvals.look(row);
    if (kept && row.link === kept.link) keptHash = row.hash.toString("hex");
  }
  const head = last.link === 0n ? "nothing yet" : `head ${last.link}:${last.hash.toString("hex")}`;
  return { chain: { claim, holds: wrong === null, detail: wrong ?? head }, keptHash, approvals };
}

interface Walked {
  link: bigint;
  hash: Buffer;
}

/** The fields of the act are null where it is gone. */
type ChainRow = Omit<ChainedAct, "id"> & { id: string | null; actId: string; hash: Buffer };

async function* readChain(tx: Tx): AsyncGenerator<ChainRow> {
  let after = "0";
  for (;;) {
    const { rows } = await tx.execute(sql`
      select c.link::text as link, c.previous_hash as "previousHash", c.hash, c.act_id as "actId",
             a.id, a.position::text as position, a.act, a.operator_id as "operatorId", a.customer_id as "customerId",
             a.subject, a.detail::text as detail, a.request_id as "requestId",
             to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt"
        from audit_chain c left join audit_log a on a.id = c.act_id
       where c.link > ${after}::bigint order by c.link limit ${batchSize}`);
    yield* rows as unknown as ChainRow[];
    const lastOfBatch = rows.at(-1);
    if (!lastOfBatch) return;
    after = String(lastOfBatch["link"]);
  }
}

/** What is wrong with a link, or null. */
function findFault({ actId, id, hash, ...row }: ChainRow, before: Walked): string | null {
  const due = before.link + 1n;
  if (BigInt(row.link) !== due) return `link ${due} is missing`;
  const name = `link ${row.link}`;
  if (id === null) return `${name}: the act ${actId} is gone`;
  const what = `${name}, the act ${id} (${row.act} on ${row.subject})`;
  if (!row.previousHash.equals(before.hash)) return `${what} does not follow from the link before`;
  return hashLink({ ...row, id }).equals(hash) ? null : `${what} is not as it was written`;
}

async function verifyCover(tx: Tx): Promise<AuditCheck> {
  const claim = "no act stands beside the chain";
  const { rows } = await tx.execute(sql`
    select a.id, a.act, a.subject, count(*) over () as count
      from audit_log a left join audit_chain c on c.act_id = a.id
     where c.link is null order by a.position limit 1`);
  const [first] = rows;
  if (!first) return { claim, holds: true, detail: "each has its link" };
  const { id, act, subject, count } = first;
  const detail = `${count} without a link, first: the act ${id} (${act} on ${subject})`;
  return { claim, holds: false, detail };
}

function checkKept({ link, hash }: KeptLink, found: string | null): AuditCheck {
  const claim = `link ${link} is the one that was kept`;
  const holds = found === hash.toLowerCase();
  return { claim, holds, detail: holds ? "the same hash" : `here it is ${found ?? "missing"}` };
}
