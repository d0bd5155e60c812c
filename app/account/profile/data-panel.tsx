import { Form, Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { retention } from "#core/retention.ts";
import styles from "./profile.module.css";

export interface LastExport {
  exportId: string;
  state: "asked" | "ready" | "ended";
  askedAt: Date;
  expiresAt: Date | null;
  byteSize: number | null;
}

/** The copy of everything that is kept, and the way out. */
export function DataPanel({ last, problem }: { last: LastExport | null; problem: string | null }) {
  const isWaiting = last?.state === "asked";
  return (
    <Panel title={<span id="data">Your data</span>}>
      <div className={styles.about}>
        A copy of everything we keep about you, as JSON and CSV in a zip. We e-mail you when it is
        ready. It stays here for {retention.dataExportDays} days, encrypted, and only you can
        download it.
      </div>
      {problem ? (
        <div className={styles.state}>
          <Notice tone="error">{problem}</Notice>
        </div>
      ) : null}
      {last && last.state !== "ended" ? <Standing last={last} /> : null}
      <div className={styles.actions}>
        {last?.state === "ready" ? (
          <ButtonLink to={`/account/profile/export/${last.exportId}`} reloadDocument>
            Download ({formatFileSize(last.byteSize ?? 0)})
          </ButtonLink>
        ) : null}
        <Form method="post" preventScrollReset>
          <SubmitButton
            name="intent"
            value="export"
            look="quiet"
            pendingText="Requesting…"
            disabled={isWaiting}
          >
            {last?.state === "ready" ? "Make a new copy" : "Make a copy"}
          </SubmitButton>
        </Form>
      </div>
      <div className={styles.after}>
        <Link to="/account/profile/close">Close the account</Link>
      </div>
    </Panel>
  );
}

/** How often the page is read again while the copy is being made. */
const refreshMs = 4_000;

function Standing({ last }: { last: LastExport }) {
  useRefresh(last.state === "asked" ? refreshMs : null);
  return (
    <div className={styles.state}>
      {last.state === "asked" ? (
        <Notice title="We are making your copy">
          Requested on <When at={last.askedAt} plain />. It takes about a minute and then appears
          here.
        </Notice>
      ) : (
        <Notice tone="success" title="Your copy is ready">
          Deleted after <When at={last.expiresAt ?? last.askedAt} plain />.
        </Notice>
      )}
    </div>
  );
}
