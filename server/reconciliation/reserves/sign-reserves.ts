import { randomUUIDv7 } from "node:crypto";
import { Transaction } from "@scure/btc-signer";
import { eip191Signer } from "micro-eth-signer";
import {
  checkBitcoinAddress,
  checkEthereumAddress,
  type Network,
  toChecksumAddress,
} from "#core/payments/address.ts";
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
  /** The same as a transaction of bitcoin that moves nothing, for wallets that sign no messages; null on Ethereum. */
  psbt: Uint8Array | null;
}

/** Whose signatures are taken. */
export interface Signers {
  network: Network;
  /** The account on Ethereum that pays, if there is one. */
  account: string | null;
}

/**
 * What is to be signed by an address: of our wallets of bitcoin, or the account on Ethereum. Null: no day has a tree and a block of our
 * node yet.
 *
 * @throws Refusal `reconciliation/no-address`, `reconciliation/another-network`
 */
export async function prepareReserve(
  db: Db,
  { address, network }: { address: string; network: Network },
): Promise<ToSign | null> {
  const isAccount = isOnEthereum(address);
  const fault = isAccount ? checkEthereumAddress(address) : checkBitcoinAddress(address, network);
  if (fault === "wrong-network") throw new Refusal("reconciliation/another-network");
  if (fault) throw new Refusal("reconciliation/no-address");
  const row = await readDay(db);
  if (!row) return null;
  if (isAccount) return { ...row, address: toChecksumAddress(address), psbt: null };
  return { ...row, address, psbt: messagePsbt(row.message, address, network) };
}

/**
 * Records that an address of ours signed the newest proof, and has our node look for the coins that are there. `given` is a BIP-322
 * signature in base64, or the signed PSBT; of an account on Ethereum its EIP-191 signature ("personal_sign") in hexadecimal. Nothing counts
 * before the node has answered.
 *
 * @throws Refusal as `prepareReserve` and `actAsOperator` do, `reconciliation/nothing-to-sign`, `reconciliation/proof-is-older` where
 *   another day was signed, `reconciliation/not-a-signature`, `reconciliation/signed-otherwise`, `reconciliation/foreign-address`,
 *   `reconciliation/signed-already`
 */
export async function signReserves(
  db: Db,
  operator: ActingOperator,
  { day, given, ...signing }: { address: string; day: string; given: Uint8Array } & Signers,
  now: Date,
): Promise<void> {
  const toSign = await prepareReserve(db, signing);
  if (!toSign) throw new Refusal("reconciliation/nothing-to-sign");
  if (toSign.day !== day) throw new Refusal("reconciliation/proof-is-older");
  const { message, address } = toSign;
  const signature = signatureIn(given, toSign, signing.network);
  const walletId = await findOwn(db, address, signing);
  const id = randomUUIDv7();
  const detail = { day, address };
  const act = {
    act: "reconciliation/sign-reserves" as const,
    subject: `reserve:${id}`,
    detail,
    now,
  };
  await actAsOperator(db, operator, act, async (tx, actId) => {
    const said = { id, day, walletId, address, message, signature };
    const written = await tx
      .insert(reserveSignatures)
      .values({ ...said, operatorId: operator.id, actId, signedAt: now })
      .onConflictDoNothing()
      .returning({ id: reserveSignatures.id });
    if (written.length === 0) throw new Refusal("reconciliation/signed-already");
    const key = isOnEthereum(address) ? "read-accounts" : "read-reserves";
    const queue = isOnEthereum(address) ? nodeQueues.payInEthereum : nodeQueues.scanBitcoin;
    await enqueue(tx, `reconciliation/${key}`, {}, { key, maxAttempts: 10, queue });
  });
}

/** As anybody who knows the standard can check it, where it holds. */
function signatureIn(
  given: Uint8Array,
  { message, address, psbt }: ToSign,
  network: Network,
): string {
  if (!psbt) {
    const signature = Buffer.from(given).toString("latin1").trim().toLowerCase();
    if (!/^0x[0-9a-f]{130}$/.test(signature)) throw new Refusal("reconciliation/not-a-signature");
    if (!isSignedByAccount(message, address, signature)) throw signedOtherwise();
    return signature;
  }
  const witness = witnessOf(given, psbt, network);
  if (!witness) throw new Refusal("reconciliation/not-a-signature");
  if (!isSigned(message, address, network, witness)) throw signedOtherwise();
  return encodeSignature(witness);
}

const signedOtherwise = () => new Refusal("reconciliation/signed-otherwise");

function isSignedByAccount(message: string, address: string, signature: string): boolean {
  try {
    return eip191Signer.verify(signature, message, address);
  } catch {
    // No key could have made it.
    return false;
  }
}

/** The wallet of an address of bitcoin; null: the account on Ethereum that pays. */
async function findOwn(
  db: Db,
  address: string,
  { network, account }: Signers,
): Promise<string | null> {
  if (account !== null && address.toLowerCase() === account.toLowerCase()) return null;
  const walletId = isOnEthereum(address) ? null : await findOwnAddress(db, network, address);
  if (!walletId) throw new Refusal("reconciliation/foreign-address");
  return walletId;
}

const isOnEthereum = (address: string) => address.startsWith("0x");

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
