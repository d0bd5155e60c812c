/** What must stand behind a price that money was valued with: a `Claim` of the ledger, which this room does not know. */
export const priceClaims = [
  {
    claim:
      "every price that money was valued with is the middle of its exchanges' quotes, and simulated in demos alone",
    count: "market_prices",
    wrong: `
      select 'price ' || p.id as what from market_prices p
        left join (select q.price_id, count(*) as agreed,
                          div(percentile_disc(0.5) within group (order by q.usd_e8)
                              + percentile_disc(0.5) within group (order by q.usd_e8 desc), 2) as usd_e8
                     from market_quotes q join market_prices k on k.id = q.price_id and k.pinned
                    where q.verdict = 'agreed' group by q.price_id) q on q.price_id = p.id
       where p.pinned
         and ((p.agreed, p.usd_e8) is distinct from (q.agreed::smallint, q.usd_e8)
              or p.simulated and exists (select from installation i where not i.demo))`,
  },
];
