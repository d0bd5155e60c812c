import { bytesToHex } from "@noble/hashes/utils.js";
import type { Step } from "../mining/recompute-receipt.ts";
import { formatDay } from "../utc-day.ts";
import { hashDay, type ProofDay } from "./day-digest.ts";
import { bytesOf, hashLeaf, hashSeal, rootOf, type Sibling } from "./seal.ts";

/** All that leads from a transfer to the published hash of a day. */
export interface TransferProof {
  /** Of the transfer, as they are hashed: docs/decisions/0002-the-journal.md. */
  fields: (string | null)[];
  /** From its leaf to the root of its seal. */
  path: Sibling[];
  /** The number of its seal, and the hash of the seal before in hexadecimal. */
  seal: { number: string; previousHash: string };
  /** Count, root in hexadecimal and time of its seal and of each one after it, to the one that the day stands on. */
  seals: [transferCount: number, merkleRoot: string, sealedAt: string][];
  day: ProofDay;
}

/** Works the hashes out again from the transfer on. It believes no result of the proof: each step takes what the one before computed. */
export function recomputeProof({ fields, path, seal, seals, day }: TransferProof): Step[] {
  const root = bytesToHex(rootOf(hashLeaf(fields), path));
  const last = String(BigInt(seal.number) + BigInt(seals.length - 1));
  let previousHash: Uint8Array = bytesOf(seal.previousHash);
  for (const [place, [transferCount, merkleRoot, sealedAt]] of seals.entries()) {
    previousHash = hashSeal({
      number: String(BigInt(seal.number) + BigInt(place)),
      ...{ previousHash, transferCount, sealedAt },
      merkleRoot: bytesOf(place === 0 ? root : merkleRoot),
    });
  }
  const sealHash = bytesToHex(previousHash);
  return [
    toStep(`Root of seal ${seal.number}`, {
      formula: `the transfer's hash with ${path.length} others`,
      ...{ computed: root, stated: seals[0]?.[1] ?? "" },
    }),
    toStep(`Seal ${last}`, {
      formula: `${seals.length} ${seals.length === 1 ? "seal" : "seals"} in a chain`,
      ...{ computed: sealHash, stated: day.sealNumber === last ? (day.sealHash ?? "") : "" },
    }),
    toStep(`Hash of ${formatDay(day.day)}`, {
      formula: "the day's seal, act and the hash before",
      ...{ computed: hashDay({ ...day, sealNumber: last, sealHash }), stated: day.digest },
    }),
  ];
}

function toStep(name: string, step: Omit<Step, "name" | "agrees">): Step {
  return { name, ...step, agrees: step.computed === step.stated };
}
