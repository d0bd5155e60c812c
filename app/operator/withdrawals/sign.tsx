import { Link } from "react-router";
import { encode, renderSVG } from "uqr";
import { unlessRefused } from "#app/run-act.ts";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { downloadUnsigned } from "#server/withdrawals/batches/download-unsigned.ts";
import { findBatch } from "#server/withdrawals/batches/find-batch.ts";
import { changeOf } from "#server/withdrawals/bitcoin/change-of.ts";
import grid from "../deposits/deposit.module.css";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/sign";
import { changeFacts, NoOrigin } from "./change-facts.tsx";
import styles from "./withdrawals.module.css";

export const middleware = guard("withdrawals/download-psbt");
export const meta = titled("Sign a batch");

/** The most bytes that one code holds with the least of spare dots. */
const mostInOneCode = 2_900;

/** A PSBT as text and as a QR code. Looking at it is written down as taking it away is. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const { batchId } = params;
  const batch = await findBatch(db, batchId);
  const number = Number(params.number);
  const version = batch?.versions.find((each) => each.number === number);
  if (!batch || !version || batch.chain !== "bitcoin") {
    throw notFound();
  }
  const unsigned = await unlessRefused(
    () => downloadUnsigned(db, operator, { batchId, number }, now()),
    // A batch that is being ended is not signed any more.
    (refusal) => {
      const said = sayRefusal(refusal);
      if (!said) throw refusal;
      throw new Response(said.text, { status: 409, statusText: "Conflict" });
    },
  );
  if (!unsigned) throw notFound();
  const text = Buffer.from(unsigned.bytes).toString("base64");
  const { id, day } = batch;
  const { changeUnits, mark } = version;
  const change = changeOf(batch);
  return { id, day, number, text, qrCode: qrCodeOf(text), change, changeUnits, mark };
}

/** Null: one code cannot hold it. */
function qrCodeOf(text: string): { image: string; dots: number } | null {
  if (text.length > mostInOneCode) return null;
  const options = { ecc: "L", border: 4 } as const;
  const svg = renderSVG(text, options);
  const dots = encode(text, options).size;
  return { image: `data:image/svg+xml,${encodeURIComponent(svg)}`, dots };
}

export default function Sign({ loaderData }: Route.ComponentProps) {
  const { id, day, number, text, qrCode, change, changeUnits, mark } = loaderData;
  const batch = `/operator/withdrawals/batches/${id}`;
  return (
    <>
      <PageHeader
        title={
          <>
            Sign the batch of <Day day={day} />
          </>
        }
        description="The unsigned transaction (PSBT). Compare payments and change on the signing device before you sign."
        actions={<Link to={batch}>The batch</Link>}
      />
      <div className={grid.case}>
        <div className={grid.claim}>
          <NoOrigin change={change} />
          <Panel title="QR code">
            {qrCode ? (
              <>
                <img
                  className={styles.qr}
                  src={qrCode.image}
                  alt="QR code of the PSBT as base64"
                  width={qrCode.dots * 4}
                  height={qrCode.dots * 4}
                />
                <p className={layout.note}>
                  Base64, as Sparrow and others scan it. Where your wallet wants animated codes,
                  open the file in Sparrow and show them from there.
                </p>
              </>
            ) : (
              <Notice title="Too large for one QR code">
                This PSBT has {text.length.toLocaleString("en-US")} characters, and one code holds
                about {mostInOneCode.toLocaleString("en-US")}. Use the file or the text.
              </Notice>
            )}
          </Panel>
        </div>
        <div className={grid.evidence}>
          <Panel title="Text">
            <CopyField text={text} label="PSBT" />
            <p className={layout.note}>
              In Electrum: Tools, Load transaction, From text.{" "}
              <a href={`${batch}/${number}.psbt`} download>
                Download the file
              </a>
            </p>
          </Panel>
          <Panel title="Compare while signing">
            <Facts facts={changeFacts({ changeUnits, mark }, change)} />
          </Panel>
        </div>
      </div>
    </>
  );
}
