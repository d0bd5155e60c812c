import type { Network } from "#core/payments/address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, eq, inArray, isNull, sql } from "#server/platform/sql.ts";
import { incidentOf, isUnanswered } from "../../chain/answer-of.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { SourceIncident } from "../../chain/source-health.ts";
import type { Db } from "../../platform/database.ts";
import { runEach } from "../../platform/jobs/run-each.ts";
import { followBitcoinBatch } from "../bitcoin/follow-batch.ts";
import { endWhatIsLeft } from "../bitcoin/settle-batch.ts";
import { type Finality, followPayments } from "../ethereum/follow-payments.ts";
import type { Nodes } from "../node.ts";
import { withdrawalAbandonments, withdrawalBatches, withdrawalBatchIncidents } from "../schema.ts";
import { abandonBatch } from "./abandon-batch.ts";
import type { Batch } from "./form-batch.ts";
import { listLeftOnBitcoin, listLeftOnEthereum } from "./list-left-payments.ts";
import { unlessRefused } from "./unless-refused.ts";

interface Following {
  nodes: Nodes;
  network: Network;
  finality: Finality;
}

/**
 * Follows the batches of both chains.
 *
 * @throws what `followChain` returns, once all were looked at
 */
export async function followBatches(db: Db, following: Following, now: () => Date): Promise<void> {
  await runEach(["bitcoin", "ethereum"] as const, async (chain) => {
    const [failure] = await followChain(db, { ...following, chain }, now);
    if (failure) throw failure;
  });
}

/**
 * Looks where every batch that goes on stands on its chain, settles what is final there, and sends again what was ordered and
 * is nowhere, or had ended before its block left the chain. What a node says of one batch keeps no other one from being
 * looked at, and is told to staff. A node that does not answer is asked no more in this pass; the next one begins with the
 * batches that it was not asked about. Returns what failed; what needs no node is done all the same.
 */
export async function followChain(
  db: Db,
  { chain, ...following }: Following & { chain: WalletChain },
  now: () => Date,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const attempt = (work: () => Promise<unknown>) => work().catch((error) => failures.push(error));
  if (chain === "ethereum") await attempt(() => abandonBatches(db, chain, now()));
  for (const batch of await listToFollow(db, chain)) {
    try {
      await follow(db, following, batch, now);
      await recordPoll(db, batch.id, null, now());
    } catch (error) {
      failures.push(error);
      await tellStaff(db, batch, error, now());
      if (isUnanswered(error)) break;
    }
  }
  if (chain === "bitcoin") await attempt(() => endWhatIsLeft(db, now()));
  const nodes = { bitcoin: null, ethereum: null, [chain]: following.nodes[chain] };
  if (!failures.some(isUnanswered)) await attempt(() => sendWhatLeft(db, nodes, now()));
  return failures;
}

/** Ends the batches that two people said end. On Ethereum that needs no node. */
async function abandonBatches(db: Db, chain: WalletChain, now: Date): Promise<void> {
  const [b, a] = [withdrawalBatches, withdrawalAbandonments];
  const isSaid = and(eq(b.chain, chain), isNull(b.endedAt), eq(a.state, "confirmed"));
  const said = await db
    .select({ id: b.id })
    .from(b)
    .innerJoin(a, eq(a.batchId, b.id))
    .where(isSaid);
  await runEach(said, ({ id }) => abandonBatch(db, id, now));
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
  } else if (ethereum) {
    await followPayments(db, { node: ethereum, finality, batch }, now);
  }
}

/** Writes down how a look at a batch ended: null, or what kept it from being followed, and since when that does. */
async function recordPoll(
  db: Db,
  batchId: string,
  incident: SourceIncident | null,
  now: Date,
): Promise<void> {
  const t = withdrawalBatchIncidents;
  if (!incident) {
    await db.delete(t).where(eq(t.batchId, batchId));
    return;
  }
  const { health, message: detail } = incident;
  const since = sql`case when ${t.health} = ${health} then ${t.since} else ${now} end`;
  await db
    .insert(t)
    .values({ batchId, health, detail, since: now, lastPolledAt: now })
    .onConflictDoUpdate({ target: t.batchId, set: { health, detail, since, lastPolledAt: now } });
}

/** For so long after its block left the chain. */
const againForMs = 14 * 86_400_000;

/**
 * Sends again what had ended when its block left the chain after all: the bytes that were signed, whose coins and nonces no chain
 * takes twice. What was given back is not sent again. What a node refuses keeps no other transaction waiting, nor does a node that
 * does not answer the other chain.
 *
 * @throws NodeError when a node does not answer
 */
async function sendWhatLeft(db: Db, { bitcoin, ethereum }: Nodes, now: Date): Promise<void> {
  const since = new Date(now.getTime() - againForMs);
  const ofBitcoin = bitcoin ? await listLeftOnBitcoin(db, since) : [];
  const ofEthereum = ethereum ? await listLeftOnEthereum(db, since) : [];
  const sent = await Promise.allSettled([
    sendEach(ofBitcoin, (raw) => bitcoin?.sendRawTransaction(raw)),
    sendEach(ofEthereum, (raw) => ethereum?.sendRawTransaction(`0x${raw}`)),
  ]);
  for (const each of sent) if (each.status === "rejected") throw each.reason;
}

/** A node that does not answer is not asked about the others. */
async function sendEach(
  left: Array<{ raw: Uint8Array | null }>,
  send: (raw: string) => Promise<unknown> | undefined,
): Promise<void> {
  for (const { raw } of left) await unlessRefused(send(inHex(raw)));
}

function inHex(raw: Uint8Array | null): string {
  return Buffer.from(raw ?? []).toString("hex");
}
