import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { field, select } from "#app/ui/form-fields.tsx";
import { useCoins } from "#app/ui/use-coins.ts";
import { type DigestEvery, type NoticeEvent, noticeEvents } from "#core/notice-events.ts";
import type { DisplayCurrency } from "#core/reading.ts";
import { PartForm, type PartProps } from "./part-form.tsx";
import styles from "./profile.module.css";

interface ReadingPartProps extends PartProps {
  locale: string | null;
  timeZone: string | null;
  locales: Array<{ value: string; label: string }>;
  timeZones: string[];
}

export function ReadingPart({ locale, timeZone, locales, timeZones, ...rest }: ReadingPartProps) {
  return (
    <PartForm
      {...rest}
      part="reading"
      title="Dates, numbers and time zone"
      saved={{ locale: locale ?? "", timeZone: timeZone ?? "" }}
      about="The words of the site stay English. A mining day is a UTC day whatever you choose: where a day matters, UTC stands beside your own time."
    >
      {(fields) => (
        <>
          <NativeSelect
            label="Dates and numbers as in"
            data={[{ value: "", label: "The site's own way" }, ...locales]}
            {...select(fields.locale)}
          />
          <NativeSelect
            label="Time zone"
            data={[
              { value: "", label: "That of the device I look at" },
              { value: "UTC", label: "UTC" },
              ...timeZones
                .filter((name) => name !== "UTC")
                .map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
            ]}
            {...select(fields.timeZone)}
          />
        </>
      )}
    </PartForm>
  );
}

export function CurrencyPart({ currency, ...rest }: PartProps & { currency: DisplayCurrency }) {
  const ether = useCoins().includes("ETH") || currency === "ETH";
  return (
    <PartForm
      {...rest}
      part="currency"
      title="Values"
      saved={{ currency }}
      about={`Values are shown in US dollars. You can see them in ${ether ? "Bitcoin or Ether" : "Bitcoin"} as well, by the price on this site with its exchanges and age. Other currencies are not offered, because no rate of theirs is kept here that you could check.`}
    >
      {(fields) => (
        <NativeSelect
          label="Show values in"
          data={[
            { value: "USD", label: "US dollars" },
            { value: "BTC", label: "US dollars and Bitcoin" },
            ...(ether ? [{ value: "ETH", label: "US dollars and Ether" }] : []),
          ]}
          {...select(fields.currency)}
        />
      )}
    </PartForm>
  );
}

const eventWords: Record<NoticeEvent, string> = {
  "deposit-received": "A payment slip of mine arrived",
  "deposit-approved": "A deposit of mine was approved and credited",
  "deposit-credited": "A payment to my address was credited",
  "deposit-rejected": "A deposit of mine was rejected",
  "adjustment-posted": "The operator credited me (goodwill or subsidy)",
  "testimonial-invitation": "I am asked for a few words about the service",
};

export function NoticesPart({ muted, ...rest }: PartProps & { muted: NoticeEvent[] }) {
  const own = rest.answer?.part === "notices" ? rest.answer.result.initialValue : undefined;
  const typed = own ? [own["wanted"] ?? []].flat() : null;
  return (
    <PartForm
      {...rest}
      part="notices"
      title="Mails to you"
      saved={{}}
      about="Some mails always come: those about the safety of your account, withdrawals, your verification, a copy of your data and closing the account, a deposit that is taken back, and answers to what you write to us."
    >
      {() => (
        <Checkbox.Group
          label="Write to me when"
          defaultValue={
            typed ? typed.map(String) : noticeEvents.filter((event) => !muted.includes(event))
          }
        >
          <div className={styles.form}>
            <span />
            {noticeEvents.map((event) => (
              <Checkbox key={event} name="wanted" value={event} label={eventWords[event]} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </PartForm>
  );
}

export function DigestPart({ every, ...rest }: PartProps & { every: DigestEvery }) {
  return (
    <PartForm
      {...rest}
      part="digest"
      title="What your contracts mined"
      saved={{ every }}
      about="A mail with what was credited and what maintenance cost, when there was a contract. Mails about unpaid maintenance and about contracts that end always come."
    >
      {(fields) => (
        <NativeSelect
          label="Write to me"
          data={[
            { value: "day", label: "Every day" },
            { value: "week", label: "Every week" },
            { value: "month", label: "Every month" },
            { value: "off", label: "Never" },
          ]}
          {...select(fields.every)}
        />
      )}
    </PartForm>
  );
}

export function PhrasePart({ phrase, ...rest }: PartProps & { phrase: string | null }) {
  return (
    <PartForm
      {...rest}
      part="phrase"
      title="A phrase that proves our mails"
      saved={{ phrase: phrase ?? "" }}
      about="Choose a few words that nobody would guess. Every mail from us to you carries them at its head. A mail without them is not from us, whatever it looks like. Do not use a password."
    >
      {(fields) => (
        <TextInput
          label="Your phrase"
          description="Up to 60 characters. Empty: none"
          autoComplete="off"
          {...field(fields.phrase)}
        />
      )}
    </PartForm>
  );
}
