/** Why PostgreSQL asks for a second person (`payout_hashrate_needs_two`): follows "A second person is needed because". */
export const hashrateWords =
  "the amount does not fit the hashrate: nothing was paid, it is not between half and twice what the network paid for that hashrate on that day, or the network was not asked then";
