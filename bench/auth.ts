import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { buildWhenNeeded } from "../scripts/build.ts";
import { startProduct } from "./load/children.ts";
import { measureLoad } from "./load/measure-load.ts";
import { median } from "./load/median.ts";
import { ownPlace } from "./load/place.ts";
import { signIn } from "./load/sign-in.ts";
import { printBar, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const atATime = 20;
const password = "correct horse battery";
const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));

console.log(`Node ${process.version}, ${cpus().length} CPUs`);
buildWhenNeeded();
// Everybody comes from an address of his own; nobody in the world is asked for prices.
const env = { TRUSTED_PROXIES: "1", PRICE_SOURCES: "off", BITCOIN_NETWORK_SOURCE: "off" };
const place = await ownPlace(folder, "product");
const product = await startProduct("scripts/start.ts", { ...place, ...env, LOG_LEVEL: "info" });
try {
  await compare(product.url);
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(url: string): Promise<void> {
  const emails = await register(url, atATime);
  const page = { url: `${url}/account/dashboard`, connections: 1 };
  const cookie = await signIn(url, emails[0] ?? "", password);
  const hashing = () => run("hash-load.ts", { seconds, atATime });
  const signingIn = () =>
    run("sign-in-load.ts", { url, emails: emails.join(), password, seconds, atATime });
  const reading = (whole: number) => measureLoad({ ...page, cookie, seconds: whole });
  const beside = async () => {
    const [load] = await Promise.all([reading(seconds - 1), signingIn()]);
    return load;
  };
  const found = { hashes: [0], signIns: [0], quiet: [0], beside: [0] };
  for (const list of Object.values(found)) list.pop();
  // Until Node has compiled what is often run.
  await Promise.all([reading(seconds), signingIn()]);
  for (let round = 1; round <= rounds; round += 1) {
    found.hashes.push((await hashing()).perSecond);
    found.signIns.push((await signingIn()).perSecond);
    found.quiet.push((await reading(seconds)).p99Ms);
    found.beside.push((await beside()).p99Ms);
    process.stderr.write(`auth: round ${round} of ${rounds} done\n`);
  }
  report(found);
}

function report(found: Record<"hashes" | "signIns" | "quiet" | "beside", number[]>): void {
  const [hashes, signIns] = [median(found.hashes), median(found.signIns)];
  const [quiet, beside] = [median(found.quiet), median(found.beside)];
  console.log(`\n${atATime} at a time, medians of ${rounds} interleaved rounds.\n`);
  printTable(
    ["", "per second", "x"],
    [
      ["Argon2id alone", hashes.toFixed(0), "1.00"],
      ["sign-ins", signIns.toFixed(0), (signIns / hashes).toFixed(2)],
    ],
  );
  console.log();
  printTable(
    ["the dashboard, one reader", "p99 ms", "x"],
    [
      ["quiet", quiet.toFixed(1), "1.00"],
      [`beside ${atATime} sign-ins`, beside.toFixed(1), (beside / quiet).toFixed(2)],
    ],
  );
  console.log();
  printBar("sign-ins: at least 0.8 x Argon2id alone", signIns >= 0.8 * hashes);
  printBar("the page beside them: p99 at most 3 x its quiet p99", beside <= 3 * quiet);
}

async function run(
  program: string,
  settings: Record<string, string | number>,
): Promise<{ perSecond: number }> {
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const file = path.join(import.meta.dirname, "load", program);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  const measured = JSON.parse(stdout);
  if (measured.refused > 0) throw new Error(`${measured.refused} sign-ins were refused`);
  return measured;
}

async function register(url: string, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, n) => `customer-${n}@example.com`);
  for (const [n, email] of emails.entries()) {
    const form = { firstName: "Ada", lastName: "Lovelace", email, password, acceptedTerms: "on" };
    const answer = await fetch(`${url}/signup`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, "x-forwarded-for": `192.0.2.${n}` },
      body: new URLSearchParams({ ...form, confirmPassword: password }),
    });
    if (answer.status !== 302) throw new Error(`registering ${email}: ${answer.status}`);
  }
  return emails;
}
