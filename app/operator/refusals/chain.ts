import type { Texts } from "#app/run-act.ts";

export const chain: Texts = {
  "chain/reason-missing": {
    field: "reason",
    text: "Write what you found, in at most 1,000 characters.",
  },
  "chain/changed-meanwhile": {
    text: "The node has another branch by now, or the watcher has read on. Nothing was done. Look at the chain again.",
    status: 409,
  },
  "chain/deep-reorg-proposed": {
    text: "A colleague has proposed this meanwhile. Nothing was done twice.",
    status: 409,
  },
  "chain/own-deep-reorg": {
    text: "You proposed this, so a colleague confirms it. Nothing was done.",
    status: 409,
  },
  "chain/proposer-left": {
    text: "The colleague who proposed this has left the staff. Decline it and propose it yourself.",
    status: 409,
  },
  "chain/no-such-deep-reorg": {
    text: "A colleague decided this while you looked at it.",
    status: 409,
  },
  "chain/node-does-not-answer": {
    text: "The node does not answer. Nothing was done. Try again in a minute.",
    status: 409,
  },
  "chain/another-wallet": {
    field: "address",
    text: "The configured key gives another address there. Your wallet may show another account, another kind of address, or start to count at 1. The wallet stays closed.",
  },
  "chain/unknown-wallet":
    "The configuration has changed in the meantime: this wallet is no longer used. Load the page again.",
};
