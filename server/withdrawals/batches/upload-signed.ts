import { isUuid } from "#core/is-uuid.ts";
import type { Network } from "#core/payments/address.ts";
import { Refusal } from "#core/refusal.ts";
import { and, asc, eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { readSigned } from "../bitcoin/read-signed.ts";
import { requireAcceptable } from "../bitcoin/require-acceptable.ts";
import { readSignedTransactions } from "../ethereum/read-signed.ts";
import { type Nodes, requireBitcoinNode } from "../node.ts";
import { refusals } from "../refusals.ts";
import {
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawalTransactions,
} from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { lockBatch } from "./rebuild-batch.ts";
import type { SignedFault } from "./signed-fault.ts";

/** What was signed is not what was to be signed. `differences` say how. */
export class AnotherPayment extends Refusal {
  override name = "AnotherPayment";
  readonly differences: string[];

  constructor(differences: string[]) {
    super("withdrawals/another-payment");
    this.differences = differences;
  }
}

/**
 * Takes what the offline signer gave back. It is refused unless it is, byte for byte, the version that was built, signed by the
 * wallet or the hot wallet; of Bitcoin the node is shown it, too. Nothing is sent yet. The same again changes nothing.
 *
 * @throws AnotherPayment
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/changed-meanwhile` when there is a
 * newer version, `withdrawals/unreadable`, `withdrawals/not-signed`, `withdrawals/node-would-not-take-it`,
 * `withdrawals/node-does-not-answer`, and as `actAsOperator` does
 */
export async function uploadSigned(
  db: Db,
  operator: ActingOperator,
  upload: { batchId: string; number: number; signed: Uint8Array; network: Network; nodes: Nodes },
  now: Date,
): Promise<void> {
  const { batchId, number } = upload;
  const v = withdrawalBatchVersions;
  const b = withdrawalBatches;
  const [found] = isUuid(batchId)
    ? await db
        .select({ version: v, hotWallet: b.hotWallet })
        .from(v)
        .innerJoin(b, eq(b.id, v.batchId))
        .where(and(eq(v.batchId, batchId), eq(v.number, number)))
    : [];
  if (!found) throw new Refusal("withdrawals/no-such-batch");
  const { version, hotWallet } = found;
  const keep = hotWallet
    ? await readForEthereum(db, { versionId: version.id, hotWallet }, upload.signed)
    : await readForBitcoin(version, upload);
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const { last } = await lockBatch(tx, batchId);
      if (last.number !== number) throw new Refusal("withdrawals/changed-meanwhile");
      if (last.signedAt) return;
      const act = {
        act: "withdrawals/upload-signed" as const,
        subject: subjectOfBatch(batchId),
        detail: { version: number, ...(version.txid && { txid: version.txid }) },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, signedByAct) => {
        const raw = await keep(inner);
        await inner
          .update(v)
          .set({ raw, signedBy: operator.id, signedByAct, signedAt: now })
          .where(eq(v.id, version.id));
      });
    }),
  );
}

/** Writes down the signed bytes that have no place in the version's own row, and returns those that do. */
type Keep = (tx: Tx) => Promise<Uint8Array | null>;

async function readForBitcoin(
  { unsigned, txid }: { unsigned: Uint8Array; txid: string | null },
  { signed, network, nodes }: { signed: Uint8Array; network: Network; nodes: Nodes },
): Promise<Keep> {
  const node = requireBitcoinNode(nodes);
  const { raw } = orRefuse(readSigned(signed, unsigned, network));
  await requireAcceptable(node, raw, txid ?? "");
  return async () => raw;
}

/** No node can say beforehand whether it would take them all: what counts is compared, and what is left the chain decides. */
async function readForEthereum(
  db: Db,
  { versionId, hotWallet }: { versionId: string; hotWallet: string },
  given: Uint8Array,
): Promise<Keep> {
  const t = withdrawalTransactions;
  const wanted = await db
    .select({ withdrawalId: t.withdrawalId, unsigned: t.unsigned })
    .from(t)
    .innerJoin(withdrawalPayments, eq(withdrawalPayments.withdrawalId, t.withdrawalId))
    .where(eq(t.versionId, versionId))
    .orderBy(asc(withdrawalPayments.nonce));
  const { signed } = orRefuse(readSignedTransactions(given, wanted, hotWallet));
  return async (tx) => {
    for (const { withdrawalId, raw, txid } of signed) {
      const isIt = and(eq(t.versionId, versionId), eq(t.withdrawalId, withdrawalId));
      await tx.update(t).set({ raw, txid }).where(isIt);
    }
    return null;
  };
}

function orRefuse<T extends object>(read: T | SignedFault): T {
  if (!("code" in read)) return read;
  if (read.code === "another-payment") throw new AnotherPayment(read.differences);
  throw new Refusal(`withdrawals/${read.code}`);
}
