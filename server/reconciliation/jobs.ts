import { BitcoinNode, isScanning } from "../chain/bitcoin/bitcoin-node.ts";
import { NodeError } from "../chain/json-rpc.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { type Job, nodeQueues } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import { noteCustody } from "./note-custody.ts";
import { readWallets } from "./read-wallets.ts";
import { readReserves } from "./reserves/read-reserves.ts";

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
  async run({ db, config, log, now }, _, stopping) {
    const { bitcoinChain, network } = config;
    if (!bitcoinChain) return;
    const node = new BitcoinNode(bitcoinChain.url, stopping);
    try {
      await readReserves(db, { node, network }, now);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      // The next hour asks again.
      log.info({ detail: error.message }, "the signed reserves could not be read");
    }
  },
};

async function ask(
  { db, config, log, now }: Context,
  { again, stopping }: { again: boolean; stopping: AbortSignal },
): Promise<void> {
  const { bitcoinChain, network } = config;
  if (!bitcoinChain) return;
  const node = new BitcoinNode(bitcoinChain.url, stopping);
  try {
    await readWallets(db, { node, network, again }, now);
  } catch (error) {
    const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const each of failures) {
      if (!(each instanceof NodeError) || (again && isTriedAgain(each, stopping))) throw error;
      log.info({ detail: each.message }, "a wallet could not be read");
    }
  }
}

/** Somebody waits for it: when another scan may be over, and by the next worker. */
function isTriedAgain(error: NodeError, stopping: AbortSignal): boolean {
  return isScanning(error) || stopping.aborted;
}

export const reconciliationJobs = [note, read, readAgain, reserves];
