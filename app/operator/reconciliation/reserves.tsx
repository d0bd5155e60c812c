import { Form, Link } from "react-router";
import { runAct, unlessRefused } from "#app/run-act.ts";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
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
  const asked = new URL(request.url).searchParams.get("address")?.trim();
  const [reserves, changes] = await Promise.all([
    listReserves(db, shown),
    listChangeAddresses(db, network),
  ]);
  const address = asked || (changes[0] ?? "");
  if (address === "") return { reserves, address, toSign: null, fault: null };
  const prepared = await unlessRefused(
    async () => ({ toSign: await prepareReserve(db, { address, network }), fault: null }),
    (refusal) => {
      const said = sayRefusal(refusal);
      if (!said) throw refusal;
      return { toSign: null, fault: said.text };
    },
  );
  const { toSign, fault } = prepared;
  const psbt = toSign && Buffer.from(toSign.psbt).toString("base64");
  return { reserves, address, toSign: toSign && { ...toSign, psbt }, fault };
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
      const { network } = config;
      await signReserves(db, operator, { address, day, given, network }, now());
      return { to: "/operator/reconciliation/reserves", say: "reserves-signed" };
    },
    (said) => ({ text, fault: said.text }),
    sayRefusal,
  );
}

export default function Reserves({ loaderData, actionData }: Route.ComponentProps) {
  const { reserves, address, toSign, fault } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Sign the reserves"
        description="An address of our wallets signs a day's proof, so that anyone sees that its coins are ours and not our word alone. Move the coins of a wallet to one address first (a consolidation); they count until one of them is spent."
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
            </Form>
            {toSign ? (
              <>
                <p className={layout.note}>
                  Sign this message by BIP 322, or sign the transaction below it, which moves
                  nothing and which no node takes: in Bitcoin Core with walletprocesspsbt.
                </p>
                <Facts
                  facts={[
                    {
                      label: "Message",
                      value: <CopyField text={toSign.message} label="message" />,
                    },
                    {
                      label: "Transaction (PSBT)",
                      value: <CopyField text={toSign.psbt ?? ""} label="PSBT" short />,
                    },
                  ]}
                />
              </>
            ) : fault || address === "" ? null : (
              <p className={layout.note}>No daily proof has a root and a block of our node yet.</p>
            )}
          </div>
        </Panel>
        {toSign && may("reconciliation/sign-reserves") ? (
          <Panel title="Bring back what was signed">
            <PlainForm
              intent="sign"
              hidden={{ day: toSign.day, address: toSign.address }}
              button="Check and publish"
              pendingText="Checking…"
              fault={actionData?.fault}
            >
              <TextArea
                name="text"
                label="Signature or signed PSBT"
                description="In base64. The page of the daily proof shows the message, the signature and the coins"
                rows={4}
                required
                defaultValue={actionData?.text ?? ""}
                spellCheck={false}
              />
            </PlainForm>
          </Panel>
        ) : null}
        <Panel title="Signed" flush>
          <Signed reserves={reserves} />
        </Panel>
      </div>
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
          cell: ({ units }) =>
            units === null ? "the node is asked" : <Amount units={units} asset="BTC" />,
        },
        { head: "Signed", value: "signedAt" },
        {
          head: "Counts",
          cell: ({ spentAt, units }) =>
            spentAt ? (
              <>
                until <When at={spentAt} />
              </>
            ) : units === null ? (
              "not yet"
            ) : (
              "yes"
            ),
        },
      ]}
    />
  );
}
