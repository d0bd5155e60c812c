import { useEffect } from "react";
import { data, Form, Link, redirect, useRevalidator } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { parseAmount } from "#core/money.ts";
import type { App } from "#server/app-context.ts";
import type { Rehearsal, RehearsalProgress } from "#server/rehearsal.ts";
import { consoleOf, found, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/rehearsal";
import styles from "./rehearsal.module.css";

export const middleware = guard("rehearsal/read", {
  "next-day": "rehearsal/run",
  pay: "rehearsal/run",
  mine: "rehearsal/run",
  sign: "rehearsal/run",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Rehearsal");

const looksAgainMs = 1_000;
const page = "/operator/rehearsal";
/** Longer is no batch that a rehearsal signs. */
const psbtMax = 1_000_000;

/** Nobody's page where nothing is rehearsed. */
function getRehearsal({ rehearsal }: App): Rehearsal {
  if (!rehearsal) throw notFound();
  return rehearsal;
}

export async function loader({ context }: Route.LoaderArgs) {
  const { app } = consoleOf(context);
  const rehearsal = getRehearsal(app);
  const [operatorAddresses, address, holdings] = await Promise.all([
    rehearsal.listOperatorAddresses(),
    rehearsal.newAddress(),
    rehearsal.readHoldings(),
  ]);
  return { progress: rehearsal.progress, operatorAddresses, address, holdings };
}

interface Done {
  intent: string;
  fault?: string;
  paid?: string;
  signed?: string;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app } = consoleOf(context);
  const rehearsal = getRehearsal(app);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  if (intent === "next-day") {
    rehearsal.beginNextDay();
    return redirect(page);
  }
  const act = found(acts[intent]);
  try {
    const done: Done = { intent, ...(await act(rehearsal, form)) };
    return data(done, done.fault ? 400 : 200);
  } catch (error) {
    const refused: Done = { intent, fault: `The node refused it: ${(error as Error).message}` };
    return data(refused, 400);
  }
}

const acts: Record<
  string,
  (rehearsal: Rehearsal, form: FormData) => Promise<Omit<Done, "intent">>
> = {
  async mine(rehearsal) {
    await rehearsal.mineBlocks();
    return {};
  },
  async pay(rehearsal, form) {
    const sats = parseAmount(String(form.get("amount") ?? ""), "BTC");
    if (!sats) return { fault: "Write an amount in BTC, such as 0.005." };
    return { paid: await rehearsal.pay(String(form.get("address") ?? "").trim(), sats) };
  },
  async sign(rehearsal, form) {
    const psbt = String(form.get("psbt") ?? "");
    if (psbt.trim() === "" || psbt.length > psbtMax) return { fault: "Paste the unsigned batch." };
    return { signed: await rehearsal.sign(psbt) };
  },
};

export default function RehearsalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { progress, operatorAddresses, address, holdings } = loaderData;
  const { revalidate } = useRevalidator();
  const isRunning = progress?.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void revalidate(), looksAgainMs);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Rehearsal"
        description="Try a week of business on one afternoon. Nothing here is real: the clock, the prices and the chain are this rehearsal's own."
      />
      <div className={styles.page}>
        {progress ? <Progress progress={progress} /> : null}
        {may("rehearsal/run") ? <Forms answer={actionData} /> : null}
        <Panel title="Your wallets">
          <Facts
            facts={[
              { label: "Customers and pools with an address pay to", value: `${holdings.hot} BTC` },
              { label: "A pool without an address pays to", value: `${holdings.cold} BTC` },
            ]}
          />
          <p>
            Both together are what a count finds. The first shows these addresses: compare three,
            and open it by the fourth, on the page Wallets.
          </p>
          <ol start={0} className={styles.addresses}>
            {operatorAddresses.map((each, index) => (
              <li key={each} className={styles.code}>
                {index} {each}
              </li>
            ))}
          </ol>
        </Panel>
        <Panel title="A customer's own wallet">
          <p>It pays what you tell it to. To withdraw to it, use this address:</p>
          <p className={styles.code}>{address}</p>
        </Panel>
      </div>
    </>
  );
}

function Forms({ answer }: { answer: Done | undefined }) {
  const faultOf = (intent: string) => (answer?.intent === intent ? answer.fault : undefined);
  return (
    <>
      <Panel title="Pay an address">
        <Form method="post" className={styles.form}>
          <TextField
            label="Address"
            name="address"
            description="A customer's deposit address, from the page Deposits of the account."
            required
            code
          />
          <TextField label="Amount" name="amount" unit="BTC" error={faultOf("pay")} required />
          <SubmitButton name="intent" value="pay" pendingText="Paying…">
            Pay this address
          </SubmitButton>
        </Form>
        {answer?.paid ? (
          <Notice tone="success" title="Paid. It waits for a block">
            Transaction <span className={styles.code}>{answer.paid}</span>
          </Notice>
        ) : null}
      </Panel>
      <Panel title="Mine three blocks">
        <Form method="post" className={styles.form}>
          <p>As in half an hour: a payment has its three confirmations after that.</p>
          <SubmitButton name="intent" value="mine" pendingText="Mining…">
            Mine three blocks
          </SubmitButton>
        </Form>
        {answer?.intent === "mine" ? (
          <Notice tone={answer.fault ? "error" : "success"}>
            {answer.fault ?? "Three blocks are mined. The worker reads them within seconds."}
          </Notice>
        ) : null}
      </Panel>
      <Panel title="Sign a batch">
        <Form method="post" className={styles.form}>
          <TextArea
            label="Unsigned batch"
            name="psbt"
            description="The text of the file that you download from the batch. This wallet is the rehearsal's: a real one signs on a machine without a network."
            error={faultOf("sign")}
            rows={5}
            required
          />
          <SubmitButton name="intent" value="sign" pendingText="Signing…">
            Sign batch
          </SubmitButton>
        </Form>
        {answer?.signed ? (
          <TextArea
            label="Signed batch"
            description="Paste it on the batch's page."
            rows={5}
            value={answer.signed}
            readOnly
          />
        ) : null}
      </Panel>
    </>
  );
}

function Progress({ progress: { to, state, steps, result } }: { progress: RehearsalProgress }) {
  return (
    <div className={styles.wide}>
      <Panel title={state === "running" ? `Going to ${to}` : `Now it is ${to}`}>
        <div role="status">
          <ol className={styles.steps}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {state === "running" ? (
            <p>
              This takes ten seconds or more. <Link to={page}>Look again</Link>
            </p>
          ) : (
            <Notice tone={state === "failed" ? "error" : "success"}>{result}</Notice>
          )}
        </div>
      </Panel>
    </div>
  );
}
