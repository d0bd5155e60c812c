import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { buildWhenNeeded } from "../scripts/build-pages.ts";
import { startProduct } from "./load/children.ts";
import { measureLoad } from "./load/measure-load.ts";
import { median } from "./load/median.ts";
import { type Browser, register, runLoad, runProgram } from "./load/people.ts";
import { ownPlace } from "./load/place.ts";
import { signIn } from "./load/sign-in.ts";
import { hold, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    /** Guess alone, without what is measured in turn. */
    only: { type: "string", default: "" },
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
  const browsers = await register(product.url, atATime, password);
  if (options.only !== "guessing") await compare(product.url, browsers);
  await guess(product.url, browsers);
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A customer signs in while 100 networks try passwords at once: by a known browser, and by a new one with a script. */
async function guess(url: string, browsers: Browser[]): Promise<void> {
  const args = { url, seconds: 30, atATime: 100 };
  const storm = runProgram("guess-load.ts", args);
  const found: Record<"known" | "new", number[]> = { known: [], new: [] };
  // The first ones meet the waiting rooms, the later ones what is asked of everybody.
  const until = performance.now() + 25_000;
  for (let n = 0; performance.now() < until; n += 1) {
    const browser = browsers[n % browsers.length];
    if (!browser) break;
    found.known.push(await timedSignIn(url, { ...browser, place: `192.0.2.${n % 250}` }));
    const stranger = { email: browser.email, device: "", place: `198.51.100.${n % 250}` };
    found.new.push(await timedSignIn(url, stranger));
  }
  const answered = await storm;
  console.log(`\n100 networks guess at once: ${JSON.stringify(answered)}\n`);
  const rows = Object.entries(found).map(([who, ms]) => [
    `a customer's ${who} browser`,
    String(ms.length),
    (median(ms) / 1000).toFixed(2),
    (Math.max(...ms) / 1000).toFixed(2),
  ]);
  printTable(["signs in meanwhile", "times", "median s", "longest s"], rows);
  console.log();
  for (const [who, ms] of Object.entries(found)) {
    const work = `during guesses, the longest sign-in of a customer's ${who} browser`;
    hold({ work, figure: Math.max(...ms) / 1000, unit: "s", atMost: 3 });
  }
}

/** As the page's script does: where the site is busy, a task is solved and the form sent once more. */
async function timedSignIn(url: string, who: Browser & { place: string }): Promise<number> {
  const began = performance.now();
  const headers = {
    origin: url,
    accept: "application/json",
    "x-forwarded-for": who.place,
    ...(who.device && { cookie: who.device }),
  };
  const send = async (proof: string) => {
    const body = new URLSearchParams({ email: who.email, password, proof });
    const answer = await fetch(`${url}/login`, { method: "POST", headers, body });
    return (await answer.json()) as { next?: string; busy?: object };
  };
  let answer = await send("");
  for (let tries = 0; answer.busy && tries < 3; tries += 1) {
    const challenge = await (await fetch(`${url}/contact/challenge`, { headers })).json();
    const solution = await solveChallenge({ challenge, deriveKey });
    answer = await send(btoa(JSON.stringify({ challenge, solution })));
  }
  if (!answer.next) throw new Error(`not signed in: ${JSON.stringify(answer)}`);
  return performance.now() - began;
}

async function compare(url: string, browsers: Browser[]): Promise<void> {
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
  hold({ work: "sign-ins", beside: "Argon2id alone", figure: signIns / hashes, atLeast: 0.9 });
  const work = `the dashboard's p99 beside ${atATime} sign-ins`;
  hold({ work, beside: "its quiet p99", figure: beside / quiet, atMost: 2.5 });
}
