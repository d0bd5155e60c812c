import { renderSVG } from "uqr";
import { type DepositMethod, depositMethods } from "#core/deposit.ts";
import type { Config } from "#server/platform/config.ts";

export interface MethodPanel {
  method: DepositMethod;
  address: string;
  /** An image of the QR code that wallets scan. */
  qrCode: string;
}

/** Where to pay by each method. Ethereum and USDT share an address, because USDT here lives on Ethereum. */
export function methodPanels({
  depositAddresses,
}: Pick<Config, "depositAddresses">): MethodPanel[] {
  const { bitcoin, ethereum } = depositAddresses;
  return depositMethods.map((method) => {
    const address = method === "Bitcoin" ? bitcoin : ethereum;
    // Wallets know BIP 21 for Bitcoin. For Ethereum the bare address is what all of them read.
    return {
      method,
      address,
      qrCode: qrCode(method === "Bitcoin" ? `bitcoin:${address}` : address),
    };
  });
}

function qrCode(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`;
}
