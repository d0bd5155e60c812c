import type { BatchState } from "#core/withdrawal.ts";

export const batchWords: Record<BatchState, string> = {
  formed: "To sign and send",
  broadcast: "Sent",
  settled: "Confirmed on chain",
  failed: "Overtaken",
};

export const batchTones: Record<BatchState, "good" | "waiting" | "bad"> = {
  formed: "waiting",
  broadcast: "waiting",
  settled: "good",
  failed: "bad",
};
