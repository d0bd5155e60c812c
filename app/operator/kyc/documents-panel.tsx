import { Link, useRevalidator } from "react-router";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { partNames } from "#core/people/kyc.ts";
import type { SubmittedDocument } from "#server/kyc/list-documents.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./case.module.css";

interface DocumentsPanelProps {
  submissionId: string;
  documents: SubmittedDocument[];
  /** The one that is open: they are looked at one by one, because each look is written down. */
  shownId: string | null;
  /** Which ones this operator has looked at. */
  viewed: string[];
}

export function DocumentsPanel({ submissionId, documents, shownId, viewed }: DocumentsPanelProps) {
  const mayView = useMay()("kyc/view-document");
  const there = mayView ? documents.filter(({ erasedAt }) => erasedAt === null) : [];
  const shown = there.find(({ id }) => id === shownId);
  const next = there.find(({ id }) => !viewed.includes(id));
  return (
    <Panel title="Documents" flush>
      <ul className={layout.plain}>
        {documents.map((each) => (
          <li key={each.id} className={styles.document}>
            <Facts document={each} />
            {viewed.includes(each.id) ? <StatusBadge status="looked at" tone="good" /> : null}
            {there.includes(each) ? (
              <Look document={each} shown={each === shown} next={each === next} />
            ) : null}
          </li>
        ))}
      </ul>
      {shown ? (
        <Shown submissionId={submissionId} document={shown} />
      ) : (
        <p className={layout.nothing}>
          Documents are opened one by one. That you looked is written into the audit log each time.
        </p>
      )}
    </Panel>
  );
}

function Facts({ document }: { document: SubmittedDocument }) {
  return (
    <div className={styles.purpose}>
      {partNames[document.purpose]}
      <div className={styles.muted}>
        {document.erasedAt ? (
          <>
            Deleted on <When at={document.erasedAt} />
          </>
        ) : (
          `${document.name}, ${formatFileSize(document.byteSize)}`
        )}
      </div>
    </div>
  );
}

interface LookProps {
  document: SubmittedDocument;
  shown: boolean;
  /** Whether it is the first that was not looked at. */
  next: boolean;
}

function Look({ document, shown, next }: LookProps) {
  const words = shown ? "Shown below" : "Look at it";
  return (
    <Link
      to={`?document=${document.id}`}
      preventScrollReset
      aria-current={shown ? "true" : undefined}
      data-key={next ? "d" : undefined}
      aria-label={`${words}: ${partNames[document.purpose]}`}
    >
      {words}
    </Link>
  );
}

/** That it was looked at is known once it is there. */
function Shown({ submissionId, document }: { submissionId: string; document: SubmittedDocument }) {
  const { revalidate } = useRevalidator();
  const source = `/operator/verification/${submissionId}/documents/${document.id}`;
  if (document.mediaType !== "image/jpeg") {
    return (
      <p className={layout.nothing}>
        <a href={source} target="_blank" rel="noopener noreferrer">
          Open the PDF
        </a>
        . It is saved as a file: nothing in it runs here. Delete it when you are done.
      </p>
    );
  }
  return (
    <img
      key={document.id}
      src={source}
      alt={`${partNames[document.purpose]}, as it was sent`}
      className={styles.picture}
      onLoad={() => void revalidate()}
    />
  );
}
