import type { Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const chain: Texts = {
  "chain/reason-missing": {
    field: "reason",
    text: "Write what you found, in at most 1,000 characters.",
  },
  "chain/changed-meanwhile": meanwhile(
    "The node has another branch by now, or the watcher has read on. Nothing was done. Look at the chain again.",
  ),
  "chain/deep-reorg-proposed": meanwhile("This is proposed already. The page shows by whom."),
  "chain/own-deep-reorg": meanwhile(
    "You proposed this, so a colleague confirms it. Nothing was done.",
  ),
  "chain/proposer-left": meanwhile(
    "The colleague who proposed this has left the staff. Decline it and propose it yourself.",
  ),
  "chain/no-such-deep-reorg": decided,
  "chain/node-does-not-answer":
    "The node does not answer. Nothing was done. Try again in a minute.",
  "chain/another-wallet": {
    field: "address",
    text: "The configured key gives another address there. Your wallet may show another account, another kind of address, or start to count at 1. The wallet stays closed.",
  },
  "chain/unknown-wallet":
    "The configuration has changed in the meantime: this wallet is no longer used. Load the page again.",
};
