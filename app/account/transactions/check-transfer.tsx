import { Recompute } from "#app/ui/receipt/recompute.tsx";
import {
  recomputeProof,
  type ShownTransfer,
  type TransferProof,
} from "#core/proof/recompute-proof.ts";
import { formatDay } from "#core/utc-day.ts";

interface CheckTransferProps {
  transfer: ShownTransfer;
  /** The first day whose published hash includes it, and the transaction that carries that hash or a later one. */
  covering: { day: string; digest: string; mark: { day: string } | null };
}

/** Why there is no file. */
const reasons: Record<number, string> = {
  404: "No match: transfers that this seal counts are not here, so its hash cannot be computed. Please write to us.",
  429: "You have fetched many of these files. Please try again in ten minutes.",
};

/** Works out in the reader's browser that a published hash includes the transfer that the page shows. */
export function CheckTransfer({ transfer, covering }: CheckTransferProps) {
  const file = `/account/evidence/${transfer.transferId}/proof.json`;
  const recompute = async () => {
    const answer = await fetch(file).catch(() => null);
    if (answer?.redirected) return "You are signed out. Sign in, and try again.";
    if (!answer?.ok)
      return reasons[answer?.status ?? 0] ?? "The file could not be fetched. Please try again.";
    try {
      return recomputeProof((await answer.json()) as TransferProof, transfer, covering.digest);
    } catch {
      return "What came is not the file: it cannot be computed. Please write to us.";
    }
  };
  return (
    <>
      <Recompute
        lead={`Your browser hashes this transfer again, and from there every hash up to the published one. ${whereElse(covering)}`}
        of="the page"
        exact="digit by digit"
        recompute={recompute}
        noScript="This needs JavaScript. The file below has all fields and hashes."
      />
      <p>
        <a href={file} download={`transfer-${transfer.transferId}.json`}>
          The file with all fields and hashes
        </a>
      </p>
    </>
  );
}

/** What comes from us alone proves nothing: where the reader finds the same hash elsewhere. */
function whereElse({ day, mark }: CheckTransferProps["covering"]): string {
  if (mark?.day === day)
    return "Compare that one with the transaction above in an explorer that you trust.";
  return mark
    ? `The transaction above carries the hash of ${formatDay(mark.day)}, which follows from it: the page of the daily proof says how to check that.`
    : "Compare that one with a hash that you kept: no transaction carries it yet.";
}
