import { data, Form, redirect } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { ReceiptView } from "#app/ui/receipt/receipt-view.tsx";
import { Recompute } from "#app/ui/receipt/recompute.tsx";
import { recomputeLead } from "#app/ui/receipt/recompute-words.ts";
import { flash } from "#app/ui/toasts/flash.ts";
import { isUuid } from "#core/is-uuid.ts";
import { explainDay } from "#core/mining/explain-day.ts";
import { creditByNow, recomputeReceipt } from "#core/mining/recompute-receipt.ts";
import { addDays, formatDay, isDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findReceiptLink } from "#server/contracts/find-receipt-link.ts";
import { shareReceipt, unshareReceipt } from "#server/contracts/share-receipt.ts";
import { listOutagesKnown } from "#server/fleet/list-outages-known.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findReceipt, type Receipt } from "#server/mining/receipts/find-receipt.ts";
import type { Route } from "./+types/receipt";
import { DayChanges } from "./day-changes.tsx";
import styles from "./mining.module.css";

export const meta = titled("Receipt");
export const shouldRevalidate = readAfterConflict;

const notFound = () => data(null, { status: 404, statusText: "Not Found" });

async function getReceipt(
  { contractId, day }: { contractId: string; day: string },
  context: Route.LoaderArgs["context"],
) {
  const { db } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  if (!isUuid(contractId) || !isDay(day)) throw notFound();
  const receipt = await findReceipt(db, { contractId, day, customerId });
  if (!receipt) throw notFound();
  return receipt;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const receipt = await getReceipt(params, context);
  const { contractId, day, customerId } = receipt;
  const [token, outages, before] = await Promise.all([
    findReceiptLink(db, receipt),
    listOutagesKnown(db, receipt),
    findReceipt(db, { contractId, day: addDays(day, -1), customerId }),
  ]);
  return {
    receipt,
    outages,
    changes: before && {
      before: before.day,
      changes: explainDay(withCorrections(receipt), withCorrections(before)),
    },
    link: token ? `${config.appUrl}/receipt/${token}` : null,
  };
}

function withCorrections(receipt: Receipt): Receipt {
  return { ...receipt, creditSats: creditByNow(receipt) };
}

/** Shares the receipt, or switches its link off. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const { contractId, day } = await getReceipt(params, context);
  const intent = (await request.formData()).get("intent");
  if (intent === "share") await shareReceipt(db, { customerId, contractId, day }, now());
  else if (intent === "unshare") await unshareReceipt(db, { customerId, contractId, day }, now());
  else throw data(null, { status: 400, statusText: "Bad Request" });
  return redirect(`/account/mining/${contractId}/${day}`, {
    headers: {
      "Set-Cookie": await flash(intent === "share" ? "receipt-shared" : "receipt-unshared"),
    },
  });
}

export default function ReceiptPage({
  loaderData: { receipt, outages, changes, link },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={`Receipt of ${formatDay(receipt.day)}`}
        description={`${receipt.planName}: what it earned on this UTC day, and the evidence for it.`}
        actions={
          <ButtonLink to={`/account/mining/${receipt.contractId}`} look="quiet">
            The contract
          </ButtonLink>
        }
      />
      <div className={styles.stack}>
        <ReceiptView
          receipt={receipt}
          outages={outages}
          recompute={
            <Recompute
              lead={recomputeLead}
              of="the receipt"
              exact="to the satoshi"
              recompute={() => recomputeReceipt(receipt)}
              noScript="This needs JavaScript. The formula and all figures are below, so you can also use a calculator."
            />
          }
        >
          {changes ? <DayChanges {...changes} contractId={receipt.contractId} /> : null}
        </ReceiptView>
        <Panel title="Share this receipt">
          <Sharing link={link} />
        </Panel>
      </div>
    </>
  );
}

function Sharing({ link }: { link: string | null }) {
  if (!link) {
    return (
      <Form method="post">
        <p className={styles.note}>
          Anyone with the link can see this receipt, but not your name, contract or account. You can
          switch it off at any time.
        </p>
        <SubmitButton name="intent" value="share" look="outline">
          Create a link
        </SubmitButton>
      </Form>
    );
  }
  return (
    <Form method="post">
      <CopyField text={link} label="link" />
      <p className={styles.note}>
        Anyone with the link can see this receipt, but not your name, contract or account.
      </p>
      <SubmitButton name="intent" value="unshare" look="outline" tone="brick">
        Switch the link off
      </SubmitButton>
    </Form>
  );
}
