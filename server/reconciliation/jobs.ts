import { BitcoinNode, isScanning } from "../chain/bitcoin/bitcoin-node.ts";
import { EthereumNode } from "../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../chain/json-rpc.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { type Job, nodeQueues } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import { noteCustody } from "./note-custody.ts";
import { readWallets } from "./read-wallets.ts";
import { readAccounts, readReserves } from "./reserves/read-reserves.ts";

const note: Job<{ db: Db; now(): Date }, unknown> = {
  name: "reconciliation/note-custody",
  // The first run after midnight notes the day; the others find it noted.
  schedule: "7 * * * *",
  async run({ db, now }) {
    await noteCustody(db, now());
  },
};

interface Context {
  db: Db;
  config: Config;
  log: Log;
  now(): Date;
}

const read: Job<Context, unknown> = {
  name: "reconciliation/read-wallets",
  // What was read today is not read again; a node that was busy or away is asked the next hour.
  schedule: "19 * * * *",
  atStart: true,
  queue: nodeQueues.scanBitcoin,
  run: (context, _, stopping) => ask(context, { again: false, stopping }),
};

const readAgain: Job<Context, unknown> = {
  name: "reconciliation/read-wallets-again",
  run: (context, _, stopping) => ask(context, { again: true, stopping }),
};

const reserves: Job<Context, unknown> = {
  name: "reconciliation/read-reserves",
  schedule: "49 * * * *",
  queue: nodeQueues.scanBitcoin,
  run: ({ db, config, log, now }, _, stopping) =>
    askNode({ config, log, stopping }, (place) => readReserves(db, place, now)),
};

const accounts: Job<Context, unknown> = {
  name: "reconciliation/read-accounts",
  schedule: "51 * * * *",
  queue: nodeQueues.payInEthereum,
  async run({ db, config, log, now }, _, stopping) {
    const { ethereumChain } = config;
    if (!ethereumChain) return;
    const { url, chainIds, usdtContract } = ethereumChain;
    const node = new EthereumNode(url, stopping);
    await unlessNodeFails(log, async () => {
      if (chainIds.includes(await node.getChainId()))
        await readAccounts(db, { node, usdtContract }, now);
    });
  },
};

function ask(
  { db, config, log, now }: Context,
  { again, stopping }: { again: boolean; stopping: AbortSignal },
): Promise<void> {
  return askNode({ config, log, stopping, isUrgent: again }, (place) =>
    readWallets(db, { ...place, again }, now),
  );
}

/** What the node does not answer, the next hour asks again, unless somebody waits for it. */
async function askNode(
  {
    config,
    log,
    stopping,
    isUrgent = false,
  }: Pick<Context, "config" | "log"> & { stopping: AbortSignal; isUrgent?: boolean },
  read: (place: { node: BitcoinNode; network: Config["network"] }) => Promise<void>,
): Promise<void> {
  const { bitcoinChain, network } = config;
  if (!bitcoinChain) return;
  const node = new BitcoinNode(bitcoinChain.url, stopping);
  await unlessNodeFails(log, () => read({ node, network }), {
    isTriedAgain: (error) => isUrgent && isTriedAgain(error, stopping),
  });
}

async function unlessNodeFails(
  log: Log,
  read: () => Promise<void>,
  { isTriedAgain = () => false }: { isTriedAgain?: (error: NodeError) => boolean } = {},
): Promise<void> {
  try {
    await read();
  } catch (error) {
    const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const each of failures) {
      if (!(each instanceof NodeError) || isTriedAgain(each)) throw error;
      log.info({ detail: each.message }, "a wallet could not be read");
    }
  }
}

/** Somebody waits for it: when another scan may be over, and by the next worker. */
function isTriedAgain(error: NodeError, stopping: AbortSignal): boolean {
  return isScanning(error) || stopping.aborted;
}

export const reconciliationJobs = [note, read, readAgain, reserves, accounts];
