import { notFound, type Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const reconciliation: Texts = {
  "reconciliation/not-found": notFound,
  "reconciliation/already-decided": decided,
  "reconciliation/own-count":
    "You counted this yourself, so a colleague decides. Nothing was done.",
  "reconciliation/proposer-left":
    "The colleague who counted this has left the staff. Reject it and count yourself.",
  "reconciliation/not-your-count":
    "Only the colleague who counted this can cancel it. Nothing was done.",
  "reconciliation/reason-missing": { field: "reason", text: "Write the reason." },
  "reconciliation/already-explained": meanwhile("This is explained already. The page shows how."),
  "reconciliation/nothing-to-explain": "There is no difference here. Nothing was done.",
  "reconciliation/not-of-the-last-week": {
    field: "asOf",
    text: "A moment of the last seven days that is over. An older count says nothing of today.",
  },
  "reconciliation/amount-out-of-range": {
    field: "amount",
    text: "More than there can be. Check the decimal point.",
  },
  "reconciliation/wallets-missing": {
    field: "wallets",
    text: "Write in a line which wallets you read, and how.",
  },
  "reconciliation/no-address": {
    field: "address",
    text: "This is no address of Bitcoin or Ethereum. Copy it from the wallet.",
  },
  "reconciliation/another-network": {
    field: "address",
    text: "This address is of another network than this site's.",
  },
  "reconciliation/foreign-address": {
    field: "address",
    text: "This address is no change address of a wallet that is known here, no own one, and not the account that pays: customers' addresses are not published. Nothing was recorded.",
  },
  "reconciliation/nothing-to-sign": meanwhile(
    "No daily proof has a root and a block of our node yet. Nothing was recorded.",
  ),
  "reconciliation/proof-is-older": meanwhile(
    "A newer proof was published meanwhile, so this signature is of an older one. Sign the message that is shown now.",
  ),
  "reconciliation/not-a-signature": {
    field: "text",
    text: "This is neither a signature (in base64; of Ethereum 0x and 130 digits) nor the signed PSBT. Copy all of what the wallet shows.",
  },
  "reconciliation/signed-otherwise": {
    field: "text",
    text: "This signature does not fit: it is of another message, of another address, or of a part only. Nothing was recorded.",
  },
  "reconciliation/signed-already": meanwhile("This address has signed this proof already."),
};

/** Where the evidence is of wallets. */
export const countForm: Texts = {
  "adjustments/evidence-missing": {
    field: "evidence",
    text: "Choose a picture or a PDF that shows the wallets.",
  },
};
