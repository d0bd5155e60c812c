import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import type { Fact } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import type { BatchChange } from "#server/withdrawals/bitcoin/change-of.ts";

/** Beside the payments: where the change goes, and the mark. A signing wallet's screen is compared with it. */
export function changeFacts(
  { changeUnits, mark }: { changeUnits: bigint; mark: string | null },
  change: BatchChange | null,
): (Fact | false)[] {
  const hasChange = change !== null && changeUnits > 0n;
  return [
    { label: "Change to the wallet", value: <Amount units={changeUnits} asset="BTC" /> },
    hasChange && {
      label: "Change address",
      value: <CopyField text={change.address} label="change address" />,
    },
    hasChange && {
      label: "Derivation",
      value: (
        <>
          <code>{change.path}</code>
          {change.namesFingerprint ? null : ", below the account's key"}
        </>
      ),
    },
    mark !== null && {
      label: "Mark, an output of no value (OP_RETURN)",
      value: <CopyField text={mark} label="mark" />,
    },
  ];
}

/** A hardware signer cannot tell that coins and change are its own when the key does not say where it comes from. */
export function NoOrigin({ change }: { change: BatchChange | null }) {
  if (!change || change.namesFingerprint) return null;
  return (
    <Notice tone="warning" title="Hardware signers refuse this batch">
      The wallet's key does not name its fingerprint and path, so they recognise neither coins nor
      change. Sign with software that holds the key. The page Wallets says how to go on.
    </Notice>
  );
}
