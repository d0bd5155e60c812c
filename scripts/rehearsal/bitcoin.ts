import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { toDecimal } from "../../core/money.ts";
import { secretInDataDir } from "../../server/platform/config/secrets.ts";
import { ConfigError } from "../../server/platform/config.ts";
import { ensureBitcoind } from "../programs/get-bitcoind.ts";

/** The wallet of customers at home, and of others. */
const world = "world";
/** Miners are paid, and pay, from a wallet of their own: coins that the operator's batches paid are no income of his when they come back. */
const miners = "pool";
/** The operator's: the product knows its public key alone. */
const operators = "operator";
/** The operator's too, of which the product knows nothing: a pool pays there until it has an address of the other. */
const cold = "cold";
const endsWithinMs = 20_000;

const flags = [
  ...["-regtest", "-server", "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1", "-listen=0"],
  ...["-minrelaytxfee=0.000001", "-incrementalrelayfee=0.000001", "-blockmintxfee=0.00000001"],
  ...[
    "-dnsseed=0",
    "-fallbackfee=0.00002",
    "-printtoconsole=0",
    "-dbcache=16",
    "-rpcuser=rehearsal",
  ],
  ...["-maxtxfee=1", "-addresstype=bech32", "-changetype=bech32", "-keypool=50"],
];
/** What Bitcoin Knots refuses beyond Bitcoin Core, unless told. */
const knotsFlags = ["-corepolicy", "-rejectparasites=0", "-rejecttokens=0"];

/** A rehearsal's own Bitcoin chain (regtest): its node, spoken to by whoever knows the data directory. */
export class RehearsalChain {
  readonly url: string;
  readonly #authorization: string;

  constructor(dataDir: string) {
    this.url = readFileSync(urlFile(dataDir), "utf8").trim();
    const { username, password } = new URL(this.url);
    this.#authorization = `Basic ${btoa(`${username}:${password}`)}`;
  }

  async call<T>(method: string, params: unknown[] = [], wallet?: string): Promise<T> {
    const { origin } = new URL(this.url);
    const response = await fetch(`${origin}${wallet ? `/wallet/${wallet}` : ""}`, {
      method: "POST",
      headers: { authorization: this.#authorization },
      body: JSON.stringify({ jsonrpc: "1.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: T;
      error: { message: string } | null;
    };
    // What the operator typed is wrong, more often than anything of ours.
    if (error) throw new ConfigError(`${method}: ${error.message}`);
    return result;
  }

  newAddress(): Promise<string> {
    return this.call<string>("getnewaddress", [], world);
  }

  pay(address: string, sats: bigint): Promise<string> {
    return this.call<string>("sendtoaddress", [address, toDecimal(sats, "BTC")], world);
  }

  /** The same as a pool does. */
  payAsPool(address: string, sats: bigint): Promise<string> {
    return this.call<string>("sendtoaddress", [address, toDecimal(sats, "BTC")], miners);
  }

  /** So many blocks, the last of them at a moment and the others ten minutes apart before it. */
  async mine(blocks: number, until: Date, wallet = miners): Promise<void> {
    const address = await this.call<string>("getnewaddress", [], wallet);
    for (let left = blocks - 1; left >= 0; left -= 1) {
      const time = Math.floor(until.getTime() / 1000) - left * 600;
      await this.call("setmocktime", [time]);
      await this.call("generatetoaddress", [1, address]);
    }
  }

  /** As the operator reads them for a count. BTC as decimals. */
  async readHoldings(): Promise<{ hot: string; cold: string }> {
    const [inHot, inCold] = await Promise.all([
      this.call<number>("getbalance", ["*", 1], operators),
      this.call<number>("getbalance", ["*", 1], cold),
    ]);
    return { hot: inHot.toFixed(8), cold: inCold.toFixed(8) };
  }

  /** As a pool pays that was given no address of the wallet that the product knows. */
  newColdAddress(): Promise<string> {
    return this.call<string>("getnewaddress", [], cold);
  }

  height(): Promise<number> {
    return this.call<number>("getblockcount");
  }

  /** What the product is given as DEPOSIT_WALLET_BITCOIN. */
  async operatorDescriptor(): Promise<string> {
    const { descriptors } = await this.call<{ descriptors: Descriptor[] }>(
      "listdescriptors",
      [],
      operators,
    );
    const found = descriptors.find(
      ({ desc, internal }) => internal === false && /^wpkh\(.*\/0\/\*\)/.test(desc),
    );
    if (!found) throw new Error("the operator's wallet has no receiving branch");
    return found.desc.split("#")[0] ?? "";
  }

  async listOperatorAddresses(count: number): Promise<string[]> {
    const { checksum } = await this.call<{ checksum: string }>("getdescriptorinfo", [
      await this.operatorDescriptor(),
    ]);
    const described = `${await this.operatorDescriptor()}#${checksum}`;
    return this.call<string[]>("deriveaddresses", [described, [0, count - 1]]);
  }

  /** A PSBT in base64, with the signatures of the operator's wallet. */
  async sign(psbt: string): Promise<string> {
    const asked = [psbt.replace(/\s/g, ""), true, "ALL", true, false];
    const signed = await this.call<{ psbt: string }>("walletprocesspsbt", asked, operators);
    return signed.psbt;
  }
}

interface Descriptor {
  desc: string;
  internal?: boolean;
}

const urlFile = (dataDir: string) => path.join(dataDir, "bitcoin-url");

/** Starts the node on the chain of the data directory; a new one gets its wallets and coins. */
export async function startRehearsalNode(
  dataDir: string,
  now: Date,
): Promise<{ chain: RehearsalChain; stop(): Promise<void> }> {
  const bitcoind = ensureBitcoind();
  const folder = path.join(dataDir, "bitcoin");
  const isNew = !existsSync(folder);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const password = secretInDataDir(dataDir, "bitcoin-rpc");
  writeFileSync(urlFile(dataDir), `http://rehearsal:${password}@127.0.0.1:${port}\n`, {
    mode: 0o600,
  });
  const isKnots = /knots/i.test(execFileSync(bitcoind, ["--version"], { encoding: "utf8" }));
  const own = [
    ...[`-datadir=${folder}`, `-rpcport=${port}`, `-rpcpassword=${password}`],
    // Its clock stands where it was last set: a block's time is always the rehearsal's.
    `-mocktime=${Math.floor(now.getTime() / 1000)}`,
  ];
  const child = spawn(bitcoind, [...flags, ...(isKnots ? knotsFlags : []), ...own], {
    stdio: "ignore",
    // A group of its own: Ctrl-C in a terminal reaches the product first.
    detached: true,
  });
  const chain = new RehearsalChain(dataDir);
  await untilAnswers(child, chain);
  if (isNew) await makeWallets(chain, now);
  else
    for (const name of [world, miners, operators, cold])
      await chain.call("loadwallet", [name]).catch(() => {});
  // A node whose newest block is of yesterday calls itself behind.
  await chain.mine(1, now);
  return { chain, stop: () => end(child) };
}

async function makeWallets(chain: RehearsalChain, now: Date): Promise<void> {
  // A wallet does not look into blocks from before its own beginning.
  await chain.call("setmocktime", [Math.floor(now.getTime() / 1000) - 86_400]);
  await chain.call("createwallet", [world]);
  await chain.call("createwallet", [miners]);
  await chain.call("createwallet", [operators]);
  await chain.call("createwallet", [cold]);
  await addCustomersBranch(chain);
  // Coins of a block can be spent a hundred blocks later.
  await chain.mine(5, new Date(now.getTime() - 105 * 600_000));
  await chain.mine(105, now, world);
}

/** Customers' addresses are on a branch that wallets do not know by themselves: docs/operating/wallets.md. */
async function addCustomersBranch(chain: RehearsalChain): Promise<void> {
  const { descriptors } = await chain.call<{ descriptors: Descriptor[] }>(
    "listdescriptors",
    [true],
    operators,
  );
  const receiving = descriptors.find(({ desc }) => /^wpkh\(.*\/0\/\*\)/.test(desc))?.desc ?? "";
  const desc = receiving.replace(/\/0\/\*\).*/, "/2/*)");
  const { checksum } = await chain.call<{ checksum: string }>("getdescriptorinfo", [desc]);
  const branch = { desc: `${desc}#${checksum}`, timestamp: "now", range: [0, 1000], active: false };
  const [imported] = await chain.call<Array<{ success: boolean }>>(
    "importdescriptors",
    [[branch]],
    operators,
  );
  if (!imported?.success) throw new Error("the branch of customers was not imported");
}

async function untilAnswers(child: ChildProcess, chain: RehearsalChain): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      await chain.height();
      return;
    } catch (error) {
      if (child.exitCode !== null) throw new Error("bitcoind ended at its start", { cause: error });
      if (performance.now() > deadline) throw error;
      await wait(100);
    }
  }
}

/** It writes its chain down, which takes a moment. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const isOver = await Promise.race([exited, wait(endsWithinMs, null, { ref: false })]);
  if (isOver === null) child.kill("SIGKILL");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
