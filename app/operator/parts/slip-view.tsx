import { useState } from "react";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./slip-view.module.css";

interface SlipViewProps {
  deposit: {
    depositId: string;
    slipName: string;
    slipMediaType: "image/jpeg" | "application/pdf";
    slipByteSize: number;
  };
}

/** The slip: a picture that grows where it is clicked, or a PDF to be opened apart. */
export function SlipView({ deposit }: SlipViewProps) {
  return (
    <FileView
      title="Slip"
      what="slip"
      source={`/operator/deposits/${deposit.depositId}/slip`}
      name={deposit.slipName}
      mediaType={deposit.slipMediaType}
      byteSize={deposit.slipByteSize}
    />
  );
}

interface FileViewProps {
  title: string;
  what: "slip" | "evidence";
  source: string;
  name: string;
  mediaType: "image/jpeg" | "application/pdf";
  byteSize: number;
}

/** A file that somebody uploaded, as the main thing of a case. */
export function FileView({ title, what, source, name, mediaType, byteSize }: FileViewProps) {
  return (
    <Panel
      title={title}
      aside={
        <span className={styles.file}>
          {name}, {formatFileSize(byteSize)}
        </span>
      }
      flush
    >
      {mediaType === "image/jpeg" ? (
        <Picture source={source} what={what} />
      ) : (
        <Pdf source={source} />
      )}
    </Panel>
  );
}

const alt = { slip: "The payment slip as it was sent", evidence: "The evidence as it was sent" };

function Picture({ source, what }: { source: string; what: "slip" | "evidence" }) {
  const [zoomed, setZoomed] = useState(false);
  return (
    <div className={styles.frame} data-zoomed={zoomed || undefined}>
      <a
        href={source}
        target="_blank"
        rel="noopener noreferrer"
        className={styles.zoom}
        aria-label={zoomed ? `Make the ${what} fit again` : `Enlarge the ${what}`}
        data-key="z"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setZoomed(!zoomed);
        }}
      >
        <img src={source} alt={alt[what]} className={styles.picture} />
      </a>
    </div>
  );
}

/** A PDF can hold scripts: it is handed over as a file and never drawn inside the console. */
function Pdf({ source }: { source: string }) {
  return (
    <p className={styles.pdf}>
      <a href={source} target="_blank" rel="noopener noreferrer" data-key="z">
        Open the PDF
      </a>
      <span className={styles.file}>It is saved as a file: nothing in it runs here.</span>
    </p>
  );
}
