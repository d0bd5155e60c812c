import { useState } from "react";
import { Button } from "#app/ui/controls/button.tsx";
import { Recompute } from "#app/ui/receipt/recompute.tsx";
import type { OwedProof, ShownOwed } from "#core/proof/recompute-owed.ts";
import { formatDay } from "#core/utc-day.ts";
import { checkProof, type KeptProof } from "./check-proof.ts";
import { readKept, writeKept } from "./kept-proof.ts";

/** Works out in the reader's browser that the published hash includes what the page shows, and follows the one that it kept. */
export function CheckOwed({
  proof,
  shown,
  isNewest,
}: {
  proof: OwedProof;
  shown: ShownOwed;
  isNewest: boolean;
}) {
  const [broken, setBroken] = useState<KeptProof | null>(null);
  const { customerId } = shown;
  const recompute = async () => {
    const { kept } = readKept(customerId);
    // Of an older day that is looked at, what was kept since says nothing.
    const usable = kept && (isNewest || kept.day <= proof.leaf.day) ? kept : null;
    const found = await checkProof(proof, shown, usable);
    if (typeof found === "string") return found;
    setBroken(usable && found.steps.at(-1)?.agrees === false ? usable : null);
    return found.steps;
  };
  return (
    <>
      <Recompute
        lead="Your browser adds up and hashes your entry, and from there every sum and hash up to the published one. It fetches that hash from the public page without your session, so that you get the one that others get."
        of={`the account, or the published proof of ${formatDay(proof.leaf.day)},`}
        exact="to the smallest unit"
        recompute={recompute}
        noScript="This needs JavaScript. The file below has all fields and hashes."
      />
      {broken ? (
        <p>
          Hashes that were published once do not change, unless we lost the newest days and went
          back to a backup: then News says so.{" "}
          <Button
            look="outline"
            onClick={() => {
              writeKept(customerId, { checkedOn: null, kept: null });
              setBroken(null);
            }}
          >
            Forget the hash of {formatDay(broken.day)}
          </Button>
        </p>
      ) : null}
    </>
  );
}
