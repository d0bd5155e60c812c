import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ReceiptView } from "#app/ui/receipt/receipt-view.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/sample-receipt";
import { loadSampleReceipt } from "./load-sample-receipt.ts";
import { RecomputePlain } from "./recompute-plain.tsx";
import styles from "./sample-receipt.module.css";
import { SampleSlip } from "./sample-slip.tsx";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Sample receipt",
  description:
    "What 100 TH/s earned on the last day that a pool paid, with its evidence. Recompute every step in your browser, without an account.",
  path: "/receipt",
});

export async function loader({ context }: Route.LoaderArgs) {
  return { sample: await loadSampleReceipt(context.get(appContext)) };
}

export default function SampleReceipt({ loaderData: { sample } }: Route.ComponentProps) {
  const { figures, real } = sample;
  if (!real) {
    return (
      <SitePage
        width="narrow"
        title="Sample receipt"
        lead="No pool has paid us yet, so this receipt is an example in round, invented figures. The arithmetic is the real one."
      >
        <div className={styles.receipt}>
          <SampleSlip sample={sample} heading="h2" />
        </div>
        <Whose />
      </SitePage>
    );
  }
  return (
    <SitePage
      width="middle"
      title={`Sample receipt of ${formatDay(real.day)}`}
      lead={`What each ${formatGhs(figures.ghs)} earned on the UTC day ${formatDay(real.day)}, and everything that this follows from. Recompute it in your browser, without an account.`}
    >
      <div className={styles.receipt}>
        <ReceiptView receipt={real} outages={[]} recompute={<RecomputePlain receipt={figures} />} />
      </div>
      <Whose />
    </SitePage>
  );
}

function Whose() {
  return (
    <p className={styles.whose}>
      We calculate it from a whole day's figures, not from a contract, so it shows no customer. Each
      customer has a receipt like it for every contract and day.{" "}
      <Link to="/plans">See the plans</Link>, or read{" "}
      <Link to="/services#mining">how hosted mining works</Link>.
    </p>
  );
}
