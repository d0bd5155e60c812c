import { useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "#app/ui/browser/use-hydrated.ts";
import { describedBy, Field } from "#app/ui/controls/field.tsx";
import { pictureTypes, pictureWords } from "#app/ui/controls/file-field.tsx";
import { FileCheck, FileUp, FileX } from "#app/ui/icons.tsx";
import { terms } from "#core/terms.ts";
import styles from "./slip-field.module.css";
import type { SlipState, SlipUpload } from "./use-slip-upload.ts";

const rule = `${pictureWords}, up to ${terms.slipMaxBytes / 1024 / 1024} MB`;

/**
 * The payment slip: a real file input, so that it works before JavaScript does. With JavaScript it is over
 * the whole box, which makes the box a drop target, and the file is uploaded as soon as it is there.
 */
export function SlipField({ upload, error }: { upload: SlipUpload; error: string | undefined }) {
  const { slip, choose } = upload;
  const id = useId();
  const hydrated = useHydrated();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const shownError = slip.kind === "failed" ? slip.error : error;
  useEffect(() => {
    // Chosen before JavaScript was there.
    const file = input.current?.files?.[0];
    if (file) choose(file);
  }, [choose]);
  return (
    <Field id={id} label="Payment slip" description={rule} error={shownError} errorRole="alert">
      <div
        className={`${styles.drop} ${over ? styles.over : ""} ${shownError ? styles.wrong : ""}`}
        data-script={hydrated || undefined}
      >
        <Picture slip={slip} />
        <div className={styles.words}>
          <Words slip={slip} hydrated={hydrated} />
          <input
            ref={input}
            id={id}
            type="file"
            name="slip"
            accept={pictureTypes}
            className={styles.input}
            {...describedBy(id, { description: rule, error: shownError })}
            onChange={(event) => choose(event.currentTarget.files?.[0])}
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
          />
        </div>
      </div>
      {slip.kind === "kept" ? <input type="hidden" name="slipId" value={slip.slipId} /> : null}
    </Field>
  );
}

function Picture({ slip }: { slip: SlipState }) {
  if (slip.kind !== "none" && slip.preview) {
    return <img className={styles.picture} src={slip.preview} alt={`Preview of ${slip.name}`} />;
  }
  const Icon = slip.kind === "kept" ? FileCheck : slip.kind === "failed" ? FileX : FileUp;
  return (
    <span className={styles.icon}>
      <Icon size={24} strokeWidth={1.5} aria-hidden="true" />
    </span>
  );
}

function Words({ slip, hydrated }: { slip: SlipState; hydrated: boolean }) {
  const name = slip.kind === "none" ? null : slip.name;
  return (
    <>
      {name ? <span className={styles.name}>{name}</span> : null}
      {hydrated && !name ? <span>Choose a file, or drop it here</span> : null}
      <span className={styles.state} role="status">
        {stateWords(slip)}
      </span>
      {slip.kind === "uploading" ? (
        <progress
          className={styles.progress}
          max={100}
          {...(slip.progress !== null && { value: slip.progress })}
          aria-label="Upload"
        />
      ) : null}
    </>
  );
}

function stateWords(slip: SlipState): string {
  if (slip.kind === "kept") return "Uploaded. Choose another file to replace it.";
  if (slip.kind !== "uploading") return "";
  return slip.progress === null ? "Checking the file" : `Uploading: ${slip.progress} %`;
}
