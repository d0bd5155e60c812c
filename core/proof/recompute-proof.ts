import { bytesToHex } from "@noble/hashes/utils.js";
import type { Step } from "../mining/recompute-receipt.ts";
import { formatDay } from "../utc-day.ts";
import { hashDay, type ProofDay } from "./day-digest.ts";
import { bytesOf, hashLeaf, hashSeal, rootOf, type Sibling } from "./seal.ts";

/** All that leads from a transfer to the published hash of a day. */
export interface TransferProof {
  /** Of the transfer, as they are hashed: docs/decisions/0002-the-ledger.md. */
  fields: (string | null)[];
  /** From its leaf to the root of its seal. */
  path: Sibling[];
  /** The number of its seal, and the hash of the seal before in hexadecimal. */
  seal: { number: string; previousHash: string };
  /** Count, root in hexadecimal and time of its seal and of each one after it, to the one that the day stands on. */
  seals: [transferCount: number, merkleRoot: string, sealedAt: string][];
  day: ProofDay;
}

/** What a page shows of a transfer. */
export interface ShownTransfer {
  transferId: string;
  ownerId: string;
  kind: string;
  day: string;
  source: string;
  memo: string;
  reverses: string | null;
  entries: { account: string; asset: string; units: bigint; balanceAfter: bigint | null }[];
}

/**
 * Compares the proof with the transfer that a page shows, and works the hashes out again from there to the published digest. It
 * believes no result of the proof: each step takes what the one before computed.
 */
export function recomputeProof(
  { fields, path, seal, seals, day }: TransferProof,
  shown: ShownTransfer,
  digest: string,
): Step[] {
  const root = bytesToHex(rootOf(hashLeaf(fields), path));
  const last = String(BigInt(seal.number) + BigInt(seals.length - 1));
  let previousHash: Uint8Array = bytesOf(seal.previousHash);
  for (const [place, [transferCount, merkleRoot, sealedAt]] of seals.entries()) {
    previousHash = hashSeal({
      number: String(BigInt(seal.number) + BigInt(place)),
      previousHash,
      transferCount,
      sealedAt,
      merkleRoot: bytesOf(place === 0 ? root : merkleRoot),
    });
  }
  const sealHash = bytesToHex(previousHash);
  return [
    toStep("The transfer on this page", {
      formula: "what is hashed",
      computed: lineOf(fieldsShown(fields)),
      stated: lineOf(shown),
    }),
    toStep(`Root of seal ${seal.number}`, {
      formula: `the transfer's hash with ${path.length} others`,
      computed: root,
      stated: seals[0]?.[1] ?? "",
    }),
    toStep(`Seal ${last}`, {
      formula: `${seals.length} ${seals.length === 1 ? "seal" : "seals"} in a chain`,
      computed: sealHash,
      stated: day.sealNumber === last ? (day.sealHash ?? "") : "",
    }),
    toStep(`Hash of ${formatDay(day.day)}`, {
      formula: "the day's seal, act and the hash before",
      computed: hashDay({ ...day, sealNumber: last, sealHash }),
      stated: digest,
    }),
  ];
}

/** A transfer as it is shown or hashed, before the two are compared. */
type Compared = {
  [Name in Exclude<keyof ShownTransfer, "entries">]: string | null | undefined;
} & { entries: Record<"account" | "asset" | "units" | "balanceAfter", unknown>[] };

/** Of the fields of a leaf those that a page shows. */
function fieldsShown(fields: (string | null)[]): Compared {
  const [form, , id, , kind, ownerId, day, , , source, memo, reverses] = fields;
  const legs = fields.slice(12);
  const entries = Array.from({ length: Math.ceil(legs.length / 5) }, (_, place) => {
    const [account, asset, units, , balanceAfter] = legs.slice(place * 5, place * 5 + 5);
    return { account, asset, units, balanceAfter };
  });
  const transferId = form === "assay transfer 1" ? id : form;
  return { transferId, ownerId, kind, day, source, memo, reverses, entries };
}

/** The same line for the same transfer, whatever the order of its entries. */
function lineOf({ entries, ...shown }: Compared): string {
  const { transferId, ownerId, kind, day, source, memo, reverses } = shown;
  const legs = entries.map(
    ({ account, asset, units, balanceAfter }) =>
      `${account} ${units} ${asset}${balanceAfter === null ? "" : `, then ${balanceAfter}`}`,
  );
  return [transferId, ownerId, kind, day, source, memo, reverses, ...legs.sort()]
    .filter((each) => each !== null && each !== "")
    .join("; ");
}

/** A step that agrees where what came out is what is stated. */
export function toStep(name: string, step: Omit<Step, "name" | "agrees">): Step {
  return { name, ...step, agrees: step.computed === step.stated };
}
