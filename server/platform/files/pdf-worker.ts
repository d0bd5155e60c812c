import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "#core/refusal.ts";
import { checkPdf } from "./check-pdf.ts";

/** The thread of `checkPdfAside`: one file, one answer. */
export interface PdfAnswer {
  refusal: string | null;
}

function answer(): PdfAnswer {
  try {
    checkPdf(workerData as Uint8Array);
    return { refusal: null };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.code };
    throw error;
  }
}

parentPort?.postMessage(answer());
