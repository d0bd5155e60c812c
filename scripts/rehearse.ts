import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseAmount } from "../core/money.ts";
import { ConfigError } from "../server/platform/config.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { ensureLibfaketime } from "./programs/get-libfaketime.ts";
import { RehearsalChain, startRehearsalNode } from "./rehearsal/bitcoin.ts";
import {
  clockEnvironment,
  hasRehearsalClock,
  readDaysAhead,
  setDaysAhead,
} from "./rehearsal/clock.ts";
import { oneLine } from "./run-until-stopped.ts";

const usage = `npm run rehearse                       a business to be set up from nothing
npm run rehearse -- --ready            the same with machines, a plan, a pool, and a customer with coins
npm run rehearse -- operator create EMAIL "First Last"
npm run rehearse -- pay ADDRESS BTC    pays from a wallet elsewhere, as a customer would
npm run rehearse -- address            an address of that wallet, to withdraw to
npm run rehearse -- wallet             the operator's addresses, as the wallet itself shows them
npm run rehearse -- sign FILE          signs a batch, into FILE.signed`;

// No `.env`: it is an own installation's, whose database and wallets a rehearsal must not know.
const { env } = process;
const dataDir = path.resolve(env["REHEARSAL_DIR"]?.trim() || "./rehearsal-data");

/** What is done beside a rehearsal that runs. */
const acts: Record<string, (chain: RehearsalChain, given: string[]) => Promise<string>> = {
  async pay(chain, [address = "", amount = ""]) {
    const sats = parseAmount(amount, "BTC");
    if (sats === null || sats === 0n) throw new ConfigError(usage);
    return `Paid; it waits for a block. Transaction ${await chain.pay(address, sats)}`;
  },
  address: (chain) => chain.newAddress(),
  async wallet(chain) {
    const addresses = await chain.listOperatorAddresses(4);
    return addresses.map((address, index) => `${index}  ${address}`).join("\n");
  },
  async sign(chain, [file = ""]) {
    if (!existsSync(file)) throw new ConfigError(usage);
    const signed = await chain.sign(readFileSync(file).toString("base64"));
    writeFileSync(`${file}.signed`, Buffer.from(signed, "base64"));
    return `Signed: ${file}.signed`;
  },
};

/** The node goes by its own clock; the product and its PostgreSQL by the rehearsal's, which is told to them by the loader. */
async function rehearse(isReady: boolean): Promise<void> {
  requireOwnFolder();
  const library = ensureLibfaketime();
  buildWhenNeeded();
  mkdirSync(dataDir, { recursive: true });
  if (!hasRehearsalClock(dataDir)) setDaysAhead(dataDir, 0);
  const now = new Date(Date.now() + readDaysAhead(dataDir) * 86_400_000);
  const node = await startRehearsalNode(dataDir, now);
  const product = spawnBeside("rehearse-product.ts", isReady ? ["--ready"] : [], library);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => product.kill(signal));
  }
  const code = await new Promise<number>((resolve) => {
    product.once("exit", (exit, signal) => resolve(exit ?? (signal ? 1 : 0)));
  });
  await node.stop();
  process.exitCode = code;
}

/** Before anything is put there: in an installation's folder PostgreSQL would be started with its data. */
function requireOwnFolder(): void {
  if (hasRehearsalClock(dataDir) || !existsSync(dataDir) || readdirSync(dataDir).length === 0)
    return;
  throw new ConfigError(`REHEARSAL_DIR ${dataDir} holds something else: name an empty folder.`);
}

/** A command of the product that must go by the rehearsal's clock, such as one that makes a link. */
async function runBeside(script: string, args: string[]): Promise<void> {
  // Where no `.env` of an own installation is.
  const child = spawnBeside(script, args, ensureLibfaketime(), dataDir);
  process.exitCode = await new Promise<number>((resolve) => {
    child.once("exit", (exit) => resolve(exit ?? 1));
  });
}

function spawnBeside(script: string, args: string[], library: string, cwd = "."): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, script), ...args], {
    stdio: "inherit",
    cwd,
    env: rehearsalEnvironment(library),
  });
}

/** Nothing of an own installation: neither its database and mail server nor its wallets, nodes and limits. */
function rehearsalEnvironment(library: string): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "TMPDIR", "HOST", "PORT", "SITE_NAME", "LOG_LEVEL"];
  const own = Object.entries(env).filter(
    ([name]) => kept.includes(name) || /^(NODE_|XDG_|MALLOC_|NO_COLOR|TEST_POSTGRES)/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    ...clockEnvironment(dataDir, library),
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    // A name: passkeys are not bound to bare addresses.
    APP_URL: `http://localhost:${env["PORT"]?.trim() || 3000}`,
  };
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}

async function run([command, ...given]: string[]): Promise<void> {
  if (env["NETWORK"] === "mainnet") {
    throw new ConfigError("NETWORK must not be mainnet for a rehearsal: its clock is moved.");
  }
  if (command === undefined || command === "--ready") return rehearse(command === "--ready");
  if (!hasRehearsalClock(dataDir)) throw new ConfigError(`There is no rehearsal in ${dataDir}.`);
  if (command === "operator") return runBeside("operator.ts", given);
  const act = acts[command];
  if (!act) throw new ConfigError(usage);
  console.log(await act(new RehearsalChain(dataDir), given));
}
