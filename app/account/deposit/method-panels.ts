import { renderSVG } from "uqr";
import type { Coin } from "#core/asset.ts";
import { coinOfMethod, type DepositMethod, depositMethods } from "#core/payments/deposit.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { PaymentAddress } from "#server/deposits/payments/payment-addresses.ts";

export interface MethodPanel {
  method: DepositMethod;
  /** Null: nothing can be paid this way yet. `checking`: nor now, since the address must be checked first. */
  pay:
    | {
        address: string;
        isOwn: boolean /** An image of the QR code that wallets scan. */;
        qrCode: string;
      }
    | "checking"
    | null;
}

/** Where to pay by each method. Ethereum and USDT share an address, because USDT here lives on Ethereum. */
export function methodPanels(
  addresses: Record<WalletChain, PaymentAddress | "checking" | null>,
  offered: readonly Coin[],
): MethodPanel[] {
  const methods = depositMethods.filter((method) => offered.includes(coinOfMethod[method]));
  return methods.map((method) => {
    const to = method === "Bitcoin" ? addresses.bitcoin : addresses.ethereum;
    if (!to || to === "checking") return { method, pay: to };
    // Wallets know BIP 21 for Bitcoin. For Ethereum the bare address is what all of them read.
    const link = method === "Bitcoin" ? `bitcoin:${to.address}` : to.address;
    return { method, pay: { ...to, qrCode: qrCode(link) } };
  });
}

function qrCode(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`;
}
