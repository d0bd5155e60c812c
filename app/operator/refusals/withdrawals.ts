import { notFound, type Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const withdrawals: Texts = {
  "withdrawals/not-found": notFound,
  "withdrawals/not-confirmed": "The customer has not confirmed it by e-mail yet.",
  "withdrawals/already-decided": decided,
  "withdrawals/too-late": meanwhile("It is in a batch already. Nothing was done."),
  "withdrawals/reason-missing": "Write the reason, in at most 1,000 characters.",
  "withdrawals/bad-end": "Choose an end that is still to come.",
  "withdrawals/held-already": meanwhile("It is held already. The page shows until when."),
  "withdrawals/held-anew": meanwhile(
    "The hold that you saw has ended, and another one has begun. It was not ended.",
  ),
  "withdrawals/hold-too-long":
    "All holds on one withdrawal end within 30 days of the first. Choose an earlier end.",
  "withdrawals/not-closing":
    "This is a final payment, and the customer keeps the account. Reject it: the customer can request a withdrawal.",
  "withdrawals/account-frozen": "The customer's account is frozen. Nothing was done.",
  "withdrawals/money-stays":
    "The customer's sign-in details changed, so withdrawals are paused for 24 hours. Nothing was done.",
  "withdrawals/credit-taken-back":
    "A credit of this coin has to be taken back from the customer. Reject the withdrawal: what it holds is then taken for that. Nothing was done.",
  "withdrawals/address-refused-ether":
    "The contract at this address refused ether that we sent before. Reject the withdrawal: the customer can withdraw to another address. Nothing was done.",
  "withdrawals/not-an-exception": meanwhile(
    "This payment is no longer an exception. Nothing was done.",
  ),
  "withdrawals/resolved-already": meanwhile(
    "It is proposed already how this ends. The page shows how.",
  ),
  "withdrawals/no-such-resolution": decided,
  "withdrawals/own-resolution": "You proposed this, so a colleague confirms it. Nothing was done.",
  "withdrawals/proposer-left":
    "The colleague who proposed this has left the staff. Decline it and propose it yourself.",

  "withdrawals/no-node": "No Bitcoin node is configured (BITCOIN_RPC_URL).",
  "withdrawals/no-wallet": "No Bitcoin wallet is configured, or another one than the batch's.",
  "withdrawals/no-ethereum-node": "No Ethereum node is configured (ETHEREUM_RPC_URL).",
  "withdrawals/no-hot-wallet":
    "No address is configured that ether and USDT are paid from (WITHDRAWAL_ADDRESS_ETHEREUM), or no USDT contract.",
  "withdrawals/wrong-chain": "The Ethereum node is on another chain than the configured network.",
  "withdrawals/node-does-not-answer":
    "The node does not answer. Nothing was done. Try again in a minute.",
  "withdrawals/node-behind":
    "The Ethereum node offers a nonce that was used already: the node is behind. Nothing was done. Wait until it has caught up.",
  "withdrawals/scan-under-way": "The node is looking for coins already.",
  "withdrawals/scan-too-old":
    "What the wallet holds was looked for more than six hours ago, or never. Look for coins first.",

  "withdrawals/no-such-batch": "There is no such batch.",
  "withdrawals/batch-has-ended": meanwhile("This batch has ended. Nothing was done."),
  "withdrawals/changed-meanwhile": meanwhile(
    "Another version was built meanwhile. The page shows it.",
  ),
  "withdrawals/batch-goes-on":
    "A batch from this address is under way. The next one is formed when it has ended.",
  "withdrawals/nothing-due": "No withdrawal is due. Nothing was done.",
  "withdrawals/no-such-coin": "One of these coins is spent. Look for coins again.",
  "withdrawals/coins-taken": "Another batch spends one of these coins. Look for coins again.",
  "withdrawals/coin-waits":
    "One of these coins is not free yet: its deposit is not credited, not deep enough, or of a frozen account. Choose others.",
  "withdrawals/not-enough-coins":
    "The wallet, or the address that pays, does not hold enough for this and the network's fee.",
  "withdrawals/too-large":
    "The transaction would be larger than nodes accept (400,000 weight units). Consolidate small coins first.",
  "withdrawals/nothing-to-consolidate":
    "Fewer than two coins are worth more than it costs to spend them at this fee rate.",
  "withdrawals/would-fail":
    "The node says that each of the payments that the address covers would fail, or use more than 100,000 gas. Check their addresses, and reject them with the reason.",
  "withdrawals/all-in-blocks": "Every payment of it is in a block already.",
  "withdrawals/anchor-gone":
    "The first coin of this batch is spent or has left the chain, so no new version can be built. The batch ends automatically if a block spends the coin; if it stays gone, two people end the batch.",
  "withdrawals/nothing-changed": "This is the version that there is already.",

  "withdrawals/bad-fee-rate":
    "For bitcoin 0.1 to 1000 satoshis per virtual byte, to three decimal places; for Ethereum gwei of which the tip is a part, up to 1000.",
  "withdrawals/fee-not-relayed":
    "The node does not relay what pays so little. The form says how much it asks for.",
  "withdrawals/fee-too-high":
    "The fee would be more than a tenth of what is paid, or ten times what the network asks. Lower it.",
  "withdrawals/fee-not-higher":
    "Nodes take a replacement only with higher fees than before: of bitcoin by what the form says for each virtual byte, on Ethereum both by a tenth. Raise them.",

  "withdrawals/unreadable":
    "This is not what a signer gives back: a PSBT or transaction of bitcoin, or signed transactions of Ethereum.",
  "withdrawals/not-signed": "It is not signed by the keys of this wallet, or not as a whole.",
  "withdrawals/node-would-not-take-it":
    "The node would not take it: a signature is wrong, a coin is spent, or it relays no data (datacarrier=0), as the mark is. Nothing was kept.",
  "withdrawals/another-payment": "This is not what was to be signed. Nothing was kept.",
  "withdrawals/second-person-needed":
    "You formed this batch or built this version, and it takes two people: a consolidation, or a total above the limit, by itself or with what you formed and ordered within 24 hours. Nothing was sent. A colleague orders the broadcast.",
  "withdrawals/customer-frozen":
    "An account that is paid was frozen meanwhile. Build the batch again without it.",
  "withdrawals/customer-changed":
    "The sign-in details of an account that is paid changed within a day, so it is paid nothing for 24 hours. Wait, or build the batch again without it.",
  "withdrawals/customer-owes":
    "A credit has to be taken back from an account that is paid. Build the batch again without it.",

  "withdrawals/not-lost":
    "A version of this batch can still be mined: its first coin has been gone for less than 100 blocks, or a version was taken away to be signed. Nothing was done.",
  "withdrawals/abandonment-proposed": meanwhile(
    "This is proposed already. The page shows by whom.",
  ),
  "withdrawals/no-such-abandonment": decided,
  "withdrawals/own-abandonment": "You proposed this, so a colleague confirms it. Nothing was done.",
  "withdrawals/being-ended":
    "A colleague proposed to end this batch. Decline that first, then sign it.",
};
