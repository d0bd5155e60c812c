import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "micro-eth-signer";
import { formatAmount } from "#core/money.ts";
import type { SignedFault } from "../batches/signed-fault.ts";

/** A signed transaction of ours has some 180 bytes. */
const maxTransactionHex = 20_000;

export interface SignedTransaction {
  withdrawalId: string;
  raw: Uint8Array;
  /** Of the signed bytes. */
  txid: string;
}

export interface WantedTransaction {
  withdrawalId: string;
  unsigned: Uint8Array;
}

type Parsed = ReturnType<typeof Transaction.fromHex>;

/**
 * Reads what an offline signer gave back: our file with `signed` beside each transaction, a JSON list, or one in a line. Each
 * is compared with what was to be signed, byte for byte but for the signature, and with who had to sign it. Nothing may be
 * missing, and nothing be there beside it.
 */
export function readSignedTransactions(
  given: Uint8Array,
  wanted: WantedTransaction[],
  hotWallet: string,
): { signed: SignedTransaction[] } | SignedFault {
  const texts = findTransactions(Buffer.from(given).toString("utf8"));
  if (texts === null) return { code: "unreadable" };
  if (texts.length === 0) return { code: "not-signed" };
  const found = texts.map(parse);
  if (found.some((each) => each === null)) return { code: "unreadable" };
  const all = found.filter((each) => each !== null);
  if (all.some((each) => !each.isSigned)) return { code: "not-signed" };
  const said: string[] = [];
  const signed = wanted.flatMap(({ withdrawalId, unsigned }) => {
    const expected = Transaction.fromBytes(unsigned);
    const mine = all.filter((each) => each.raw.nonce === expected.raw.nonce);
    const [first] = mine;
    const name = `Nonce ${expected.raw.nonce}`;
    if (!first) said.push(`${name} is missing.`);
    else if (mine.length > 1) said.push(`${name} is there ${mine.length} times.`);
    else said.push(...compare(expected, first, hotWallet).map((each) => `${name}: ${each}`));
    return first
      ? [{ withdrawalId, raw: first.toBytes(), txid: `0x${first.hash.replace(/^0x/, "")}` }]
      : [];
  });
  const nonces = wanted.map(({ unsigned }) => Transaction.fromBytes(unsigned).raw.nonce);
  for (const { raw } of all) {
    if (!nonces.includes(raw.nonce)) said.push(`Nonce ${raw.nonce} is not in the batch.`);
  }
  return said.length > 0 ? { code: "another-payment", differences: said.slice(0, 20) } : { signed };
}

/** The hex of each transaction in a file or a text. Null: it is nothing that could hold any. */
function findTransactions(text: string): string[] | null {
  const trimmed = text.trim();
  if (!/^[[{"]/.test(trimmed)) return trimmed.split(/\s+/).filter((each) => each !== "");
  try {
    return collect(JSON.parse(trimmed));
  } catch {
    return null;
  }
}

/** Names that signers give the signed bytes. Others, such as our own `unsigned`, are passed over. */
const signedNames = new Set(["signed", "raw", "rawTransaction", "signedTransaction"]);

function collect(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(collect);
  if (typeof value !== "object" || value === null) return [];
  const named = Object.entries(value).filter(([name]) => signedNames.has(name));
  const [own] = named;
  if (own) return collect(own[1]);
  return "transactions" in value ? collect(value.transactions) : [];
}

function parse(text: string): Parsed | null {
  if (text.length > maxTransactionHex || !/^(0x)?[0-9a-f]+$/i.test(text)) return null;
  try {
    return Transaction.fromBytes(hexToBytes(text.replace(/^0x/i, "").toLowerCase()));
  } catch {
    return null;
  }
}

/** What differs, field by field; nothing when it is exactly what was to be signed, by who had to. */
function compare(wanted: Parsed, signed: Parsed, hotWallet: string): string[] {
  const fields = differ(wanted, signed);
  if (fields.length > 0) return fields;
  const unsigned = signed.removeSignature().toBytes();
  if (bytesToHex(unsigned) !== bytesToHex(wanted.toBytes())) return ["other bytes."];
  const signer = signerOf(signed);
  if (signer === hotWallet) return [];
  return [signer ? `signed by ${signer} instead of ${hotWallet}.` : "the signature does not hold."];
}

function signerOf(signed: Parsed): string | null {
  try {
    return signed.verifySignature() ? signed.recoverSender().address : null;
  } catch {
    return null;
  }
}

function differ(wanted: Parsed, signed: Parsed): string[] {
  if (signed.type !== wanted.type) return [`of type ${signed.type} instead of ${wanted.type}.`];
  const [is, shall] = [describe(signed), describe(wanted)];
  return Object.keys(shall).flatMap((name) =>
    is[name] === shall[name] ? [] : [`${name} is ${is[name]} instead of ${shall[name]}.`],
  );
}

function describe({ raw }: Parsed): Record<string, string> {
  const fields = raw as Record<string, unknown>;
  const ether = (name: string) => `${formatAmount((fields[name] as bigint) ?? 0n, "ETH")} ETH`;
  return {
    "the chain": String(fields["chainId"]),
    "its receiver": String(fields["to"]),
    "its value": ether("value"),
    "its data": String(fields["data"]),
    "its gas limit": String(fields["gasLimit"]),
    "its highest fee": `${fields["maxFeePerGas"]} wei`,
    "its tip": `${fields["maxPriorityFeePerGas"]} wei`,
    "its access list": JSON.stringify(fields["accessList"]),
  };
}
