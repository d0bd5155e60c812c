import { randomUUIDv7 } from "node:crypto";
import { Transaction } from "@scure/btc-signer";
import { checkBitcoinAddress, type Network } from "#core/payments/address.ts";
import { Refusal } from "#core/refusal.ts";
import { decodeSignature, encodeSignature, isSigned, messagePsbt } from "#core/wallet/bip322.ts";
import { findRow, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { enqueue, nodeQueues } from "#server/platform/jobs/jobs.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import { readSigned } from "../../withdrawals/bitcoin/read-signed.ts";
import { reserveSignatures } from "../schema.ts";
import { findOwnAddress } from "./find-own-address.ts";

/** What an address of ours signs over the newest proof. */
export interface ToSign {
  day: string;
  address: string;
  message: string;
  /** The same as a transaction that moves nothing, for wallets that sign no messages. */
  psbt: Uint8Array;
}

/**
 * What is to be signed by an address. Null: no day has a tree and a block of our node yet.
 *
 * @throws Refusal `reconciliation/no-address`, `reconciliation/another-network`
 */
export async function prepareReserve(
  db: Db,
  { address, network }: { address: string; network: Network },
): Promise<ToSign | null> {
  const fault = checkBitcoinAddress(address, network);
  if (fault === "wrong-network") throw new Refusal("reconciliation/another-network");
  if (fault) throw new Refusal("reconciliation/no-address");
  const row = await readDay(db);
  if (!row) return null;
  return { ...row, address, psbt: messagePsbt(row.message, address, network) };
}

/**
 * Records that an address of ours signed the newest proof, and has our node look for the coins that are there. `given` is a BIP-322
 * signature in base64, or the signed PSBT. Nothing counts before the node has answered.
 *
 * @throws Refusal as `prepareReserve` and `actAsOperator` do, `reconciliation/nothing-to-sign`, `reconciliation/proof-is-older` where
 *   another day was signed, `reconciliation/not-a-signature`, `reconciliation/signed-otherwise`, `reconciliation/foreign-address`,
 *   `reconciliation/signed-already`
 */
export async function signReserves(
  db: Db,
  operator: ActingOperator,
  {
    address,
    day,
    given,
    network,
  }: { address: string; day: string; given: Uint8Array; network: Network },
  now: Date,
): Promise<void> {
  const toSign = await prepareReserve(db, { address, network });
  if (!toSign) throw new Refusal("reconciliation/nothing-to-sign");
  if (toSign.day !== day) throw new Refusal("reconciliation/proof-is-older");
  const { message } = toSign;
  const witness = witnessOf(given, toSign.psbt, network);
  if (!witness) throw new Refusal("reconciliation/not-a-signature");
  if (!isSigned(message, address, network, witness))
    throw new Refusal("reconciliation/signed-otherwise");
  const walletId = await findOwnAddress(db, network, address);
  if (!walletId) throw new Refusal("reconciliation/foreign-address");
  const id = randomUUIDv7();
  const detail = { day, address };
  const act = {
    act: "reconciliation/sign-reserves" as const,
    subject: `reserve:${id}`,
    detail,
    now,
  };
  await actAsOperator(db, operator, act, async (tx, actId) => {
    const signature = encodeSignature(witness);
    const said = { id, day, walletId, address, message, signature };
    const written = await tx
      .insert(reserveSignatures)
      .values({ ...said, operatorId: operator.id, actId, signedAt: now })
      .onConflictDoNothing()
      .returning({ id: reserveSignatures.id });
    if (written.length === 0) throw new Refusal("reconciliation/signed-already");
    await enqueue(
      tx,
      "reconciliation/read-reserves",
      {},
      { key: "read-reserves", maxAttempts: 10, queue: nodeQueues.scanBitcoin },
    );
  });
}

/** Null: it is neither a signature nor this transaction with one. */
function witnessOf(given: Uint8Array, psbt: Uint8Array, network: Network): Uint8Array[] | null {
  const text = Buffer.from(given).toString("latin1").trim();
  const witness = text.startsWith("cHNidP") ? null : decodeSignature(text);
  if (witness) return witness;
  const signed = readSigned(given, psbt, network);
  if (!("raw" in signed)) return null;
  const finished = Transaction.fromRaw(signed.raw, { allowUnknownOutputs: true });
  return finished.getInput(0).finalScriptWitness ?? null;
}

function readDay(db: Db) {
  return findRow(
    db,
    sql`select day::text, reserve_message(d) as message from proof_days d
         where reserve_message(d) is not null order by d.day desc limit 1`,
    { day: text, message: text },
  );
}
