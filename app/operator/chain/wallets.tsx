import { runAct } from "#app/run-act.ts";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { Refusal } from "#core/refusal.ts";
import { firstAddresses } from "#core/wallet/first-addresses.ts";
import { shownDescriptor } from "#core/wallet/node-descriptor.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { listArrivals } from "#server/chain/list-arrivals.ts";
import { isDerived } from "#server/chain/wallets/foreign-address.ts";
import { countIssued, listWallets } from "#server/chain/wallets/list-wallets.ts";
import { compareAsOperator } from "#server/console/wallets/compare-as-operator.ts";
import { listFreeAddresses } from "#server/payouts/list-free-addresses.ts";
import type { Db } from "#server/platform/database.ts";
import { OnlyShown } from "../parts/only-shown.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/wallets";
import { ArrivalTable } from "./arrival-table.tsx";
import { WalletPanel } from "./wallet-panel.tsx";
import styles from "./wallets.module.css";

export const meta = titled("Wallets");
export const middleware = guard("chain/read", "chain/compare-wallet");
export const shouldRevalidate = readAfterConflict;

const mostArrivals = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const [known, issued, arrivals] = await Promise.all([
    listWallets(db),
    countIssued(db),
    listArrivals(db, mostArrivals),
  ]);
  const wallets = await Promise.all(
    known.map(async (wallet) => {
      const key = config.wallets[wallet.chain];
      const isConfigured = key?.descriptor === wallet.descriptor && key.network === wallet.network;
      return {
        ...wallet,
        descriptor: shownDescriptor(wallet),
        issued: issued.get(wallet.id) ?? 0,
        firstAddresses: isConfigured ? firstAddresses(key) : null,
        customerBranch: isConfigured ? key.customerBranch : null,
        ...(isConfigured && (await ownAddressesOf(db, wallet.id, key))),
      };
    }),
  );
  // What is in use stands first.
  wallets.sort((a, b) => Number(!a.firstAddresses) - Number(!b.firstAddresses));
  return { wallets, arrivals };
}

const shownOwnAddresses = 5;

/** Shown are those that the configured key gives, whatever the database says. */
async function ownAddressesOf(db: Db, walletId: string, key: WalletKey) {
  const listed = await listFreeAddresses(db, walletId, shownOwnAddresses);
  const ownAddresses = listed.filter((each) => isDerived(key, each));
  return { ownAddresses, hasForeign: ownAddresses.length < listed.length };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const form = await request.formData();
  const walletId = String(form.get("walletId"));
  const address = String(form.get("address") ?? "")
    .trim()
    .slice(0, 200);
  return runAct(
    async () => {
      const wallet = (await listWallets(db)).find(({ id }) => id === walletId);
      const key = wallet && config.wallets[wallet.chain];
      if (!key) throw new Refusal("chain/unknown-wallet");
      const compared = { walletId, key, address, now: now() };
      await compareAsOperator(db, operator, compared);
      return { to: "/operator/wallets", say: "wallet-compared" };
    },
    (said) => ({ walletId, address, fault: said.text }),
    sayRefusal,
  );
}

const settingOf: Record<Coin, string> = {
  BTC: "DEPOSIT_WALLET_BITCOIN",
  ETH: "DEPOSIT_WALLET_ETHEREUM",
  USDT: "DEPOSIT_WALLET_ETHEREUM",
};

export default function Wallets({ loaderData, actionData }: Route.ComponentProps) {
  const { wallets, arrivals } = loaderData;
  const settings = [...new Set(useCoins().map((coin) => settingOf[coin]))];
  return (
    <>
      <PageHeader
        title="Wallets"
        description="The public keys that customers' deposit addresses are derived from. This machine holds no private key and cannot spend."
      />
      {wallets.length === 0 ? (
        <EmptyState drawing="seal">
          No wallet is configured, so no customer gets an address of their own. Set the public{" "}
          {settings.length === 1 ? "key of your wallet" : "keys of your wallets"} as{" "}
          {settings.join(" and ")}.
        </EmptyState>
      ) : (
        <div className={styles.wallets}>
          {arrivals.length > 0 ? (
            <Panel title="Arrived at your own addresses, and not in the books" flush>
              <ArrivalTable arrivals={arrivals} />
              <OnlyShown rows={arrivals.length} most={mostArrivals} which="newest" />
            </Panel>
          ) : null}
          {wallets.map((wallet) => (
            <WalletPanel
              key={wallet.id}
              wallet={wallet}
              refused={actionData?.walletId === wallet.id ? actionData : null}
            />
          ))}
        </div>
      )}
    </>
  );
}
