import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { ConfigError } from "../server/platform/config.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { type Fleet, mailsOf, settingsOf, startFleet } from "./fleet/start-fleet.ts";
import { oneLine, runUntilStopped } from "./run-until-stopped.ts";

const usage = `npm run fleet                       a large installation on this machine
npm run fleet -- operator create EMAIL "First Last"
                                    a command of the product on the one that runs: operator, verify or doctor`;
const typed = `Type what is to happen:
  list          what runs
  kill NAME     one process, without a word; it is started again
  promote       the primary is gone, and the standby takes its place
  roll          each product is replaced, one after the other
  roll FOLDER   by the version in the folder, which is built`;

const { env } = process;
const folder = path.resolve(env["FLEET_DIR"]?.trim() || "./fleet-data");
const commands = ["operator", "verify", "doctor"];

/** What a person types while it runs. */
const acts: Record<string, (fleet: Fleet, what: string) => Promise<void>> = {
  async list(fleet) {
    const rows = fleet.parts.map(async (part) => {
      const { name, pid, starts } = part;
      return { name, pid, isReady: await part.isReady(), starts };
    });
    console.table(await Promise.all(rows));
  },
  async kill(fleet, name) {
    const found = fleet.parts.find((each) => each.name === name);
    if (!found) throw new ConfigError(`There is no part ${name || "without a name"}: see list.`);
    found.signal("SIGKILL");
    console.log(`${name} was killed, and is started again.`);
    const server = fleet.databases.servers.find(({ part }) => part === found);
    if (server) await fleet.databases.kill(server);
  },
  async promote(fleet) {
    await fleet.databases.promote();
    console.log(`${fleet.databases.primary.part.name} is the primary.`);
  },
  async roll(fleet, to) {
    if (to && !existsSync(path.join(to, "build")))
      throw new ConfigError(`In ${to} no version is built.`);
    await fleet.roll(to ? path.resolve(to) : undefined);
    console.log("Each product was replaced.");
  },
};

async function start(): Promise<void> {
  if (env["NETWORK"] === "mainnet" || existsSync(".env"))
    throw new ConfigError(
      "A fleet is for trying: start it where neither NETWORK is mainnet nor a .env of an own installation is.",
    );
  buildWhenNeeded();
  console.log("Starting. The first time some programs are unpacked, and it takes a minute.");
  const port = Number(env["PORT"]?.trim() || 3000);
  const fleet = await runUntilStopped(() => startFleet(folder, { port }));
  console.log(`It runs at ${fleet.url}; Prometheus at ${fleet.prometheusUrl}`);
  console.log(`  mails: ${mailsOf(folder)}     logs: ${path.join(folder, "logs")}`);
  console.log('  the first operator: npm run fleet -- operator create you@example.com "Your Name"');
  console.log(typed);
  for await (const line of createInterface({ input: process.stdin })) {
    const [word = "", name = ""] = line.trim().split(/\s+/);
    const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
    if (act) await act(fleet, name).catch((error) => console.error(oneLine(error)));
    else if (word) console.log(typed);
  }
}

/** Where no `.env` of an own installation is. */
async function runBeside(command: string, given: string[]): Promise<void> {
  if (!commands.includes(command)) throw new ConfigError(usage);
  if (!existsSync(settingsOf(folder))) throw new ConfigError(`There is no fleet in ${folder}.`);
  const settings = parseEnv(readFileSync(settingsOf(folder), "utf8"));
  const script = path.join(import.meta.dirname, `${command}.ts`);
  const child = spawn(process.execPath, [script, ...given], {
    stdio: "inherit",
    cwd: folder,
    // Whatever database a shell names.
    env: { ...env, ...settings },
  });
  process.exitCode = await new Promise<number>((resolve) => {
    child.once("exit", (exit) => resolve(exit ?? 1));
  });
}

try {
  const [command, ...given] = process.argv.slice(2);
  await (command === undefined ? start() : runBeside(command, given));
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}
