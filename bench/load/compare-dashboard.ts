import { secretInDataDir } from "#server/platform/config/secrets.ts";
import { startServer } from "./children.ts";
import { asked, type LoadPlan, loadInTurn, middleOf, reportLoads } from "./load-in-turn.ts";
import { signIn } from "./sign-in.ts";
import { hold } from "./table.ts";

const product = "product, dashboard";
const components = "React alone, the same page";

/** A customer's dashboard, beside React alone: rendering the same components from data that it already has. */
export async function compareDashboard(
  url: string,
  dataDir: string,
  plan: LoadPlan,
): Promise<void> {
  const cookie = await signIn(url, "ada@example.com", secretInDataDir(dataDir, "demo-password"));
  const path = "/account/dashboard";
  const page = await textOf(url + path, cookie);
  const alone = await startServer(["bench/load/render-page.ts", dataDir, path, cookie]);
  try {
    const beside = { name: components, url: `${alone.url}/` };
    const loads = await loadInTurn([{ name: product, url: url + path, cookie }, beside], plan);
    const got = (await textOf(beside.url)).length;
    if (got < page.length * 0.95) throw new Error(`${got} of ${page.length} characters`);
    console.log(`\n${asked(plan)}\nRequests for the dashboard of a customer:\n`);
    const ratio = reportLoads(loads, components);
    const work = "requests for the dashboard";
    hold({ work, beside: components, figure: ratio(product), atLeast: 0.3 });
    const p99 = middleOf(loads.get(product) ?? [], ({ p99Ms }) => p99Ms);
    const worst = `its p99 with ${plan.connections} connections`;
    hold({ work: `${work}, ${worst}`, figure: p99, unit: "ms", atMost: 30 });
  } finally {
    await alone.stop();
  }
}

async function textOf(url: string, cookie = ""): Promise<string> {
  return (await fetch(url, { headers: { cookie } })).text();
}
