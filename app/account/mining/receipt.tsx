import { Button } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { CopyField } from "#app/ui/copy-field.tsx";
import { flash } from "#app/ui/flash.ts";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { ReceiptView } from "#app/ui/receipt/receipt-view.tsx";
import { Recompute } from "#app/ui/receipt/recompute.tsx";
import { Day } from "#app/ui/when.tsx";
import { isDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { isUuid } from "#server/contracts/contract.ts";
import { findReceiptLink } from "#server/contracts/queries.ts";
import { shareReceipt, unshareReceipt } from "#server/contracts/share-receipt.ts";
import { listOutagesKnown } from "#server/fleet/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { findReceipt } from "#server/mining/queries.ts";
import type { Route } from "./+types/receipt";
import styles from "./mining.module.css";

export const meta = titled("Receipt");

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
  const [token, outages] = await Promise.all([
    findReceiptLink(db, receipt),
    listOutagesKnown(db, receipt),
  ]);
  return { receipt, outages, link: token ? `${config.appUrl}/receipt/${token}` : null };
}

/** Shares the receipt, or takes the link back. */
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
  loaderData: { receipt, outages, link },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={
          <>
            Receipt of <Day day={receipt.day} />
          </>
        }
        description={`${receipt.planName}, the UTC day ${receipt.day}: what it earned, and everything that this follows from.`}
        actions={
          <Button component={Link} to={`/account/mining/${receipt.contractId}`} variant="default">
            The contract
          </Button>
        }
      />
      <div className={styles.stack}>
        <ReceiptView
          receipt={receipt}
          outages={outages}
          recompute={<Recompute receipt={receipt} />}
        />
        <Panel title="Show it to somebody">
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
          A link shows this one receipt to whoever has it, without your name, your contract's number
          or anything else of your account. You can take it back.
        </p>
        <SubmitButton name="intent" value="share" variant="outline">
          Make a link
        </SubmitButton>
      </Form>
    );
  }
  return (
    <Form method="post">
      <CopyField text={link} label="link" />
      <p className={styles.note}>
        Whoever has it sees this receipt, and nothing that says whose it is.
      </p>
      <SubmitButton name="intent" value="unshare" variant="outline" color="brick">
        Take the link back
      </SubmitButton>
    </Form>
  );
}
