import { useCallback, useEffect, useRef, useState } from "react";
import { terms } from "#core/terms.ts";
import { slipRefusalWords } from "../refusals/deposits.ts";
import type { DraftSlipAnswer } from "./draft-slip.ts";

/** The state of a chosen slip. */
export type SlipState =
  | { kind: "none" }
  /** `progress` is null while the server checks what arrived. */
  | { kind: "uploading"; name: string; preview: string | null; progress: number | null }
  | { kind: "kept"; name: string; preview: string | null; slipId: string }
  /** `again`: the file may come along with the form all the same. */
  | { kind: "failed"; name: string; preview: string | null; error: string; again: boolean };

export interface SlipUpload {
  slip: SlipState;
  choose(file: File | undefined): void;
  /** Resolves once nothing is under way, with the slip's state then. */
  settled(): Promise<SlipState>;
  clear(): void;
  /** Takes over what the server says it has: a slip that came along with a refused form, or none. */
  keep(slip: { slipId: string; name: string } | null): void;
}

const brokenOff = "The upload was interrupted. We try again when you submit.";
export const signedOut = "No user is authenticated.";

/** Uploads a slip as soon as it is chosen. A newly chosen one takes the place of the one before. */
export function useSlipUpload(initial: { slipId: string; name: string } | null): SlipUpload {
  const [slip, setSlip] = useState<SlipState>(() =>
    initial ? { kind: "kept", preview: null, ...initial } : { kind: "none" },
  );
  const running = useRef<{ request: XMLHttpRequest; done: Promise<SlipState> } | null>(null);
  const current = useRef(slip);
  const show = useCallback((next: SlipState) => {
    current.current = next;
    setSlip(next);
  }, []);
  const clear = useCallback(() => {
    running.current?.request.abort();
    running.current = null;
    show({ kind: "none" });
  }, [show]);
  const choose = useCallback(
    (file: File | undefined) => {
      clear();
      if (!file) return;
      const shown = { name: file.name, preview: previewOf(file) };
      if (file.size > terms.slipMaxBytes) {
        const error = slipRefusalWords("files/too-large")?.text ?? "";
        return show({ kind: "failed", ...shown, error, again: false });
      }
      show({ kind: "uploading", ...shown, progress: 0 });
      const request = new XMLHttpRequest();
      const done = upload(request, file, (progress) => {
        show({ kind: "uploading", ...shown, progress });
      }).then((answer): SlipState => {
        const next: SlipState =
          "slipId" in answer
            ? { kind: "kept", ...shown, slipId: answer.slipId }
            : { kind: "failed", ...shown, ...answer };
        if (running.current?.request === request) show(next);
        return next;
      });
      running.current = { request, done };
    },
    [clear, show],
  );
  const settled = useCallback(async () => {
    await running.current?.done;
    return current.current;
  }, []);
  const keep = useCallback(
    (kept: { slipId: string; name: string } | null) => {
      const now = current.current;
      if (kept) show({ preview: now.kind === "none" ? null : now.preview, ...kept, kind: "kept" });
      else if (now.kind === "kept") show({ kind: "none" });
    },
    [show],
  );
  const preview = slip.kind === "none" ? null : slip.preview;
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview]);
  return { slip, choose, settled, clear, keep };
}

/** Browsers draw these themselves; for the others the name stands alone. */
function previewOf(file: File): string | null {
  return /^image\/(jpeg|png|webp)$/.test(file.type) ? URL.createObjectURL(file) : null;
}

function upload(
  request: XMLHttpRequest,
  file: File,
  onProgress: (progress: number | null) => void,
): Promise<DraftSlipAnswer> {
  const body = new FormData();
  body.set("slip", file);
  return new Promise((resolve) => {
    const fail = () => resolve({ error: brokenOff, again: true });
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(loaded < total ? Math.round((loaded / total) * 100) : null);
    request.onerror = fail;
    request.onabort = fail;
    request.ontimeout = fail;
    request.onload = () => resolve(readAnswer(request));
    request.open("POST", "/account/deposit/draft");
    request.send(body);
  });
}

/** A session that ended is answered with the sign-in page, which is not JSON. */
function readAnswer(request: XMLHttpRequest): DraftSlipAnswer {
  if (new URL(request.responseURL, location.href).pathname === "/login") {
    return { error: signedOut, again: true };
  }
  try {
    return JSON.parse(request.responseText) as DraftSlipAnswer;
  } catch {
    return { error: brokenOff, again: true };
  }
}
