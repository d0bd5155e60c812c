import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { bech32 } from "@scure/base";
import { browserToUse } from "#tests/setup/find-browser.ts";
import { startProduct, startServer } from "./children.ts";
import { type Audit, installLighthouse, runLighthouse } from "./lighthouse.ts";
import { median } from "./median.ts";
import { ownPlace, untilPricesAreThere } from "./place.ts";
import { priceExchange } from "./price-exchange.ts";
import { hold, printTable, skip } from "./table.ts";

const root = path.resolve(import.meta.dirname, "../..");
const minimal = "minimal page";
const publicPages = ["/", "/about", "/faq", "/login", "/signup"];

/** Lighthouse of the public pages, beside a minimal page of the same stack. */
export async function auditPages(folder: string, runs: number): Promise<void> {
  const browser = browserToUse().executablePath;
  if (!browser || !installLighthouse()) {
    return skip(
      "Lighthouse of the public pages",
      browser ? "Lighthouse could not be installed" : "no Chromium or Chrome",
    );
  }
  buildMinimalPage();
  const exchange = await priceExchange();
  const product = await startProduct("start", await mainnet(folder, exchange.env));
  const bare = await startServer(["bench/load/serve-minimal-page.ts"]);
  try {
    await untilPricesAreThere(product.url);
    const places = new Map([
      [minimal, bare.url],
      ...publicPages.map((page) => [page, product.url + page] as const),
    ]);
    reportAudits(await auditInTurn(places, browser, runs), runs);
  } finally {
    await Promise.all([product.stop(), bare.stop()]);
    await exchange.stop();
  }
}

/** Round after round, so that whatever else the machine does falls on all pages alike. */
async function auditInTurn(
  places: Map<string, string>,
  browser: string,
  runs: number,
): Promise<Map<string, Audit[]>> {
  const audits = new Map<string, Audit[]>([...places.keys()].map((page) => [page, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const [page, url] of places) audits.get(page)?.push(await runLighthouse(url, browser));
    process.stderr.write(`Lighthouse: run ${run} of ${runs} done\n`);
  }
  return audits;
}

function reportAudits(audits: Map<string, Audit[]>, runs: number): void {
  const middle = (page: string, value: (audit: Audit) => number) =>
    median((audits.get(page) ?? []).map(value));
  // Its scripts come before its first picture in some runs, which triples its figure: the best one is the strictest.
  const reference = Math.min(...(audits.get(minimal) ?? []).map(({ lcpMs }) => lcpMs));
  const lcpRatio = (page: string) => middle(page, ({ lcpMs }) => lcpMs) / reference;
  console.log(`\nLighthouse, mobile preset, medians of ${runs} runs:\n`);
  printTable(
    "page,perf,a11y,best,SEO,FCP ms,LCP ms,x minimal,TBT ms,CLS,script B,style B".split(","),
    [...audits.keys()].map((page) => [
      page,
      ...(["performance", "accessibility", "best-practices", "seo"] as const).map((category) =>
        String(middle(page, ({ scores }) => scores[category])),
      ),
      middle(page, ({ fcpMs }) => fcpMs).toFixed(0),
      middle(page, ({ lcpMs }) => lcpMs).toFixed(0),
      lcpRatio(page).toFixed(2),
      middle(page, ({ tbtMs }) => tbtMs).toFixed(0),
      middle(page, ({ cls }) => cls).toFixed(4),
      middle(page, ({ scriptBytes }) => scriptBytes).toLocaleString("en"),
      middle(page, ({ styleBytes }) => styleBytes).toLocaleString("en"),
    ]),
  );
  console.log(
    "\nScript and style as sent, compressed; what stands in the page itself is not counted.",
  );
  for (const [page, all] of audits) {
    for (const complaint of new Set(all.flatMap(({ complaints }) => complaints))) {
      console.log(`${page}: ${complaint}`);
    }
  }
  console.log();
  for (const page of publicPages) {
    const scores = (category: keyof Audit["scores"]) =>
      middle(page, (audit) => audit.scores[category]);
    const others = Math.min(scores("accessibility"), scores("best-practices"), scores("seo"));
    const score = { unit: "of 100", beside: "Lighthouse, mobile" };
    hold({ ...score, work: `${page}, performance`, figure: scores("performance"), atLeast: 97 });
    hold({ ...score, work: `${page}, the other scores`, figure: others, atLeast: 100 });
    hold({ work: `${page}, CLS`, figure: middle(page, ({ cls }) => cls), unit: "", atMost: 0.01 });
    hold({
      work: `${page}, TBT`,
      figure: middle(page, ({ tbtMs }) => tbtMs),
      unit: "ms",
      atMost: 150,
    });
    hold({ work: `${page}, LCP`, beside: minimal, figure: lcpRatio(page), atMost: 1.4 });
  }
  const script = middle("/", ({ scriptBytes }) => scriptBytes);
  hold({ work: "/, script", figure: script / 1000, unit: "kB", atMost: 120 });
}

function buildMinimalPage(): void {
  if (existsSync(path.join(root, "build/minimal-page/server/index.js"))) return;
  const cli = path.join(root, "node_modules/@react-router/dev/bin.cjs");
  const { status, stderr } = spawnSync(process.execPath, [cli, "build"], {
    cwd: path.join(root, "bench/minimal-page"),
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new Error(`the minimal page could not be built:\n${stderr}`);
}

/** As on a real site, so that search engines are let in; the addresses are nobody's. */
async function mainnet(folder: string, env: Record<string, string>) {
  const nobody = bech32.encode("bc", [0, ...bech32.toWords(randomBytes(20))]);
  const place = await ownPlace(folder, "mainnet");
  return {
    ...env,
    ...place,
    APP_URL: `http://127.0.0.1:${place.PORT}`,
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: nobody,
    DEPOSIT_ADDRESS_ETHEREUM: `0x${randomBytes(20).toString("hex")}`,
  };
}
