import { Form } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { namesFingerprint, type WalletChain } from "#core/wallet/wallet-key.ts";
import { comparedIndex, usualGapLimit } from "#core/wallet/wallet-terms.ts";
import type { Wallet } from "#server/chain/wallets/find-wallet.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./wallets.module.css";

const names: Record<WalletChain, string> = {
  bitcoin: "Bitcoin",
  ethereum: "Ethereum and USDT",
};

interface WalletPanelProps {
  wallet: Wallet & {
    /** How many customers have an address of it. */
    issued: number;
    /** Its first addresses; null: it is no longer configured. */
    firstAddresses: string[] | null;
    customerBranch: 0 | 2 | null;
    /** The next ones for the operator's own money. */
    ownAddresses?: Array<{ address: string; derivationIndex: number }>;
    /** Whether one of these is not what the key gives. */
    hasForeign?: boolean;
  };
  refused: { address: string; fault: string } | null;
}

export function WalletPanel({ wallet, refused }: WalletPanelProps) {
  const { chain, network, descriptor, firstSeenAt, nextIndex, comparedAt, issued } = wallet;
  const { customerBranch, ownAddresses = [], hasForeign } = wallet;
  return (
    <Panel title={wallet.firstAddresses ? names[chain] : `${names[chain]}, no longer used`}>
      <Facts
        facts={[
          { label: "Network", value: network },
          { label: "Public key", value: <code className={layout.fine}>{descriptor}</code> },
          { label: "First seen", value: firstSeenAt },
          { label: "Open since", value: comparedAt ?? "Not open yet" },
          comparedAt && {
            label: "Addresses given out",
            value: issued === 0 ? "None yet" : `${issued}, up to index ${nextIndex - 1}`,
          },
          customerBranch !== null && {
            label: "Customers' branch",
            value: <code className={layout.fine}>{`/${customerBranch}/*`}</code>,
          },
          {
            label: "Gap limit to set",
            value: `at least ${roundedUp(nextIndex).toLocaleString("en-US")}: customers pay in no order, and wallets stop after ${usualGapLimit} unused addresses`,
          },
        ]}
      />
      <div className={styles.notices}>
        {hasForeign ? <Foreign /> : null}
        {comparedAt ? <LookAhead issued={nextIndex} /> : null}
        <CustomersAlone branch={customerBranch} />
        <NoFingerprint wallet={wallet} />
      </div>
      {ownAddresses.length > 0 ? <OwnAddresses addresses={ownAddresses} /> : null}
      {wallet.firstAddresses ? (
        <FirstAddresses addresses={wallet.firstAddresses} />
      ) : (
        <p className={styles.words}>
          Customers no longer see its addresses. Coins can still arrive there: keep the wallet.
        </p>
      )}
      {wallet.firstAddresses && !comparedAt ? (
        <Compare walletId={wallet.id} refused={refused} />
      ) : null}
    </Panel>
  );
}

function CustomersAlone({ branch }: { branch: 0 | 2 | null }) {
  if (branch !== 0) return null;
  return (
    <Notice tone="warning" title="This account is for customers alone">
      Customers' addresses are those that your wallet shows as its next ones. Never receive own
      money or a pool's payout in this account: it would be credited to a customer.
    </Notice>
  );
}

function NoFingerprint({ wallet }: Pick<WalletPanelProps, "wallet">) {
  if (!wallet.firstAddresses || wallet.chain !== "bitcoin" || namesFingerprint(wallet)) return null;
  return (
    <Notice tone="warning" title="Hardware signers refuse batches of this wallet">
      The public key does not name its fingerprint and path, so a hardware signer cannot tell that
      the coins are its own.{" "}
      {wallet.nextIndex === 0
        ? "Before you open the wallet, export the key as [fingerprint/84h/0h/0h]xpub… and set that as DEPOSIT_WALLET_BITCOIN."
        : "Customers have addresses of this key, so it cannot be replaced by the same key written otherwise. Sign with software that holds the key, or continue with another account of the wallet, exported as [fingerprint/84h/0h/1h]xpub…"}
    </Notice>
  );
}

/** Customers pay in no order: a wallet that stops to look after 20 unused addresses would miss payments. */
function LookAhead({ issued }: { issued: number }) {
  if (issued < usualGapLimit) return null;
  return (
    <Notice tone="warning" title="Your wallet must look far enough ahead">
      Wallets stop after {usualGapLimit} unused addresses unless told otherwise. Set the gap limit,
      or the range of the descriptor, to at least {roundedUp(issued).toLocaleString("en-US")}.
    </Notice>
  );
}

/** With room to grow. */
function roundedUp(issued: number): number {
  return Math.max(1, Math.ceil((issued * 2) / 1000)) * 1000;
}

function Foreign() {
  return (
    <Notice tone="error" title="An address in the database is not of this wallet">
      It is not shown. Someone wrote into the database. This lists every such address:{" "}
      <code className={styles.command}>
        npm run verify <span>-- addresses</span>
      </code>
    </Notice>
  );
}

interface OwnAddressesProps {
  addresses: NonNullable<WalletPanelProps["wallet"]["ownAddresses"]>;
}

function OwnAddresses({ addresses }: OwnAddressesProps) {
  const [first] = addresses;
  return (
    <>
      <h3 className={styles.heading}>For pools and your own money</h3>
      <p className={styles.words}>
        Addresses of this wallet that no customer gets. What arrives there is shown on this page, so
        that you can record it as a payout or as own money.
      </p>
      <ol className={styles.addresses} start={first?.derivationIndex ?? 0}>
        {addresses.map(({ address }) => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

function FirstAddresses({ addresses }: { addresses: string[] }) {
  return (
    <>
      <h3 className={styles.heading}>Its first receiving addresses</h3>
      <ol className={styles.addresses} start={0}>
        {addresses.map((address) => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

function Compare({ walletId, refused }: Omit<WalletPanelProps, "wallet"> & { walletId: string }) {
  const mayCompare = useMay()("chain/compare-wallet");
  return (
    <>
      <p className={styles.words}>
        Compare them with the first receiving addresses that your wallet shows. Until one of you
        proves that it is the same wallet, no customer gets an address from it.
      </p>
      {mayCompare ? (
        <Form method="post" className={styles.form} preventScrollReset>
          <input type="hidden" name="walletId" value={walletId} />
          <TextField
            name="address"
            label={`The address at index ${comparedIndex} in your wallet`}
            description="It is the fourth one, and not shown here: read it in the wallet."
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={refused?.address}
            error={refused?.fault}
          />
          <SubmitButton pendingText="Comparing…">Open this wallet for customers</SubmitButton>
        </Form>
      ) : (
        <p className={styles.words}>An approver or an owner can do so.</p>
      )}
    </>
  );
}
