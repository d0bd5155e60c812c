import type { Network } from "#core/payments/address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, eq, inArray, sql } from "#server/platform/sql.ts";
import { incidentOf, isSilence } from "../../chain/answer-of.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { SourceIncident } from "../../chain/source-health.ts";
import type { Db } from "../../platform/database.ts";
import { runEach } from "../../platform/jobs/run-each.ts";
import { followBitcoinBatch } from "../bitcoin/follow-batch.ts";
import { endWhatIsLeft } from "../bitcoin/settle-batch.ts";
import { type Finality, followPayments } from "../ethereum/follow-payments.ts";
import type { Nodes } from "../node.ts";
import { withdrawalBatches, withdrawalBatchIncidents } from "../schema.ts";
import { abandonBatch } from "./abandon-batch.ts";
import type { Batch } from "./form-batch.ts";
import { recordPoll } from "./record-poll.ts";
import { sendWhatLeft } from "./send-what-left.ts";

interface Following {
  nodes: Nodes;
  network: Network;
  finality: Finality;
}

/**
 * Looks where every batch that goes on stands on its chain, settles what is final there, and sends again what was ordered and
 * is nowhere, or had ended before its block left the chain. What a node says of one batch keeps no other one from being
 * looked at, and is told to staff. A node that does not answer is asked no more in this pass; the next one begins with the
 * batches that it was not asked about.
 *
 * @throws the first error there was of a chain, once all were looked at
 */
export async function followBatches(db: Db, following: Following, now: () => Date): Promise<void> {
  await runEach(["bitcoin", "ethereum"] as const, (chain) =>
    followChain(db, { ...following, chain }, now),
  );
}

/** The same for the batches of one chain. */
export async function followChain(
  db: Db,
  { chain, ...following }: Following & { chain: WalletChain },
  now: () => Date,
): Promise<void> {
  const nodes = { bitcoin: null, ethereum: null, [chain]: following.nodes[chain] };
  const works = [
    ...(chain === "bitcoin" ? [() => endWhatIsLeft(db, now())] : []),
    () => sendWhatLeft(db, nodes, now()),
  ];
  const errors = await followEach(db, { chain, ...following }, now);
  for (const work of works) await work().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

async function followEach(
  db: Db,
  { chain, ...following }: Following & { chain: WalletChain },
  now: () => Date,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const batch of await listToFollow(db, chain)) {
    try {
      await follow(db, following, batch, now);
      await recordPoll(db, batch.id, null, now());
    } catch (error) {
      errors.push(error);
      await tellStaff(db, batch, error, now());
      if (isSilence(error)) break;
    }
  }
  return errors;
}

async function tellStaff(db: Db, batch: Batch, error: unknown, now: Date): Promise<void> {
  const incident = error instanceof NodeError ? incidentOf(error) : error;
  if (incident instanceof SourceIncident) await recordPoll(db, batch.id, incident, now);
}

/** Those that the node failed longest ago come before those that it failed lately. */
async function listToFollow(db: Db, chain: WalletChain): Promise<Batch[]> {
  const [b, t] = [withdrawalBatches, withdrawalBatchIncidents];
  const rows = await db
    .select({ batch: b })
    .from(b)
    .leftJoin(t, eq(t.batchId, b.id))
    .where(and(eq(b.chain, chain), inArray(b.state, ["formed", "broadcast"])))
    .orderBy(sql`${t.lastPolledAt} nulls first`, asc(b.formedAt));
  return rows.map(({ batch }) => batch);
}

async function follow(
  db: Db,
  { nodes, network, finality }: Following,
  batch: Batch,
  now: () => Date,
): Promise<void> {
  const { bitcoin, ethereum } = nodes;
  if (batch.chain === "bitcoin") {
    if (bitcoin) await followBitcoinBatch(db, { node: bitcoin, network, batch }, now);
  } else if (!(await abandonBatch(db, batch.id, now())) && ethereum) {
    await followPayments(db, { node: ethereum, finality, batch }, now);
  }
}
