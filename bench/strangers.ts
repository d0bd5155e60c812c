import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildWhenNeeded } from "../scripts/build-pages.ts";
import { startProduct } from "./load/children.ts";
import { measureLoad } from "./load/measure-load.ts";
import { median } from "./load/median.ts";
import { register, runLoad } from "./load/people.ts";
import { ownPlace } from "./load/place.ts";
import { hold, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const connections = 10;
/** As many as the site is to bear. */
const searchesPerSecond = 300;
const password = "correct horse battery";
const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));

console.log(`Node ${process.version}, ${cpus().length} CPUs`);
buildWhenNeeded();
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
  const browsers = JSON.stringify(await register(url, 1, password));
  const load = (address: string) => measureLoad({ url: url + address, seconds, connections });
  const signingIn = () =>
    runLoad("sign-in-load.ts", { url, browsers, password, seconds, atATime: 1 });
  const beside = async () => {
    const searching = measureLoad({
      url: `${url}/faq?q=MADEUP`,
      seconds: seconds + 1,
      connections,
      perSecond: searchesPerSecond,
    });
    const [signIns, searches] = await Promise.all([signingIn(), searching]);
    return { ...signIns, searches: searches.perSecond };
  };
  const found = {
    live: [] as number[],
    ready: [] as number[],
    searches: [] as number[],
    alone: [] as number[],
    beside: [] as number[],
    searchesBeside: [] as number[],
  };
  // Until Node has compiled what is often run.
  for (const address of ["/livez", "/readyz", "/faq?q=MADEUP"]) await load(address);
  for (let round = 1; round <= rounds; round += 1) {
    found.live.push((await load("/livez")).perSecond);
    found.ready.push((await load("/readyz")).perSecond);
    found.searches.push((await load("/faq?q=MADEUP")).perSecond);
    found.alone.push(1000 / (await signingIn()).perSecond);
    const both = await beside();
    found.beside.push(1000 / both.perSecond);
    found.searchesBeside.push(both.searches);
    process.stderr.write(`strangers: round ${round} of ${rounds} done\n`);
  }
  report(found);
}

function report(found: Record<string, number[]>): void {
  const middle = (name: string) => median(found[name] ?? []);
  console.log(`\n${connections} connections, medians of ${rounds} interleaved rounds.\n`);
  printTable(
    ["", "per second"],
    [
      ["/livez", middle("live").toFixed(0)],
      ["/readyz", middle("ready").toFixed(0)],
      ["/faq?q= with a made-up word", middle("searches").toFixed(0)],
    ],
  );
  console.log();
  const [alone, beside] = [middle("alone"), middle("beside")];
  printTable(
    ["one sign-in after another", "ms", "x"],
    [
      ["alone", alone.toFixed(0), "1.00"],
      [
        `beside ${middle("searchesBeside").toFixed(0)} made-up words a second`,
        beside.toFixed(0),
        (beside / alone).toFixed(2),
      ],
    ],
  );
  console.log();
  const live = middle("live") / middle("ready");
  hold({ work: "/livez", beside: "/readyz", figure: live, atMost: 1.2 });
  const [searches, unit] = [middle("searches"), "a second"];
  hold({ work: "made-up words", figure: searches, unit, atLeast: searchesPerSecond });
  const kept = middle("searchesBeside") / searchesPerSecond;
  hold({
    work: "made-up words beside sign-ins",
    beside: "what was asked",
    figure: kept,
    atLeast: 0.95,
  });
  hold({
    work: "a sign-in beside made-up words",
    beside: "alone",
    figure: beside / alone,
    atMost: 2,
  });
}
