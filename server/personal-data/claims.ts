import { bounds } from "#core/payments/bounds.ts";
import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

/** What the ledger must say of what leaving customers left. */
export const remainderClaims: Claim[] = [
  documentClaim({
    claim:
      "every remainder in the ledger was left by a customer who was closing the account, and is posted once",
    count: "left_remainders",
    kinds: ["remainder-left"],
    documents: (among) => `
      select 'remainder-left:' || r.id as key, 'remainder-left' as kind, r.customer_id as owner_id,
             array[('available', r.asset, -r.units), ('operator_equity', r.asset, r.units)]::ledger_leg[] as legs,
             'closing:' || r.closing_id as source, r.transfer_id, null::uuid as reverses, r.left_at as occurred_at, null::date as day
        from left_remainders r join account_closings c on c.id = r.closing_id and c.customer_id = r.customer_id and c.asked_at <= r.left_at
       where ${among("r.transfer_id", "id")}`,
  }),
  {
    claim: "every remainder is no more than may be left of its coin",
    count: "left_remainders",
    wrong: `
      select 'remainder ' || id as what from left_remainders
       where (units between 1 and most_units and most_units <= case asset when 'BTC' then ${bounds.left.BTC} when 'ETH' then ${bounds.left.ETH}
                                                                   else ${bounds.left.USDT} end) is not true`,
  },
];
