import { useState } from "react";
import { formatFileSize } from "#app/ui/format-file-size.ts";
import { Panel } from "#app/ui/panel.tsx";
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
  const source = `/operator/deposits/${deposit.depositId}/slip`;
  const isPicture = deposit.slipMediaType === "image/jpeg";
  return (
    <Panel
      title="Slip"
      aside={
        <span className={styles.file}>
          {deposit.slipName}, {formatFileSize(deposit.slipByteSize)}
        </span>
      }
      flush
    >
      {isPicture ? <Picture source={source} /> : <Pdf source={source} />}
    </Panel>
  );
}

function Picture({ source }: { source: string }) {
  const [zoomed, setZoomed] = useState(false);
  return (
    <div className={styles.frame} data-zoomed={zoomed || undefined}>
      <a
        href={source}
        target="_blank"
        rel="noopener noreferrer"
        className={styles.zoom}
        aria-label={zoomed ? "Make the slip fit again" : "Enlarge the slip"}
        data-key="z"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setZoomed(!zoomed);
        }}
      >
        <img src={source} alt="The payment slip as it was sent" className={styles.picture} />
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
