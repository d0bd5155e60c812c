import { data } from "react-router";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ReceiptView } from "#app/ui/receipt/receipt-view.tsx";
import { formatDay, isDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findSharedReceipt } from "#server/contracts/find-receipt-link.ts";
import { listOutagesKnown } from "#server/fleet/list-outages-known.ts";
import { findReceipt } from "#server/mining/receipts/find-receipt.ts";
import { SitePage } from "../frame/site-page.tsx";
import { TextPage } from "../frame/text-page.tsx";
import type { Route } from "./+types/receipt";
import { RecomputePlain } from "./recompute-plain.tsx";
import styles from "./sample-receipt.module.css";

const metaOf = pageMeta({
  title: "Receipt",
  description: "What one mining contract earned on one day, with its evidence.",
  path: "/receipt",
});

/** Anyone with the link may read it; search engines are kept away. */
export function meta(page: Route.MetaArgs) {
  return [
    ...metaOf(page).filter((each) => !("rel" in each)),
    { name: "robots", content: "noindex" },
    { name: "referrer", content: "no-referrer" },
  ];
}

/** What a shared link shows: nothing of it says whose receipt it is. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const shared = await findSharedReceipt(db, params.token);
  if (shared === "taken-back")
    return data({ receipt: null, outages: [] }, { status: 410, statusText: "Gone" });
  const receipt = shared && isDay(shared.day) ? await findReceipt(db, shared) : null;
  if (!receipt) throw data(null, { status: 404, statusText: "Not Found" });
  const { customerId: _, contractId: __, ...rest } = receipt;
  const outages = await listOutagesKnown(db, receipt);
  return data({ receipt: rest, outages });
}

export default function SharedReceipt({ loaderData: { receipt, outages } }: Route.ComponentProps) {
  if (!receipt) {
    return (
      <TextPage
        title="This link was switched off"
        lead="The customer who shared the receipt has ended the link."
      >
        <p>The receipt itself is unchanged, and its owner can create another link.</p>
      </TextPage>
    );
  }
  return (
    <SitePage
      width="middle"
      title={`Receipt of ${formatDay(receipt.day)}`}
      lead={`${receipt.planName}: what one mining contract earned on the UTC day ${formatDay(receipt.day)}, and everything that this follows from. Its owner shared it without a name.`}
    >
      <div className={styles.receipt}>
        <ReceiptView
          receipt={receipt}
          outages={outages}
          recompute={<RecomputePlain receipt={receipt} />}
        />
      </div>
    </SitePage>
  );
}
