import { randomUUID } from "node:crypto";
import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/flash.ts";
import { parseForm } from "#app/ui/parse-form.ts";
import { type Coin, coins } from "#core/asset.ts";
import { commaWords, hasOddComma } from "#core/decimal.ts";
import { Refusal } from "#core/refusal.ts";
import { explainAddress } from "#core/withdrawal-address.ts";
import type { App } from "#server/app-context.ts";
import type { Browser } from "#server/identity/settings.ts";
import { addAddress } from "#server/withdrawals/add-address.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import { removeAddress } from "#server/withdrawals/remove-address.ts";
import { requestWithdrawal } from "#server/withdrawals/request-withdrawal.ts";
import { refusalWords } from "./refusals.ts";
import { addressSchema, readUnits, requestSchema } from "./withdraw-schema.ts";

/** What the page says of the form that came in. */
export interface WithdrawAnswer {
  intent: string;
  result: SubmissionResult<string[]>;
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
    return said("withdrawal-address-removed", pathOf(coin));
  }
  return intent === "add-address" ? add(app, form, sender) : request(app, form, sender);
}

async function add(app: App, form: FormData, sender: Sender) {
  const { network, ethereumChain, withdrawals } = app.config;
  const { payerAddress } = withdrawals;
  const usdtContract = ethereumChain?.usdtContract ?? null;
  const submission = parseForm(form, { schema: addressSchema });
  const answer = answering("add-address", submission);
  if (submission.status !== "success") return answer({}, 400);
  const { coin, address, label } = submission.value;
  const rules = { coin, network, usdtContract };
  const fault = explainAddress(address, rules);
  if (fault) return answer({ fieldErrors: { address: [fault] } }, 400);
  try {
    await addAddress(app.db, { ...sender, ...rules, payerAddress, address, label }, app.now());
  } catch (error) {
    return answer(...wordsFor(error, app, coin));
  }
  return said("withdrawal-address-added", pathOf(coin));
}

async function request(app: App, form: FormData, sender: Sender) {
  const submission = parseForm(form, { schema: requestSchema });
  const answer = answering("request", submission);
  if (submission.status !== "success") return answer({}, 400);
  const { coin, requestKey, addressId, amount: typed, all, final } = submission.value;
  const isFinal = final !== undefined;
  const amount = all !== undefined || isFinal ? ("all" as const) : readUnits(typed, coin);
  if (amount === null || amount === 0n) {
    return answer({ fieldErrors: { amount: [misspelt(typed ?? "", coin)] } }, 400);
  }
  const terms = offeredTerms(app.config);
  const wanted = { ...sender, requestKey, addressId, amount, isFinal, terms, site: app.config };
  try {
    const { withdrawalId } = await requestWithdrawal(app.db, wanted, app.now());
    return said("withdrawal-requested", `/account/withdraw/${withdrawalId}`);
  } catch (error) {
    const used = error instanceof Refusal && error.code === "withdrawals/request-key-reused";
    return answer(...wordsFor(error, app, coin), used ? randomUUID() : null);
  }
}

interface Said {
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
}

function answering(intent: string, submission: { reply(said: Said): SubmissionResult<string[]> }) {
  return (words: Said, status: number, requestKey: string | null = null) =>
    data<WithdrawAnswer>({ intent, result: submission.reply(words), requestKey }, status);
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

function wordsFor(error: unknown, { config }: App, coin: Coin): [Said, number] {
  const { minimumUnits } = config.withdrawals.coins[coin];
  const words =
    error instanceof Refusal ? refusalWords(error.code, { coin, minimumUnits }) : undefined;
  if (!words) throw error;
  const { field, text, status } = words;
  return [field ? { fieldErrors: { [field]: [text] } } : { formErrors: [text] }, status];
}

async function said(key: FlashKey, to: string) {
  return redirect(to, { headers: { "Set-Cookie": await flash(key) } });
}
