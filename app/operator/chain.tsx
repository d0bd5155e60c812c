import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { confirmationsNeeded, isConfirmed } from "#server/chain/payment.ts";
import { findPosition, findSource, listReorgs, listTroubles } from "#server/chain/queries.ts";
import { listPaymentsForStaff, listReversals } from "#server/deposits/queries.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import type { Route } from "./+types/chain";
import { PaymentTable, ReorgTable, ReversalTable, TroubleTable } from "./chain-tables.tsx";
import { ConsoleError } from "./console-error.tsx";
import facts from "./deposit.module.css";
import styles from "./markets.module.css";
import { SourceFacts } from "./source-facts.tsx";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("chain/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Chain");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const { bitcoinChain, ethereumChain } = config;
  const of = async (chain: "bitcoin" | "ethereum") => {
    const [source, position] = await Promise.all([findSource(db, chain), findPosition(db, chain)]);
    return { source, position };
  };
  const [bitcoin, ethereum, payments, reversals, reorgs, troubles] = await Promise.all([
    of("bitcoin"),
    of("ethereum"),
    listPaymentsForStaff(db, { waiting: false, limit: 50 }),
    listReversals(db, 20),
    listReorgs(db, 20),
    listTroubles(db, 20),
  ]);
  return {
    now: now(),
    bitcoin: bitcoinChain && {
      ...{ kind: bitcoinChain.kind, pollSeconds: config.bitcoinPollSeconds },
      ...bitcoin,
    },
    ethereum: ethereumChain && {
      ...{ usdtContract: ethereumChain.usdtContract, traces: ethereumChain.traces },
      ...{ pollSeconds: config.ethereumPollSeconds },
      ...ethereum,
    },
    payments: payments.map((payment) => {
      const needed = confirmationsNeeded(config.confirmations[payment.asset], payment);
      return { ...payment, needed, isConfirmed: isConfirmed(payment, needed) };
    }),
    reversals,
    reorgs,
    troubles,
  };
}

export default function ChainPage({ loaderData }: Route.ComponentProps) {
  const { now, bitcoin, ethereum, payments, reversals, reorgs, troubles } = loaderData;
  return (
    <>
      <PageHeader
        title="Chain"
        description="What arrived at customers' own addresses, and who tells us."
      />
      <div className={styles.panels}>
        <Panel title="Bitcoin">
          {bitcoin ? (
            <SourceFacts {...bitcoin} now={now} more={askedBitcoin(bitcoin)} />
          ) : (
            <EmptyState drawing="block">
              Nobody is asked, and payments in bitcoin are not seen. Give a node as BITCOIN_RPC_URL,
              or an Esplora server of your own as BITCOIN_ESPLORA_URL.
            </EmptyState>
          )}
        </Panel>
        <Panel title="Ethereum">
          {ethereum ? (
            <SourceFacts {...ethereum} now={now} more={askedEthereum(ethereum)} />
          ) : (
            <EmptyState drawing="block">
              Nobody is asked, and payments in ether and USDT are not seen. Give a node as
              ETHEREUM_RPC_URL.
            </EmptyState>
          )}
        </Panel>
        {reversals.length > 0 ? (
          <Panel title="Credits whose block left the chain" flush>
            <ReversalTable reversals={reversals} />
          </Panel>
        ) : null}
        <Panel title="Payments seen, newest first" flush>
          <PaymentTable payments={payments} />
        </Panel>
        <Panel title="Branches that were left" flush>
          <ReorgTable reorgs={reorgs} />
        </Panel>
        <Panel title="When they could not be read" flush>
          <TroubleTable troubles={troubles} />
        </Panel>
      </div>
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function askedBitcoin({ kind, pollSeconds }: NonNullable<Loaded["bitcoin"]>) {
  const who = kind === "node" ? "A Bitcoin node" : "An Esplora server";
  return [{ label: "Who is asked", value: `${who}, every ${pollSeconds} s` }];
}

function askedEthereum({ usdtContract, traces, pollSeconds }: NonNullable<Loaded["ethereum"]>) {
  return [
    { label: "Who is asked", value: `An Ethereum node, every ${pollSeconds} s` },
    {
      label: "USDT is",
      value: usdtContract ? (
        <code className={facts.code}>{usdtContract}</code>
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
