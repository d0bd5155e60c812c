import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { errorsOf, leadOn, runAct, sayFrom } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { type Coin, coins } from "#core/asset.ts";
import { commaWords, hasOddComma } from "#core/decimal.ts";
import { parseAmount } from "#core/money.ts";
import { explainAddress } from "#core/payments/withdrawal-address.ts";
import type { App } from "#server/app-context.ts";
import type { Browser } from "#server/identity/settings/settings.ts";
import { addAddress } from "#server/withdrawals/add-address.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import { removeAddress } from "#server/withdrawals/remove-address.ts";
import { requestWithdrawal } from "#server/withdrawals/request-withdrawal.ts";
import { withdrawals } from "../refusals/withdrawals.ts";
import { addressSchema, requestSchema } from "./withdraw-schema.ts";

/** What the page says of the form that came in. */
export interface WithdrawAnswer {
  intent: string;
  result: FormReply;
  /** A fresh one where the old one stands for another withdrawal. */
  requestKey: string | null;
}

interface Sender {
  customerId: string;
  browser: Browser;
}

/** Takes in the forms of the page: an address for the book, one out of it, or a withdrawal. */
export async function submitWithdrawForm(app: App, form: FormData, sender: Sender) {
  const intent = String(form.get("intent"));
  if (intent === "remove-address") {
    const addressId = String(form.get("addressId"));
    await removeAddress(app.db, { ...sender, addressId }, app.now());
    const coin = coins.find((each) => each === form.get("coin")) ?? "BTC";
    return leadOn({ to: pathOf(coin), say: "withdrawal-address-removed" });
  }
  return intent === "add-address" ? add(app, form, sender) : request(app, form, sender);
}

async function add(app: App, form: FormData, sender: Sender) {
  const { network, ethereumChain, withdrawals } = app.config;
  const { hotWalletAddress } = withdrawals;
  const usdtContract = ethereumChain?.usdtContract ?? null;
  const submission = parseForm(form, { schema: addressSchema });
  const answer = answering("add-address", submission);
  if (submission.status !== "success") return data(answer({}), 400);
  const { coin, address, label } = submission.value;
  const rules = { coin, network, usdtContract };
  const fault = explainAddress(address, rules);
  if (fault) return data(answer({ fieldErrors: { address: [fault] } }), 400);
  return runAct(
    async () => {
      await addAddress(
        app.db,
        { ...sender, ...rules, hotWalletAddress, address, label },
        app.now(),
      );
      return { to: pathOf(coin), say: "withdrawal-address-added" };
    },
    (said) => answer(errorsOf(said, form)),
    sayWithdrawal(app, coin),
  );
}

async function request(app: App, form: FormData, sender: Sender) {
  const submission = parseForm(form, { schema: requestSchema });
  const answer = answering("request", submission);
  if (submission.status !== "success") return data(answer({}), 400);
  const { coin, requestKey, addressId, amount: typed, all, final } = submission.value;
  const isFinal = final !== undefined;
  const amount = all !== undefined || isFinal ? ("all" as const) : parseAmount(typed ?? "", coin);
  if (amount === null || amount === 0n) {
    return data(answer({ fieldErrors: { amount: [misspelt(typed ?? "", coin)] } }), 400);
  }
  const terms = offeredTerms(app.config);
  const wanted = { ...sender, requestKey, addressId, amount, isFinal, terms, site: app.config };
  return runAct(
    async () => {
      const { withdrawalId } = await requestWithdrawal(app.db, wanted, app.now());
      return { to: `/account/withdraw/${withdrawalId}`, say: "withdrawal-requested" };
    },
    (said, { code }) => {
      const isUsed = code === "withdrawals/request-key-reused";
      return answer(errorsOf(said, form), isUsed ? randomUUID() : null);
    },
    sayWithdrawal(app, coin),
  );
}

type Errors = ReturnType<typeof errorsOf>;

function answering(intent: string, submission: { reply(errors: Errors): FormReply }) {
  return (errors: Errors, requestKey: string | null = null): WithdrawAnswer => {
    return { intent, result: submission.reply(errors), requestKey };
  };
}

function sayWithdrawal({ config }: App, coin: Coin) {
  return sayFrom(withdrawals(coin, config.withdrawals.coins[coin].minimumUnits));
}

function misspelt(typed: string, coin: Coin): string {
  if (typed.trim() === "") return "Enter an amount";
  return hasOddComma(typed) ? commaWords : unreadable[coin];
}

const unreadable: Record<Coin, string> = {
  BTC: "Enter bitcoin, for instance 0.01",
  ETH: "Enter ether, for instance 0.1",
  USDT: "Enter USDT, for instance 50",
};

function pathOf(coin: Coin): string {
  return `/account/withdraw?coin=${coin}`;
}
