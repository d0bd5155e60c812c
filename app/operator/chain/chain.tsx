import { runAct } from "#app/run-act.ts";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import { decideDeepReorg, proposeDeepReorg } from "#server/chain/decide-deep-reorg.ts";
import { findPosition } from "#server/chain/find-position.ts";
import { findSource } from "#server/chain/find-source.ts";
import { listIncidents } from "#server/chain/list-incidents.ts";
import { findUncredited } from "#server/chain/list-payments-to-settle.ts";
import { listReorgs } from "#server/chain/list-reorgs.ts";
import { openReader } from "#server/chain/open-reader.ts";
import { confirmationsNeeded, isConfirmed } from "#server/chain/payment.ts";
import { listReversals } from "#server/deposits/list-reversals.ts";
import {
  findPaymentForStaff,
  listPaymentsForStaff,
  listRefusedPayments,
} from "#server/deposits/payments/list-payments-for-staff.ts";
import { listOpenResolutions } from "#server/deposits/payments/list-resolutions.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { OnlyShown } from "../parts/only-shown.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/chain";
import {
  IncidentTable,
  OpenResolutionTable,
  PaymentTable,
  RefusedTable,
  ReorgTable,
  ReversalTable,
} from "./chain-tables.tsx";
import { type DeepReorgAnswer, DeepReorgPanel } from "./deep-reorg-panel.tsx";
import { readDeepReorg } from "./read-deep-reorg.ts";
import { SourceFacts } from "./source-facts.tsx";

export const middleware = guard("chain/read", {
  "propose-deep-reorg": "chain/propose-deep-reorg",
  "confirm-deep-reorg": "chain/confirm-deep-reorg",
  "decline-deep-reorg": "chain/decline-deep-reorg",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Chain");

/** What waits is read up to here. */
const most = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, operator } = consoleOf(context);
  const { db, config, now } = app;
  const { bitcoinChain, ethereumChain } = config;
  const of = async (chain: "bitcoin" | "ethereum") => {
    const [source, position] = await Promise.all([findSource(db, chain), findPosition(db, chain)]);
    return { source, position, deepReorg: await readDeepReorg(app, chain, source) };
  };
  const [
    bitcoin,
    ethereum,
    payments,
    refused,
    resolutions,
    uncredited,
    reversals,
    reorgs,
    incidents,
  ] = await Promise.all([
    of("bitcoin"),
    of("ethereum"),
    listPaymentsForStaff(db, most),
    listRefusedPayments(db, most),
    listOpenResolutions(db, most),
    findUncredited(db, config.confirmations),
    listReversals(db, most),
    listReorgs(db, 20),
    listIncidents(db, 20),
  ]);
  const ofResolutions = await Promise.all(
    resolutions.flatMap(({ paymentId }) => (paymentId ? [findPaymentForStaff(db, paymentId)] : [])),
  );
  const asked = new Set(ofResolutions.map((each) => each && groupOf(each)));
  return {
    now: now(),
    operatorId: operator.id,
    bitcoin: bitcoinChain && {
      pollSeconds: config.bitcoinPollSeconds,
      ...bitcoin,
    },
    ethereum: ethereumChain && {
      usdtContract: ethereumChain.usdtContract,
      traces: ethereumChain.traces,
      pollSeconds: config.ethereumPollSeconds,
      ...ethereum,
    },
    payments: payments.map((payment) => {
      const needed = confirmationsNeeded(config.confirmations[payment.asset], payment);
      return { ...payment, needed, isConfirmed: isConfirmed(payment, needed) };
    }),
    refused: refused.map((each) => ({ ...each, isAsked: asked.has(groupOf(each)) })),
    resolutions,
    uncredited,
    reversals,
    reorgs,
    incidents,
  };
}

/** Refused payments are listed, and resolved, by customer, coin and reason. */
function groupOf({
  customerId,
  asset,
  refusal,
}: {
  customerId: string | null;
  asset: string;
  refusal: string | null;
}): string {
  return [customerId, asset, refusal].join(" ");
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? "").replaceAll("\0", "");
  const chain = field("chain") === "bitcoin" ? ("bitcoin" as const) : ("ethereum" as const);
  const reason = field("reason");
  const said = { chain, reason, oldHash: field("oldHash"), newHash: field("newHash") };
  const wanted = { ...said, intent: field("intent"), deepReorgId: field("deepReorgId") };
  return runAct(
    async () => ({
      to: "/operator/chain",
      say: await decide(app, operator, wanted),
    }),
    (said): DeepReorgAnswer => ({ chain, reason, fault: said.text }),
    sayRefusal,
  );
}

interface Wanted {
  intent: string;
  chain: "bitcoin" | "ethereum";
  deepReorgId: string;
  oldHash: string;
  newHash: string;
  reason: string;
}

/** Somebody waits for the answer. */
const patienceMs = 8000;

async function decide(
  { db, config, now }: App,
  operator: ActingOperator,
  { intent, chain, deepReorgId, ...said }: Wanted,
): Promise<FlashKey> {
  if (intent === "propose-deep-reorg") {
    const reader = openReader(config, chain, AbortSignal.timeout(patienceMs));
    if (!reader) throw new Refusal("chain/node-does-not-answer");
    await proposeDeepReorg(db, reader, operator, said, now());
    return "deep-reorg-proposed";
  }
  const into = intent === "confirm-deep-reorg" ? ("confirmed" as const) : ("declined" as const);
  await decideDeepReorg(db, operator, { deepReorgId, into }, now());
  return `deep-reorg-${into}`;
}

export default function ChainPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, operatorId, bitcoin, ethereum, payments, reversals, reorgs, incidents } = loaderData;
  const { refused, resolutions, uncredited } = loaderData;
  const said = { operatorId, answer: actionData };
  const orphaned = reversals.filter(({ state }) => state === "orphaned");
  const reversed = reversals.filter(({ state }) => state !== "orphaned");
  return (
    <>
      <PageHeader
        title="Chain"
        description="What arrived at customers' own addresses, and who tells us."
      />
      <div className={layout.stack}>
        {uncredited.oldestAt ? (
          <Notice tone="warning" title="Confirmed payments are not credited">
            {uncredited.count === 1 ? "1 payment waits" : `${uncredited.count} payments wait`}. The
            oldest has been in a block since <When at={uncredited.oldestAt} />.
          </Notice>
        ) : null}
        {bitcoin ? <DeepReorgPanel chain="bitcoin" {...bitcoin.deepReorg} {...said} /> : null}
        {ethereum ? <DeepReorgPanel chain="ethereum" {...ethereum.deepReorg} {...said} /> : null}
        {resolutions.length > 0 ? (
          <Panel title="Proposals that wait for a colleague" flush>
            <OpenResolutionTable resolutions={resolutions} />
            <OnlyShown rows={resolutions.length} most={most} which="oldest" />
          </Panel>
        ) : null}
        {refused.length > 0 ? (
          <Panel title="Payments that cannot be credited" flush>
            <RefusedTable refused={refused} />
            <OnlyShown rows={refused.length} most={most} which="oldest" />
          </Panel>
        ) : null}
        {orphaned.length > 0 ? (
          <Panel title="Credits that cannot be reversed yet" flush>
            <ReversalTable label="Credits that wait to be reversed" reversals={orphaned} />
            <OnlyShown rows={orphaned.length} most={most} which="newest" />
          </Panel>
        ) : null}
        <Panel title="Bitcoin">
          {bitcoin ? (
            <SourceFacts {...bitcoin} now={now} more={askedBitcoin(bitcoin)} />
          ) : (
            <p className={layout.note}>
              No node is configured (BITCOIN_RPC_URL), so payments in bitcoin are not seen.
            </p>
          )}
        </Panel>
        <EthereumPanel ethereum={ethereum} now={now} />
        {reversed.length > 0 ? (
          <Panel title="Credits that were reversed" flush>
            <ReversalTable label="Reversals, newest first" reversals={reversed} />
          </Panel>
        ) : null}
        <Panel title="Payments seen, newest first" flush>
          <PaymentTable payments={payments} />
        </Panel>
        <Panel title="Branches that were left" flush>
          <ReorgTable reorgs={reorgs} />
        </Panel>
        <Panel title="When they could not be read" flush>
          <IncidentTable incidents={incidents} />
        </Panel>
      </div>
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function askedBitcoin({ pollSeconds }: NonNullable<Loaded["bitcoin"]>) {
  return [{ label: "Who is asked", value: `A Bitcoin node, every ${pollSeconds} s` }];
}

/** Nothing where the site offers neither ether nor USDT, and no node is asked. */
function EthereumPanel({ ethereum, now }: Pick<Loaded, "ethereum" | "now">) {
  const isOffered = useCoins().some((coin) => coin !== "BTC");
  if (!ethereum && !isOffered) return null;
  return (
    <Panel title="Ethereum">
      {ethereum ? (
        <SourceFacts {...ethereum} now={now} more={askedEthereum(ethereum)} />
      ) : (
        <p className={layout.note}>
          No node is configured (ETHEREUM_RPC_URL), so payments in ether and USDT are not seen.
        </p>
      )}
    </Panel>
  );
}

function askedEthereum({ usdtContract, traces, pollSeconds }: NonNullable<Loaded["ethereum"]>) {
  return [
    { label: "Who is asked", value: `An Ethereum node, every ${pollSeconds} s` },
    {
      label: "USDT is",
      value: usdtContract ? (
        <code className={layout.code}>{usdtContract}</code>
      ) : (
        "not named (USDT_CONTRACT): it is not seen"
      ),
    },
    {
      label: "Ether that contracts send",
      value: traces ? "is seen" : "is not seen (ETHEREUM_TRACES=off): it needs a slip",
    },
  ];
}
