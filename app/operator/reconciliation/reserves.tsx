import { Form, Link } from "react-router";
import { runAct, unlessRefused } from "#app/run-act.ts";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { TotalAmounts } from "#app/ui/figures/total-amounts.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { listChangeAddresses } from "#server/reconciliation/reserves/find-own-address.ts";
import { listReserves, type Reserve } from "#server/reconciliation/reserves/list-reserves.ts";
import { prepareReserve, signReserves } from "#server/reconciliation/reserves/sign-reserves.ts";
import { PlainForm } from "../parts/act-form.tsx";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/reserves";

export const middleware = guard("reconciliation/read", "reconciliation/sign-reserves");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Sign the reserves");
export const handle = { keys: [{ key: "q", does: "overview" }] };

const shown = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const { network } = config;
  const account = config.withdrawals.hotWalletAddress;
  const asked = new URL(request.url).searchParams.get("address")?.trim();
  const [reserves, changes] = await Promise.all([
    listReserves(db, shown),
    listChangeAddresses(db, network),
  ]);
  const address = asked || (changes[0] ?? account ?? "");
  if (address === "") return { reserves, address, account, toSign: null, fault: null };
  const prepared = await unlessRefused(
    async () => ({ toSign: await prepareReserve(db, { address, network }), fault: null }),
    (refusal) => {
      const said = sayRefusal(refusal);
      if (!said) throw refusal;
      return { toSign: null, fault: said.text };
    },
  );
  const { toSign, fault } = prepared;
  const psbt = toSign?.psbt ? Buffer.from(toSign.psbt).toString("base64") : null;
  return { reserves, address, account, toSign: toSign && { ...toSign, psbt }, fault };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator, config } = consoleOf(context);
  const form = await request.formData();
  const [day = "", address = "", text = ""] = ["day", "address", "text"].map((name) =>
    String(form.get(name) ?? "").slice(0, 20_000),
  );
  return runAct(
    async () => {
      const given = Buffer.from(text);
      const { network, withdrawals } = config;
      const signing = { address, day, given, network, account: withdrawals.hotWalletAddress };
      await signReserves(db, operator, signing, now());
      return { to: "/operator/reconciliation/reserves", say: "reserves-signed" };
    },
    (said) => ({ text, fault: said.text }),
    sayRefusal,
  );
}

export default function Reserves({ loaderData, actionData }: Route.ComponentProps) {
  const { reserves, address, account, toSign, fault } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Sign the reserves"
        description="An address of ours signs a day's proof, so that anyone sees that its coins are ours and not our word alone. Move the bitcoin of a wallet to one address first (a consolidation): it counts until a coin of it is spent, and an account on Ethereum until it holds less."
        actions={
          <Link to="/operator/reconciliation" data-key="q">
            Overview
          </Link>
        }
      />
      <div className={layout.stack}>
        <Panel title="What is to be signed">
          <div className={layout.stack}>
            <Form method="get" preventScrollReset className={layout.form}>
              <TextField
                name="address"
                label="Address"
                description="Where the coins are: after a batch or a consolidation, its change"
                defaultValue={address}
                error={fault ?? undefined}
                spellCheck={false}
              />
              <div>
                <SubmitButton look="outline" pendingText="Preparing…">
                  Prepare
                </SubmitButton>
              </div>
              {account && account !== address ? (
                <Link to={`?address=${account}`} preventScrollReset>
                  Prepare it for the account that pays ether and USDT
                </Link>
              ) : null}
            </Form>
            {toSign ? (
              <ToSignFacts message={toSign.message} psbt={toSign.psbt} />
            ) : fault || address === "" ? null : (
              <p className={layout.note}>No daily proof has a root and a block of our node yet.</p>
            )}
          </div>
        </Panel>
        {toSign && may("reconciliation/sign-reserves") ? (
          <SignatureForm toSign={toSign} answer={actionData} />
        ) : null}
        <Panel title="Signed" flush>
          <Signed reserves={reserves} />
        </Panel>
      </div>
    </>
  );
}

function SignatureForm({
  toSign: { day, address, psbt },
  answer,
}: {
  toSign: { day: string; address: string; psbt: string | null };
  answer: Route.ComponentProps["actionData"];
}) {
  return (
    <Panel title="Bring back what was signed">
      <PlainForm
        intent="sign"
        hidden={{ day, address }}
        button="Check and publish"
        pendingText="Checking…"
        fault={answer?.fault}
      >
        <TextArea
          name="text"
          label={psbt ? "Signature or signed PSBT" : "Signature"}
          description={`In ${psbt ? "base64" : "hexadecimal, after 0x"}. The page of the daily proof shows the message, the signature and the coins`}
          rows={4}
          required
          defaultValue={answer?.text ?? ""}
          spellCheck={false}
        />
      </PlainForm>
    </Panel>
  );
}

function ToSignFacts({ message, psbt }: { message: string; psbt: string | null }) {
  return (
    <>
      <p className={layout.note}>
        {psbt
          ? "Sign this message by BIP 322, or sign the transaction below it, which moves nothing and which no node takes: in Bitcoin Core with walletprocesspsbt."
          : "Sign this message with the key of the account, as wallets sign messages (EIP 191, personal_sign). It moves nothing."}
      </p>
      <Facts
        facts={[
          { label: "Message", value: <CopyField text={message} label="message" /> },
          psbt !== null && {
            label: "Transaction (PSBT)",
            value: <CopyField text={psbt} label="PSBT" short />,
          },
        ]}
      />
    </>
  );
}

function Signed({ reserves }: { reserves: Reserve[] }) {
  if (reserves.length === 0) return <p className={styles.empty}>Nothing was signed yet.</p>;
  return (
    <ConsoleTable
      label="Signatures over daily proofs, newest first"
      bare
      rows={reserves}
      rowKey={({ id }) => id}
      columns={[
        { head: "Proof", value: "day" },
        {
          head: "Address",
          cell: ({ address }) => <CopyField text={address} label="address" short />,
        },
        {
          head: "Coins",
          kind: "number",
          cell: ({ holds }) => (holds ? <TotalAmounts totals={holds} /> : "the node is asked"),
        },
        { head: "Signed", value: "signedAt" },
        {
          head: "Counts",
          cell: ({ spentAt, holds }) =>
            spentAt ? (
              <>
                until <When at={spentAt} />
              </>
            ) : holds === null ? (
              "not yet"
            ) : (
              "yes"
            ),
        },
      ]}
    />
  );
}
