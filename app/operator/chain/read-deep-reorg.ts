import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { App } from "#server/app-context.ts";
import { findDeepReorg } from "#server/chain/find-deep-reorg.ts";
import type { AskedSource } from "#server/chain/find-source.ts";
import { listCreditedAbove } from "#server/chain/list-credited-above.ts";
import { listDeepReorgs } from "#server/chain/list-deep-reorgs.ts";
import { openReader } from "#server/chain/open-reader.ts";
import { SourceIncident } from "#server/chain/source-health.ts";
import { listBatchesEndedAbove } from "#server/withdrawals/batches/list-batches-ended-above.ts";
import type { ShownDeepReorg } from "./deep-reorg-panel.tsx";

/** A page does not wait longer for a node. */
const patienceMs = 4000;

/** What is shown of settled blocks that a chain has left, and what was said of it. */
export async function readDeepReorg(
  app: App,
  chain: WalletChain,
  source: AskedSource | null,
): Promise<{
  found: ShownDeepReorg | null;
  deepReorgs: Awaited<ReturnType<typeof listDeepReorgs>>;
}> {
  const isStopped = source?.health === "reorg-too-deep";
  const [found, deepReorgs] = await Promise.all([
    isStopped ? look(app, chain) : null,
    listDeepReorgs(app.db, chain, 3),
  ]);
  return { found, deepReorgs };
}

async function look({ db, config }: App, chain: WalletChain): Promise<ShownDeepReorg | null> {
  const reader = openReader(config, chain, AbortSignal.timeout(patienceMs));
  if (!reader) return null;
  const found = await findDeepReorg(db, reader).catch((error: unknown) => {
    if (error instanceof SourceIncident) return null;
    throw error;
  });
  if (!found) return null;
  const { position, newHash, fork } = found;
  const [credited, batches] = await Promise.all([
    listCreditedAbove(db, chain, fork.height),
    listBatchesEndedAbove(db, chain, fork.height),
  ]);
  const { height: oldHeight, hash: oldHash } = position;
  return { oldHeight, oldHash, newHash, forkHeight: fork.height, credited, batches };
}
