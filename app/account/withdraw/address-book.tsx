import { Form } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { coinWords } from "#core/payments/withdrawal.ts";
import { explainAddress, lacksChecksum } from "#core/payments/withdrawal-address.ts";
import type { WithdrawAnswer } from "./submit.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

interface AddressBookProps {
  data: WithdrawData;
  answer: WithdrawAnswer | undefined;
}

/** Where a customer has a coin sent, by name; a new one is checked while it is typed. */
export function AddressBook({ data, answer }: AddressBookProps) {
  const { addresses, coin, now } = data;
  return (
    <Panel title={`Address book for ${coinWords[coin]}`}>
      {addresses.length > 0 ? (
        <ul className={styles.book}>
          {addresses.map(({ addressId, address, label, usableFrom }) => (
            <li key={addressId} className={styles.entry}>
              <div className={styles.words}>
                <strong>{label}</strong>
                <code className={layout.fine}>{address}</code>
                {usableFrom > now ? (
                  <span className={layout.quiet}>
                    New: you can withdraw to it from <When at={usableFrom} />
                  </span>
                ) : null}
              </div>
              <Form method="post" preventScrollReset>
                <input type="hidden" name="addressId" value={addressId} />
                <input type="hidden" name="coin" value={coin} />
                <Button
                  type="submit"
                  name="intent"
                  value="remove-address"
                  look="quiet"
                  size="small"
                  aria-label={`Remove ${label}`}
                >
                  Remove
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      ) : null}
      <AddForm key={addresses.length} data={data} answer={answer} />
    </Panel>
  );
}

const copyWords: Record<Coin, string> = {
  BTC: "Copied from your wallet",
  ETH: "Copied from your wallet, for Ethereum itself: not for another network that has such addresses",
  USDT: "Copied from your wallet, for USDT on Ethereum (ERC-20): not for Tron or another network",
};

/** Of an address without mistakes what is still to be done. */
function soundWords(typed: string): string {
  return lacksChecksum(typed)
    ? "It has no checksum, so we cannot spot a mistyped letter. Compare all of it with your wallet."
    : "Its checksum is right. Please still compare it with your wallet.";
}

function AddForm({ data, answer }: AddressBookProps) {
  const mine = answer?.intent === "add-address" ? answer : null;
  const form = useForm({
    id: "address",
    lastResult: mine?.result ?? null,
    rules: async () => (await import("./withdraw-schema.ts")).addressSchema,
  });
  const { address: typed = "" } = form.typed;
  // A few letters do not say yet what is wrong with them.
  const { coin } = data;
  const isLong = typed.trim().length >= 8;
  const fault = isLong ? explainAddress(typed, data) : null;
  const { error: refused, ...address } = form.field("address");
  // What the server said of it stands until it is changed.
  const error = fault ?? refused;
  return (
    <Form method="post" preventScrollReset className={layout.form} {...form.props}>
      <FormAlert errors={form.errors} />
      <input type="hidden" name="coin" value={coin} />
      <TextField
        label={coin === "BTC" ? "New Bitcoin address" : "New Ethereum address"}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...address}
        error={error}
        description={isLong && !error ? soundWords(typed) : copyWords[coin]}
      />
      <TextField
        label="Name"
        placeholder="Cold wallet"
        autoComplete="off"
        {...form.field("label")}
      />
      <div>
        <SubmitButton name="intent" value="add-address" look="quiet" pendingText="Adding…">
          Add address
        </SubmitButton>
      </div>
    </Form>
  );
}
