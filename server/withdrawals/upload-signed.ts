import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq } from "drizzle-orm";
import type { Network } from "#core/address.ts";
import { Refusal } from "#core/refusal.ts";
import type { BitcoinNode } from "../chain/bitcoin-node.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusing } from "./as-refusal.ts";
import { asking } from "./node.ts";
import { readSigned } from "./read-signed.ts";
import { lockBatch } from "./rebuild-batch.ts";
import { withdrawalBatchVersions } from "./schema.ts";
import { isUuid, subjectOfBatch } from "./withdrawal.ts";

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
 * Takes what the offline signer gave back. It is refused unless it is, byte for byte, the version that was built, and the
 * node would take it with its signatures. Nothing is sent yet. The same again changes nothing.
 *
 * @throws AnotherPayment
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/changed-meanwhile` when there is a
 * newer version, `withdrawals/unreadable`, `withdrawals/not-signed`, `withdrawals/node-would-not-take-it`,
 * `withdrawals/node-does-not-answer`, and as `actAsOperator` does
 */
export async function uploadSigned(
  db: Db,
  operator: ActingOperator,
  upload: {
    batchId: string;
    number: number;
    signed: Uint8Array;
    network: Network;
    node: BitcoinNode;
  },
  now: Date,
): Promise<void> {
  const { batchId, number, signed, network, node } = upload;
  const v = withdrawalBatchVersions;
  const [version] = isUuid(batchId)
    ? await db
        .select()
        .from(v)
        .where(and(eq(v.batchId, batchId), eq(v.number, number)))
    : [];
  if (!version) throw new Refusal("withdrawals/no-such-batch");
  const read = readSigned(signed, version.psbt, network);
  if ("code" in read) {
    if (read.code === "another-payment") throw new AnotherPayment(read.differences);
    throw new Refusal(`withdrawals/${read.code}`);
  }
  const { raw } = read;
  await requireAcceptable(node, raw, version.txid);
  await refusing(() =>
    db.transaction(async (tx) => {
      const { last } = await lockBatch(tx, batchId);
      if (last.number !== number) throw new Refusal("withdrawals/changed-meanwhile");
      if (last.raw) return;
      const act = {
        ...{ act: "withdrawals/upload-signed" as const, subject: subjectOfBatch(batchId) },
        ...{ detail: { version: number, txid: version.txid }, now },
      };
      await actAsOperator(tx, operator, act, (inner, signedByAct) =>
        inner
          .update(v)
          .set({ raw, signedBy: operator.id, signedByAct, signedAt: now })
          .where(eq(v.id, version.id)),
      );
    }),
  );
}

/** Asks the node to check the signatures and its own rules. What it knows already is acceptable. */
async function requireAcceptable(node: BitcoinNode, raw: Uint8Array, txid: string): Promise<void> {
  const answer = await asking(() => node.testMempoolAccept(bytesToHex(raw)));
  if (answer.txid !== txid) throw new Refusal("withdrawals/unreadable");
  const reason = answer["reject-reason"] ?? "";
  const isKnown = /already|known/.test(reason);
  if (answer.allowed !== true && !isKnown) throw new Refusal("withdrawals/node-would-not-take-it");
}
