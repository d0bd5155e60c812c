import { adjustmentClaims } from "./adjustments/claims.ts";
import { contractClaims } from "./contracts/claims.ts";
import { planClaims } from "./contracts/plans/claims.ts";
import { depositClaims } from "./deposits/claims.ts";
import { staffClaims } from "./identity/claims.ts";
import { findLedgerBegin } from "./ledger/find-ledger-begin.ts";
import type { DocumentClaim } from "./ledger/verify/document-claim.ts";
import type { KeptSeal, LedgerCheck } from "./ledger/verify/ledger-check.ts";
import { type Claim, verifyClaims } from "./ledger/verify/verify-claims.ts";
import { ledgerClaims, ledgersRules } from "./ledger/verify/verify-ledger.ts";
import { verifySeals } from "./ledger/verify/verify-seals.ts";
import { verifyFrom, verifySince } from "./ledger/verify/verify-since.ts";
import { priceClaims } from "./markets/claims.ts";
import { miningClaims } from "./mining/claims.ts";
import { payoutClaims } from "./payouts/claims.ts";
import { remainderClaims } from "./personal-data/claims.ts";
import type { Db } from "./platform/database.ts";
import { digestsRules, proofClaims } from "./proof/claims.ts";
import { withdrawalClaims } from "./withdrawals/claims.ts";

/** What the rooms above the ledger say of it: each has its claims in its `claims.ts`. A new kind of transfer adds to these. */
const claimsOfRooms: Claim[] = [
  ...depositClaims,
  ...withdrawalClaims,
  ...adjustmentClaims,
  ...payoutClaims,
  ...contractClaims,
  ...miningClaims,
  ...remainderClaims,
  ...planClaims,
  ...priceClaims,
  ...staffClaims,
  ...proofClaims,
];

export const documentClaims = claimsOfRooms.filter(
  (claim): claim is DocumentClaim => "kinds" in claim,
);

const list = (kinds: string[]) => kinds.map((kind) => `'${kind}'`).join(", ");

const claimsOfAll: Claim[] = [
  ledgersRules,
  digestsRules,
  {
    claim: "every transfer counts for a day of the calendar that had begun when it happened",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || number as what from ledger_transfers
       where not isfinite(day) or not isfinite(occurred_at) or day > (occurred_at at time zone 'UTC')::date`,
  },
  {
    claim: "every transfer is of a kind whose documents are asked for",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || t.number || ' ' || t.kind as what from ledger_transfers t
        left join ledger_keys o on o.id = t.reverses
       where case when t.kind = 'reversal' then o.kind in (${list(documentClaims.flatMap(({ reverses }) => reverses))})
                  else t.kind in (${list(documentClaims.flatMap(({ kinds }) => kinds))}) end is not true`,
  },
  {
    claim: "every account and every transfer belongs to a customer or to the house",
    count: "ledger_accounts",
    wrong: `
      select 'account of ' || a.owner_id as what from ledger_accounts a left join customers c on c.id = a.owner_id
       where c.id is null and a.owner_id <> '00000000-0000-0000-0000-000000000000'
      union all
      select 'transfer ' || t.number from ledger_transfers t left join customers c on c.id = t.owner_id
       where c.id is null and t.owner_id <> '00000000-0000-0000-0000-000000000000'`,
  },
];

/** All that one statement can check. */
export const bookClaims: Claim[] = [...ledgerClaims, ...claimsOfAll, ...claimsOfRooms];

/**
 * Computes the whole ledger again from its rows, and asks each transfer for its document and each document for its transfer.
 * Trusts no balance, sum or hash that is stored. A rewritten history shows against a kept seal. Where older months were taken out,
 * what is here is verified as what came after them.
 */
export async function verifyBooks(db: Db, kept?: KeptSeal): Promise<LedgerCheck[]> {
  const begin = await db.transaction(findLedgerBegin);
  if (begin > 0n) {
    const ofWhatIsHere = await verifyClaims(db, claimsOfAnyMonths);
    return [...ofWhatIsHere, ...(await verifyFrom(db, begin, documentClaims, kept))];
  }
  return verifyClaims(db, bookClaims, (tx) => verifySeals(tx, kept));
}

/** What holds also where older months are not here. */
const claimsOfAnyMonths = [
  ...ledgerClaims.filter(({ count }) => count === "ledger_transfer_kinds"),
  ...claimsOfAll,
  ...planClaims,
  ...priceClaims,
  ...staffClaims,
  ...proofClaims,
];

/** The same of what came after a seal that was kept: what is under it is taken as it was verified then. */
export function verifyBooksSince(db: Db, kept: KeptSeal): Promise<LedgerCheck[]> {
  return verifySince(db, kept, documentClaims);
}
