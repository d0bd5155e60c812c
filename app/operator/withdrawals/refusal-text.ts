import { passkeyNeeded } from "../passkey-needed.ts";

const texts: Record<string, string> = {
  "withdrawals/not-found": "There is no such withdrawal.",
  "withdrawals/not-confirmed": "Its customer has not confirmed it by mail yet.",
  "withdrawals/already-decided": "This was decided while you looked at it.",
  "withdrawals/too-late": "It is in a batch already. Nothing was done.",
  "withdrawals/reason-missing": "Write the reason, in at most 1,000 characters.",
  "withdrawals/bad-end": "Choose an end that is still to come.",
  "withdrawals/held-already": "It is held already.",
  "withdrawals/hold-too-long":
    "All holds on one withdrawal end within 30 days of the first. Choose an earlier end.",
  "withdrawals/account-frozen": "The customer's account is frozen. Nothing was done.",
  "withdrawals/money-stays":
    "A way into the account was changed lately, so its money stays for 24 hours. Nothing was done.",
  "withdrawals/no-node": "No Bitcoin node is configured (BITCOIN_RPC_URL).",
  "withdrawals/no-wallet": "No Bitcoin wallet is configured, or another one than the batch's.",
  "withdrawals/no-ethereum-node": "No Ethereum node is configured (ETHEREUM_RPC_URL).",
  "withdrawals/no-payer":
    "No address is configured that ether and USDT are paid from (WITHDRAWAL_ADDRESS_ETHEREUM), or no USDT contract.",
  "withdrawals/wrong-chain": "The Ethereum node is on another chain than the configured network.",
  "withdrawals/node-behind":
    "The Ethereum node says that a nonce is free which was given out already: it is behind. Nothing was done.",
  "withdrawals/batch-goes-on":
    "A batch from this address goes on. The next one is formed when it has ended.",
  "withdrawals/would-fail":
    "The node says that each of these payments would fail, or use more than 100,000 gas. Look at their addresses, and reject them with the reason.",
  "withdrawals/all-in-blocks": "Every payment of it is in a block already.",
  "withdrawals/node-does-not-answer": "The node does not answer. Nothing was done.",
  "withdrawals/bad-fee-rate":
    "For bitcoin 0.1 to 1000 satoshis per virtual byte, to three decimal places; for Ethereum gwei of which the tip is a part, up to 1000.",
  "withdrawals/fee-not-relayed":
    "The node does not pass on what pays so little. The form says how much it asks for.",
  "withdrawals/fee-too-high":
    "The fee would be more than a tenth of what is paid, or ten times what the network asks. Lower it.",
  "withdrawals/scan-too-old":
    "What the wallet holds was looked for more than six hours ago, or never. Look for coins first.",
  "withdrawals/nothing-due": "No withdrawal is due. Nothing was done.",
  "withdrawals/no-such-coin": "One of these coins is spent. Look for coins again.",
  "withdrawals/coins-taken": "Another batch spends one of these coins. Look for coins again.",
  "withdrawals/not-enough-coins":
    "The wallet or the address that pays does not hold enough for the payments and the fee.",
  "withdrawals/no-such-batch": "There is no such batch.",
  "withdrawals/batch-has-ended": "This batch has ended.",
  "withdrawals/changed-meanwhile": "A colleague has built another version meanwhile.",
  "withdrawals/anchor-gone":
    "The first coin of this batch is spent or has left the chain, so no new version can be built. The batch ends automatically if a block spends the coin; if it stays gone, two people end the batch.",
  "withdrawals/coin-waits":
    "One of these coins is not free yet: its deposit is not credited, not deep enough, or of a frozen account. Choose others.",
  "withdrawals/too-large":
    "The transaction would be larger than nodes accept (400,000 weight units). Consolidate small coins first.",
  "withdrawals/nothing-to-consolidate":
    "Fewer than two coins are worth more than it costs to spend them at this fee rate.",
  "withdrawals/not-lost":
    "A version of this batch can still be mined: its first coin has been gone for less than 100 blocks, or a version was taken away to be signed. Nothing was done.",
  "withdrawals/abandonment-proposed": "A colleague has proposed this already.",
  "withdrawals/no-such-abandonment": "This was decided while you looked at it.",
  "withdrawals/own-abandonment": "A colleague confirms what you proposed.",
  "withdrawals/proposer-left":
    "Who proposed this is not on the staff any more. Decline it and propose it yourself.",
  "withdrawals/being-ended":
    "Somebody proposed to end this batch. Decline that first, then take it away to sign.",
  "withdrawals/fee-not-higher":
    "Nodes take a replacement only with higher fees than before: of bitcoin by what the form says for each virtual byte, on Ethereum both by a tenth. Raise them.",
  "withdrawals/nothing-changed": "This is the version that there is already.",
  "withdrawals/unreadable":
    "This is not what a signer gives back: a PSBT or transaction of bitcoin, or signed transactions of Ethereum.",
  "withdrawals/not-signed": "It is not signed by the keys of this wallet, or not as a whole.",
  "withdrawals/node-would-not-take-it":
    "The node would not take it: a signature is wrong, or a coin is spent. Nothing was kept.",
  "withdrawals/another-payment": "This is not what was to be signed. Nothing was kept.",
  "withdrawals/second-person-needed":
    "The total is above the limit, so somebody else than who built it orders the broadcast.",
  "withdrawals/customer-frozen":
    "An account that is paid was frozen meanwhile. Build the batch again without it.",
  "withdrawals/customer-changed":
    "A way into an account that is paid was changed within a day: no money leaves it for 24 hours. Wait, or build the batch again without it.",
  "withdrawals/not-odd": "Nothing about this payment is odd any more. Nothing was done.",
  "withdrawals/ruled-already": "A colleague has said how it ends meanwhile.",
  "withdrawals/no-such-ruling": "This was decided while you looked at it.",
  "withdrawals/own-ruling": "Somebody else confirms what you said.",
  "withdrawals/scan-under-way": "The node is looking for coins already.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
  "identity/passkey-needed": passkeyNeeded,
  "identity/not-permitted": "Your role may not do this any more. Nothing was done.",
};

/** Why an act on a withdrawal or a batch was refused. */
export function refusalText(code: string): string {
  return texts[code] ?? "This was refused. Nothing was done.";
}

/** Of those the page shows what a colleague has done meanwhile. */
export function statusOf(code: string): 400 | 409 {
  const conflicts = ["already-decided", "too-late", "changed-meanwhile", "batch-has-ended"].concat([
    "not-odd",
    "ruled-already",
    "no-such-ruling",
    "abandonment-proposed",
    "no-such-abandonment",
  ]);
  return conflicts.includes(code.split("/")[1] ?? "") ? 409 : 400;
}
