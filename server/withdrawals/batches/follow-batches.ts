import type { Network } from "#core/payments/address.ts";
import { asc, inArray } from "#server/platform/sql.ts";
import { incidentOf } from "../../chain/answer-of.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { SourceIncident } from "../../chain/source-health.ts";
import type { Db } from "../../platform/database.ts";
import { followBitcoinBatch } from "../bitcoin/follow-batch.ts";
import { endWhatIsLeft } from "../bitcoin/settle-batch.ts";
import { type Finality, followPayments } from "../ethereum/follow-payments.ts";
import type { Nodes } from "../node.ts";
import { withdrawalBatches } from "../schema.ts";
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
 * is nowhere, or had ended before its block left the chain. A batch whose node does not answer keeps no other one from being
 * looked at, and says so to staff.
 *
 * @throws the first error there was, once all were looked at
 */
export async function followBatches(db: Db, following: Following, now: () => Date): Promise<void> {
  const b = withdrawalBatches;
  const open = await db
    .select()
    .from(b)
    .where(inArray(b.state, ["formed", "broadcast"]))
    .orderBy(asc(b.formedAt));
  const errors: unknown[] = [];
  for (const batch of open) {
    try {
      await follow(db, following, batch, now);
      await recordPoll(db, batch.id, null, now());
    } catch (error) {
      errors.push(error);
      const incident = error instanceof NodeError ? incidentOf(error) : error;
      if (incident instanceof SourceIncident) await recordPoll(db, batch.id, incident, now());
    }
  }
  await endWhatIsLeft(db, now()).catch((error) => errors.push(error));
  await sendWhatLeft(db, following.nodes, now()).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
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
