import { writeFileSync } from "node:fs";
import { secretInDataDir } from "#server/platform/config/secrets.ts";
import { startServer } from "./children.ts";
import { asked, type LoadPlan, loadInTurn, middleOf, reportLoads } from "./load-in-turn.ts";
import { signIn } from "./sign-in.ts";
import { printBar } from "./table.ts";

const product = "product, dashboard";
const components = "React alone, the same page";
const markup = "React alone, its markup";

/**
 * A customer's dashboard, beside React alone: rendering the same components from data that it already has, and,
 * for orientation, a tree of host elements that gives the same markup.
 */
export async function compareDashboard(
  url: string,
  dataDir: string,
  plan: LoadPlan,
): Promise<void> {
  const cookie = await signIn(url, "ada@example.com", secretInDataDir(dataDir, "demo-password"));
  const path = "/account/dashboard";
  const file = `${dataDir}/dashboard.html`;
  const page = await textOf(url + path, cookie);
  writeFileSync(file, page);
  const pages = await startServer(["bench/load/render-page.ts", dataDir, path, cookie]);
  const trees = await startServer(["bench/load/render-markup.ts", file]);
  try {
    const beside = [
      { name: components, url: `${pages.url}/` },
      { name: markup, url: `${trees.url}/` },
    ];
    const loads = await loadInTurn([{ name: product, url: url + path, cookie }, ...beside], plan);
    for (const { name, url: root } of beside) {
      const got = (await textOf(root)).length;
      if (got < page.length * 0.95) throw new Error(`${name}: ${got} of ${page.length} characters`);
    }
    console.log(`\n${asked(plan)}\nRequests for the dashboard of a customer:\n`);
    const ratio = reportLoads(loads, components);
    printBar(`dashboard: at least 0.3 x ${components}`, ratio(product) >= 0.3);
    const p99 = middleOf(loads.get(product) ?? [], ({ p99Ms }) => p99Ms);
    printBar(`dashboard: p99 under 30 ms with ${plan.connections} connections`, p99 < 30);
  } finally {
    await Promise.all([pages.stop(), trees.stop()]);
  }
}

async function textOf(url: string, cookie = ""): Promise<string> {
  return (await fetch(url, { headers: { cookie } })).text();
}
