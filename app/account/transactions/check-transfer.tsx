import { Recompute } from "#app/ui/receipt/recompute.tsx";
import { recomputeProof, type TransferProof } from "#core/proof/recompute-proof.ts";

/** Works out in the reader's browser that a published hash includes the transfer. */
export function CheckTransfer({ transferId }: { transferId: string }) {
  const file = `/account/evidence/${transferId}/proof.json`;
  const recompute = async () => {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(`proof: ${answer.status}`);
    return recomputeProof((await answer.json()) as TransferProof);
  };
  return (
    <Recompute
      lead="Your browser hashes this transfer again, and from there every hash up to the published one of the day. That one is in the transaction above, which any explorer shows."
      of="the proof"
      exact="digit by digit"
      recompute={recompute}
      noScript={
        <>
          This needs JavaScript. <a href={file}>The file with all fields and hashes</a> needs none.
        </>
      }
    />
  );
}
