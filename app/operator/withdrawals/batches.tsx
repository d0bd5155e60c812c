import { randomUUID } from "node:crypto";
import { runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { TotalAmounts } from "#app/ui/figures/total-amounts.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { Day } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { parseFeeRate } from "#core/payments/fee-rate.ts";
import { valueInUsdCents } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import type { App } from "#server/app-context.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findFreshPrice } from "#server/markets/find-fresh-price.ts";
import { findFormed, formBatch } from "#server/withdrawals/batches/form-batch.ts";
import {
  findOpenEthereumBatch,
  getDue,
  getReadiness,
} from "#server/withdrawals/batches/get-readiness.ts";
import { listBatches } from "#server/withdrawals/batches/list-batches.ts";
import {
  maxCoins,
  planBitcoinBatch,
  planConsolidation,
} from "#server/withdrawals/bitcoin/plan-batch.ts";
import { askForCoins } from "#server/withdrawals/bitcoin/scan-coins.ts";
import { suggestFee } from "#server/withdrawals/bitcoin/suggest-fee.ts";
import { planEthereumBatch } from "#server/withdrawals/ethereum/plan-batch.ts";
import { readHotWallet } from "#server/withdrawals/ethereum/read-hot-wallet.ts";
import { nodesOf, requireBitcoinNode, requireEthereumNode } from "#server/withdrawals/node.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { ListFile } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useProgress } from "../parts/use-progress.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/batches";
import { stateOfBatch } from "./batch-words.ts";
import type { BatchesData } from "./batches-data.ts";
import { BitcoinToday } from "./bitcoin-today.tsx";
import { EthereumToday } from "./ethereum-today.tsx";
import { readGasPrice } from "./gas-price.tsx";
import { WithdrawalTabs } from "./withdrawal-tabs.tsx";

export const middleware = guard("withdrawals/read", {
  "look-for-coins": "withdrawals/look-for-coins",
  "form-batch": "withdrawals/form-batch",
  consolidate: "withdrawals/consolidate",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Batches of withdrawals");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now, app } = consoleOf(context);
  const at = now();
  const { bitcoin: node } = nodesOf(config);
  const [readiness, ethereum, batches, suggestion] = await Promise.all([
    getReadiness(db, { key: config.wallets.bitcoin, steps: config.confirmations.BTC }, at),
    readEthereum(app, at),
    listBatches(db, 100),
    node && suggestFee(node),
  ]);
  return {
    now: at,
    submissionKey: randomUUID(),
    consolidationKey: randomUUID(),
    hasNode: node !== null,
    twoPeople: config.withdrawals.coins,
    readiness,
    suggestion,
    ethereum,
    batches,
    lastFormed: { bitcoin: newestOf(batches, "bitcoin"), ethereum: newestOf(batches, "ethereum") },
  };
}

/** A form that became a batch is begun anew. */
function newestOf(batches: Awaited<ReturnType<typeof listBatches>>, chain: WalletChain) {
  const ids = batches.filter((batch) => batch.chain === chain).map(({ id }) => id);
  return ids.toSorted().at(-1) ?? null;
}

/** What is due on Ethereum; what its node says is null where it does not answer, or none is configured. */
async function readEthereum({ db, config }: App, at: Date) {
  const { withdrawals, ethereumChain } = config;
  const usdtContract = ethereumChain?.usdtContract ?? null;
  const { hotWalletAddress, coins } = withdrawals;
  const { ethereum: node } = nodesOf(config);
  const [due, open, price, view] = await Promise.all([
    getDue(db, "ethereum", at),
    findOpenEthereumBatch(db),
    findFreshPrice(db, "ETH", at),
    node && hotWalletAddress ? readHotWallet(node, { hotWalletAddress, usdtContract }) : null,
  ]);
  return {
    due,
    open,
    view,
    hasNode: node !== null,
    hasHotWallet: hotWalletAddress !== null,
    submissionKey: randomUUID(),
    hotWalletAddress: hotWalletAddress ?? "",
    usdtFeeUnits: coins.USDT.feeUnits,
    tokenPaymentCents:
      view && price ? valueInUsdCents(view.tokenPaymentWei, "ETH", price.usdE8) : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const typed = (name: string) => String(form.get(name) ?? "");
  return runAct(
    async () => {
      const batches = "/operator/withdrawals/batches";
      if (intent === "look-for-coins") {
        requireBitcoinNode(nodesOf(app.config));
        await askForCoins(app.db, operator, app.config.wallets.bitcoin, app.now());
        return { to: batches, say: "coins-looked-for" };
      }
      const batchId = await take(app, operator, form);
      const say = intent === "consolidate" ? "consolidation-formed" : "batch-formed";
      return { to: `${batches}/${batchId}`, say };
    },
    (said) => ({
      intent,
      chain: typed("chain"),
      fault: said.text,
      feeRate: typed("feeRate"),
      maxFee: typed("maxFee"),
      tip: typed("tip"),
    }),
    sayRefusal,
  );
}

async function take(app: App, operator: ActingOperator, form: FormData) {
  const { db, config, now } = app;
  const given = String(form.get("submissionKey"));
  const submissionKey = isUuid(given) ? given : randomUUID();
  const { said, plan } =
    form.get("chain") === "ethereum" ? readEthereumForm(app, form) : readBitcoinForm(app, form);
  const formed = await findFormed(db, submissionKey, said);
  if (formed) return formed.batchId;
  const batch = { submissionKey, twoPeople: config.withdrawals.coins, plan: await plan() };
  return (await formBatch(db, operator, batch, now())).batchId;
}

function readBitcoinForm({ db, config, now }: App, form: FormData) {
  const chosen = {
    feePerKvb: parseFeeRate(String(form.get("feeRate") ?? "")),
    outpoints: form.getAll("coin").map(String).slice(0, maxCoins),
  };
  const wanted = () => ({
    ...chosen,
    key: config.wallets.bitcoin,
    node: requireBitcoinNode(nodesOf(config)),
    steps: config.confirmations.BTC,
  });
  const purpose = form.get("intent") === "consolidate" ? "consolidation" : "withdrawals";
  const plan = () =>
    purpose === "consolidation"
      ? planConsolidation(db, wanted(), now())
      : planBitcoinBatch(db, wanted(), now());
  return { said: { chain: "bitcoin", purpose, ...chosen } as const, plan };
}

function readEthereumForm({ db, config, now }: App, form: FormData) {
  const { ethereumChain, withdrawals } = config;
  const price = readGasPrice(form);
  const wanted = () => ({
    node: requireEthereumNode(nodesOf(config)),
    usdtContract: ethereumChain?.usdtContract ?? null,
    chainIds: ethereumChain?.chainIds ?? [],
    hotWalletAddress: withdrawals.hotWalletAddress,
    price,
  });
  const said = { chain: "ethereum", purpose: "withdrawals", ...price } as const;
  return { said, plan: () => planEthereumBatch(db, wanted(), now()) };
}

export default function BatchesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { readiness, ethereum, batches, now } = loaderData;
  const offersEthereum = useCoins().some((coin) => coin !== "BTC");
  const { scan } = readiness;
  useProgress({
    runs: scan?.runs === true,
    of: "scan",
    done: "The node has looked for coins",
    fault: scan?.fault ? "The look for coins failed" : null,
  });
  const waiting = batches.filter(({ waits }) => waits);
  const others = batches.filter(({ waits }) => !waits);
  return (
    <>
      <PageHeader
        title="Withdrawals"
        description={`A batch of a day is built here, signed away from here, and sent once: one transaction of bitcoin${offersEthereum ? ", one for each payment of ether and USDT" : ""}.`}
        actions={<ListFile list="batches" />}
      />
      <WithdrawalTabs current="batches" />
      <div className={layout.stack}>
        <NotSetUp data={loaderData} />
        <Panel title={<Today coin="Bitcoin" now={now} />}>
          <BitcoinToday data={loaderData} answer={actionData} />
        </Panel>
        {ethereum.hasHotWallet && ethereum.hasNode ? (
          <Panel title={<Today coin="Ether and USDT" now={now} />}>
            <EthereumToday data={loaderData} answer={actionData} />
          </Panel>
        ) : null}
        {batches.length === 0 ? <EmptyState drawing="block">No batch yet.</EmptyState> : null}
        {waiting.length > 0 ? (
          <Panel title="To sign and send" flush>
            <BatchTable label="Batches that wait for staff" batches={waiting} bare />
          </Panel>
        ) : null}
        {others.length > 0 ? <BatchTable label="Batches, newest first" batches={others} /> : null}
      </div>
    </>
  );
}

/** What is missing before batches can be built. */
function NotSetUp({ data: { hasNode, readiness, ethereum } }: { data: BatchesData }) {
  return (
    <>
      {hasNode && readiness.wallet ? null : (
        <Notice tone="warning" title="Batches of bitcoin cannot be built">
          {readiness.wallet
            ? "No Bitcoin node is configured: BITCOIN_RPC_URL."
            : "No Bitcoin wallet is configured: DEPOSIT_WALLET_BITCOIN."}
        </Notice>
      )}
      {ethereum.hasHotWallet === ethereum.hasNode ? null : (
        <Notice tone="warning" title="Batches of ether and USDT cannot be built">
          {ethereum.hasHotWallet
            ? "No Ethereum node is configured: ETHEREUM_RPC_URL."
            : "No address is configured that they are paid from: WITHDRAWAL_ADDRESS_ETHEREUM."}
        </Notice>
      )}
    </>
  );
}

type ListedBatch = BatchesData["batches"][number];

interface BatchTableProps {
  label: string;
  batches: ListedBatch[];
  bare?: boolean;
}

function BatchTable({ label, batches, bare = false }: BatchTableProps) {
  return (
    <ConsoleTable
      label={label}
      bare={bare}
      rows={batches}
      columns={[
        {
          head: "Day",
          sort: "-day",
          value: "day",
          to: (batch) => `/operator/withdrawals/batches/${batch.id}`,
          cell: (batch) => <Day day={batch.day} />,
        },
        { head: "Chain", sort: "chain", value: (batch) => chainNames[batch.chain] },
        {
          head: "Payments",
          kind: "number",
          sort: "-payments",
          value: "payments",
          cell: (batch) => (batch.purpose === "consolidation" ? "consolidation" : batch.payments),
        },
        { head: "Pays", kind: "number", cell: (batch) => <TotalAmounts totals={batch.totals} /> },
        { head: "State", cell: (batch) => <StatusBadge {...stateOfBatch(batch)} /> },
        { head: "Formed", sort: "-formed", value: "formedAt", second: (batch) => batch.formedBy },
      ]}
    />
  );
}

function Today({ coin, now }: { coin: string; now: Date }) {
  return (
    <>
      {coin}, <Day day={utcDay(now)} /> (UTC)
    </>
  );
}
