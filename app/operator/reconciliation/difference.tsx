import { Amount } from "#app/ui/figures/amount.tsx";
import type { Coin } from "#core/asset.ts";
import own from "./reconciliation.module.css";

/** How much more or less is on chain than in the ledger: by sign, word and colour. */
export function Difference({ units, asset }: { units: bigint; asset: Coin }) {
  if (units === 0n) return <span className={own.equal}>none</span>;
  return (
    <span className={units < 0n ? own.short : own.more}>
      <Amount units={units} asset={asset} signed /> {units < 0n ? "missing" : "more"}
    </span>
  );
}
