import type { Coin } from "#core/asset.ts";
import { amountInWords } from "#core/money.ts";
import { may } from "#core/permissions.ts";
import { listStaff } from "../../identity/staff/list-staff.ts";
import type { Db } from "../../platform/database.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { type DepositForReview, findDepositForReview } from "../find-deposit-for-review.ts";

/** Mails staff who see chains that a credit is taken back, or has to be, each of them once. */
export async function notifyStaffOfReversal(
  db: Db,
  { depositId, isDone, site, now }: { depositId: string; isDone: boolean; site: Site; now: Date },
): Promise<void> {
  const deposit = await findDepositForReview(db, depositId);
  if (!deposit) return;
  const staff = await listStaff(db);
  const content = reversalMail(site, deposit, isDone);
  await db.transaction(async (tx) => {
    for (const { id, email, role, state } of staff) {
      if (state !== "active" || !may(role, "chain/read")) continue;
      const key = `deposit-${isDone ? "reversed" : "orphaned"}:${depositId}:${id}`;
      await queueMail(tx, { to: email, userId: id, content, key, now });
    }
  });
}

const settings: Record<Coin, string> = {
  BTC: "BITCOIN_CONFIRMATIONS",
  ETH: "ETHEREUM_CONFIRMATIONS",
  USDT: "USDT_CONFIRMATIONS",
};

const meanwhile =
  "The customer has used coins of it in the meantime. We put aside what was left; no balance is below zero. Their withdrawals of this coin wait: reject those that are in no batch to use what they hold.";

function causeOf({ resolutionId, resolvedAs }: DepositForReview) {
  if (resolutionId !== null) return "mistake";
  return resolvedAs === "operators" ? "operators" : "chain";
}

const causes = {
  chain: (asset: Coin) => ({
    cause: "Its block is no longer in the chain.",
    headline: "A block with a credited payment left the chain",
    done: `There is nothing to do. If it happens again, ask for more confirmations (${settings[asset]}).`,
    due: "The rest is missing in the wallets until the payment confirms again or the customer pays. Please look into it.",
  }),
  operators: () => ({
    cause: "Two of you found that it was the operator's own.",
    headline: "A credited payment was the operator's own",
    done: "Now record what the payment was: a payout or own money.",
    due: "We take the rest from what arrives in the customer's account. Until then the payment cannot be recorded as yours. Please talk to the customer.",
  }),
  mistake: () => ({
    cause: "Two of you found that it was approved by mistake.",
    headline: "A deposit was approved by mistake",
    done: "Its transaction can be approved again, with the right figures.",
    due: "We take the rest from what arrives in the customer's account. Until then its transaction cannot be approved again. Please talk to the customer.",
  }),
};

function reversalMail(site: Site, deposit: DepositForReview, isDone: boolean): RenderedMail {
  const { depositId, asset, quantityUnits, txid } = deposit;
  const quantity = amountInWords(quantityUnits ?? 0n, asset);
  const { cause, headline, done, due } = causes[causeOf(deposit)](asset);
  return renderMail(site, {
    template: "deposit-left-the-chain",
    subject: isDone
      ? `A credit was reversed: ${quantity}`
      : `A credit cannot be reversed in full: ${quantity}`,
    preview: cause,
    headline,
    band: isDone ? { tone: "loss", word: "Reversed" } : actionNeeded,
    greeting: "Hello,",
    figure: ["Credited", quantity],
    facts: [["Transaction", txid ?? ""]],
    paragraphs: [
      isDone ? `We reversed the credit with a second transfer. ${done}` : `${meanwhile} ${due}`,
    ],
    action: {
      label: "See the deposit",
      url: `${site.appUrl}/operator/deposits/${depositId}`,
    },
    because: `You get this because you are on the staff of ${site.siteName}.`,
  });
}
