import { Refusal } from "#core/refusal.ts";
import { runInWorkerThread } from "../run-in-worker-thread.ts";
import type { PdfAnswer } from "./pdf-worker.ts";

/** Ten megabytes that are made to wear a reader out take half a second. */
const timeoutMs = 20_000;

/**
 * Checks a PDF as `checkPdf` does, in a thread of its own: a file may hold millions of names, and nobody else shall wait for
 * them. Whatever ends the thread without an answer is the file's fault.
 *
 * Refuses as `checkPdf` does.
 */
export async function checkPdfAside(bytes: Uint8Array): Promise<void> {
  const answer = await runInWorkerThread<PdfAnswer>(new URL("./pdf-worker.ts", import.meta.url), {
    of: bytes,
    timeoutMs,
    memory: { maxOldGenerationSizeMb: 512 },
  });
  if (answer === null) throw new Refusal("files/damaged");
  if (answer.refusal !== null) throw new Refusal(answer.refusal);
}
