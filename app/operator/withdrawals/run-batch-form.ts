import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { parseFeeRate } from "#core/payments/fee-rate.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import {
  decideAbandonment,
  proposeAbandonment,
} from "#server/withdrawals/batches/abandon-batch.ts";
import { orderBroadcast } from "#server/withdrawals/batches/order-broadcast.ts";
import { rebuildBatch } from "#server/withdrawals/batches/rebuild-batch.ts";
import { uploadSigned } from "#server/withdrawals/batches/upload-signed.ts";
import { planBitcoinVersion } from "#server/withdrawals/bitcoin/plan-batch.ts";
import { planEthereumVersion } from "#server/withdrawals/ethereum/plan-batch.ts";
import { nodesOf, requireBitcoinNode, requireEthereumNode } from "#server/withdrawals/node.ts";
import { readGasPrice } from "./gas-price.tsx";

/** A signed transaction of a thousand payments has some 200 KB. */
const maxSignedBytes = 1_000_000;

/** Does what a form on a batch's page asks for. */
export async function runBatchForm(
  app: App,
  operator: ActingOperator,
  batchId: string,
  form: FormData,
): Promise<FlashKey> {
  const { db, config, now } = app;
  const number = Number(form.get("number"));
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new Refusal("withdrawals/no-such-batch");
  }
  switch (form.get("intent")) {
    case "upload": {
      const signed = await readSignedField(form);
      const { network } = config;
      const upload = { batchId, number, signed, network, nodes: nodesOf(config) };
      await uploadSigned(db, operator, upload, now());
      return "batch-signed";
    }
    case "order":
      await orderBroadcast(db, operator, { batchId, number }, now());
      return "batch-ordered";
    case "propose-abandonment": {
      const reason = String(form.get("reason") ?? "").replaceAll("\0", "");
      await proposeAbandonment(db, operator, { batchId, reason }, now());
      return "abandonment-proposed";
    }
    case "confirm-abandonment":
      await decideAbandonment(db, operator, decisionOf(batchId, form, "confirmed"), now());
      return "abandonment-confirmed";
    case "decline-abandonment":
      await decideAbandonment(db, operator, decisionOf(batchId, form, "declined"), now());
      return "abandonment-declined";
    default: {
      const wanted = {
        batchId,
        after: number,
        leaveOut: form.getAll("leaveOut").map(String),
        reason: String(form.get("reason") ?? "").replaceAll("\0", ""),
        plan: await planAgain(app, batchId, form),
      };
      await rebuildBatch(db, operator, wanted, now());
      return "batch-rebuilt";
    }
  }
}

function decisionOf<Into>(batchId: string, form: FormData, into: Into) {
  return { batchId, abandonmentId: String(form.get("abandonmentId") ?? ""), into };
}

async function planAgain({ db, config, now }: App, batchId: string, form: FormData) {
  if (form.get("chain") === "ethereum") {
    return planEthereumVersion(requireEthereumNode(nodesOf(config)), readGasPrice(form));
  }
  const feePerKvb = parseFeeRate(String(form.get("feeRate") ?? ""));
  const place = {
    key: config.wallets.bitcoin,
    node: requireBitcoinNode(nodesOf(config)),
    steps: config.confirmations.BTC,
  };
  return planBitcoinVersion(db, { batchId, feePerKvb, ...place }, now());
}

async function readSignedField(form: FormData): Promise<Uint8Array> {
  const file = form.get("file");
  const text = String(form.get("text") ?? "").trim();
  if (file instanceof File && file.size > 0) {
    if (file.size > maxSignedBytes) throw new Refusal("withdrawals/unreadable");
    return new Uint8Array(await file.arrayBuffer());
  }
  if (text === "" || text.length > 2 * maxSignedBytes) {
    throw new Refusal("withdrawals/unreadable");
  }
  return Buffer.from(text);
}
