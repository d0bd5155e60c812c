import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { compareWallet } from "#server/chain/wallets/compare-wallet.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";

/**
 * Opens a wallet for customers as a member of staff. The audit log keeps the address that was read in the wallet.
 *
 * @throws Refusal as `compareWallet` and `actAsOperator` do
 */
export function compareAsOperator(
  db: Db,
  operator: ActingOperator,
  compared: { walletId: string; key: WalletKey; address: string; now: Date },
): Promise<void> {
  const { walletId, address, now } = compared;
  const act = {
    act: "chain/compare-wallet" as const,
    subject: `wallet:${walletId}`,
    detail: { address },
    now,
  };
  return actAsOperator(db, operator, act, (tx, auditId) =>
    compareWallet(tx, { ...compared, auditId }),
  );
}
