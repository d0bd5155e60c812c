import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { confirmationsNeeded } from "#server/chain/payment.ts";
import { findPosition, findSource, listReorgs, listTroubles } from "#server/chain/queries.ts";
import { listPaymentsForStaff, listReversals } from "#server/deposits/queries.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import type { Route } from "./+types/chain";
import { PaymentTable, ReorgTable, ReversalTable, TroubleTable } from "./chain-tables.tsx";
import { ConsoleError } from "./console-error.tsx";
import styles from "./markets.module.css";
import { SourceFacts } from "./source-facts.tsx";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("chain/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Chain");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const [source, position, payments, reversals, reorgs, troubles] = await Promise.all([
    findSource(db),
    findPosition(db),
    listPaymentsForStaff(db, { waiting: false, limit: 50 }),
    listReversals(db, 20),
    listReorgs(db, 20),
    listTroubles(db, 20),
  ]);
  const steps = config.confirmations.BTC;
  return {
    now: now(),
    kind: config.bitcoinChain?.kind ?? null,
    pollSeconds: config.bitcoinPollSeconds,
    source,
    position,
    payments: payments.map((each) => ({ ...each, needed: confirmationsNeeded(steps, each) })),
    reversals,
    reorgs,
    troubles,
  };
}

export default function ChainPage({ loaderData }: Route.ComponentProps) {
  const { now, kind, pollSeconds, source, position, payments, reversals, reorgs, troubles } =
    loaderData;
  return (
    <>
      <PageHeader
        title="Chain"
        description={
          kind === null
            ? "Nobody is asked about the Bitcoin chain."
            : `${kind === "node" ? "A Bitcoin node" : "An Esplora server"} is asked every ${pollSeconds} s what arrived at customers' addresses.`
        }
      />
      <div className={styles.panels}>
        {kind === null ? (
          <EmptyState drawing="block">
            Payments to customers' own addresses are not seen. Give a node as BITCOIN_RPC_URL, or an
            Esplora server of your own as BITCOIN_ESPLORA_URL.
          </EmptyState>
        ) : (
          <Panel title="Bitcoin">
            <SourceFacts source={source} position={position} now={now} />
          </Panel>
        )}
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
        <Panel title="When it could not be read" flush>
          <TroubleTable troubles={troubles} />
        </Panel>
      </div>
    </>
  );
}
