import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildWhenNeeded } from "../scripts/build.ts";
import { startProduct } from "./load/children.ts";
import { measureLoad } from "./load/measure-load.ts";
import { median } from "./load/median.ts";
import { register, runLoad } from "./load/people.ts";
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
const product = await startProduct("start", { ...place, ...env, LOG_LEVEL: "info" });
try {
  await compare(product.url);
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(url: string): Promise<void> {
  const browsers = await register(url, atATime, password);
  const page = { url: `${url}/account/dashboard`, connections: 1 };
  const cookie = await signIn(url, browsers[0]?.email ?? "", password);
  const hashing = () => runLoad("hash-load.ts", { seconds, atATime });
  const signingIn = () =>
    runLoad("sign-in-load.ts", {
      url,
      browsers: JSON.stringify(browsers),
      password,
      seconds,
      atATime,
    });
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
