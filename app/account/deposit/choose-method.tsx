import type { SyntheticEvent } from "react";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { ChevronDown } from "#app/ui/icons.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { DepositMethod } from "#core/payments/deposit.ts";
import styles from "./choose-method.module.css";
import type { MethodPanel } from "./method-panels.ts";

const oneAtATime = "deposit-method";

/** What goes to an address, and what would be lost there. */
const only: Record<DepositMethod, string> = {
  Bitcoin: "Send only BTC, on the Bitcoin network.",
  Ethereum: "Send only ETH, on the Ethereum network.",
  USDT: "Send only USDT, on the Ethereum network (ERC-20).",
};

const coinNames: Record<DepositMethod, string> = {
  Bitcoin: "BTC",
  Ethereum: "ETH",
  USDT: "ERC-20 on Ethereum",
};

/** 'Choose method': one address open at a time, by the browser's own means. */
export function ChooseMethod({ panels, network }: { panels: MethodPanel[]; network: string }) {
  return (
    <Panel title="Choose method" flush>
      {network === "mainnet" ? null : (
        <div className={styles.warning}>
          <Notice tone="warning" title="This is a test network">
            Do not send real coins to these addresses: they would be lost.
          </Notice>
        </div>
      )}
      {panels.map(({ method, pay }) => (
        <details
          key={method}
          name={oneAtATime}
          className={styles.method}
          onToggle={closeOthers}
          open={panels.length === 1}
        >
          <summary className={styles.summary}>
            <span className={styles.name}>{method}</span>
            <span className={styles.coin}>{coinNames[method]}</span>
            <ChevronDown className={styles.chevron} size={18} aria-hidden="true" />
          </summary>
          {pay === "checking" ? (
            <p className={styles.closed}>
              We are checking your address. Please do not pay to any address that you copied before.
            </p>
          ) : pay ? (
            <div className={styles.body}>
              <img
                className={styles.code}
                src={pay.qrCode}
                alt={`QR code of the ${method} address`}
                width={160}
                height={160}
              />
              <div className={styles.words}>
                <p className={styles.hint}>
                  {only[method]}
                  {pay.isOwn ? " This address is yours alone." : null}
                </p>
                <CopyField text={pay.address} label={`${method} address`} />
              </div>
            </div>
          ) : (
            <p className={styles.closed}>
              You cannot pay this way yet. We are still checking the addresses against our wallet.
            </p>
          )}
        </details>
      ))}
    </Panel>
  );
}

/** Browsers that do not group `details` by name yet. */
function closeOthers({ currentTarget: opened }: SyntheticEvent<HTMLDetailsElement>): void {
  if (!opened.open) return;
  for (const other of document.querySelectorAll<HTMLDetailsElement>(
    `details[name="${oneAtATime}"]`,
  )) {
    if (other !== opened) other.open = false;
  }
}
