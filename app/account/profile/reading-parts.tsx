import { ChoiceField } from "#app/ui/controls/check-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { type DigestEvery, type NoticeEvent, noticeEvents } from "#core/notice-events.ts";
import type { DisplayCurrency } from "#core/people/locale-preferences.ts";
import { PartForm, type PartProps } from "./part-form.tsx";

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
      about="The site is available in English only. A mining day is always a UTC day; where a day matters, we show UTC as well."
    >
      {(form) => (
        <>
          <SelectField
            label="Format of dates and numbers"
            choices={[{ value: "", label: "The site's format" }, ...locales]}
            {...form.field("locale")}
          />
          <SelectField
            label="Time zone"
            choices={[
              { value: "", label: "My device's time zone" },
              { value: "UTC", label: "UTC" },
              ...timeZones
                .filter((name) => name !== "UTC")
                .map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
            ]}
            {...form.field("timeZone")}
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
      about={`Values are shown in US dollars. You can see them in ${ether ? "Bitcoin or Ether" : "Bitcoin"} as well, at the price on this site, with its exchanges and age. We offer no other currencies, because we keep no rates of them that you could check.`}
    >
      {(form) => (
        <SelectField
          label="Show values in"
          choices={[
            { value: "USD", label: "US dollars" },
            { value: "BTC", label: "US dollars and Bitcoin" },
            ...(ether ? [{ value: "ETH", label: "US dollars and Ether" }] : []),
          ]}
          {...form.field("currency")}
        />
      )}
    </PartForm>
  );
}

const eventWords: Record<NoticeEvent, string> = {
  "deposit-received": "We received a payment slip",
  "deposit-approved": "We approved and credited a deposit",
  "deposit-credited": "We credited a payment to my address",
  "deposit-rejected": "We rejected a deposit",
  "contract-ending": "A contract ends in 7 days",
  "adjustment-posted": "The operator credited me (goodwill or subsidy)",
  "testimonial-invitation": "We ask for a few words about the service",
};

export function NoticesPart({ muted, ...rest }: PartProps & { muted: NoticeEvent[] }) {
  const own = rest.answer?.part === "notices" ? rest.answer.result.initialValue : undefined;
  const typed = own ? [own["wanted"] ?? []].flat() : null;
  return (
    <PartForm
      {...rest}
      part="notices"
      title="E-mails to you"
      saved={{}}
      about="We always e-mail you about the safety of your account, withdrawals, your verification, a copy of your data, closing the account, reversed deposits, and in answer to your messages."
    >
      {() => (
        <ChoiceField
          several
          name="wanted"
          label="Write to me when"
          choices={noticeEvents.map((value) => ({ value, label: eventWords[value] }))}
          chosen={
            typed ? typed.map(String) : noticeEvents.filter((event) => !muted.includes(event))
          }
        />
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
      about="A summary of credits and maintenance fees, while you have a contract. We always e-mail you about unpaid maintenance and contracts that have ended."
    >
      {(form) => (
        <SelectField
          label="Write to me"
          choices={[
            { value: "day", label: "Every day" },
            { value: "week", label: "Every week" },
            { value: "month", label: "Every month" },
            { value: "off", label: "Never" },
          ]}
          {...form.field("every")}
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
      title="Anti-phishing phrase"
      saved={{ phrase: phrase ?? "" }}
      about="We print it at the top of every e-mail, so you can tell ours from fakes. Choose a few words that are hard to guess, and not a password."
    >
      {(form) => (
        <TextField
          label="Your phrase"
          description="Up to 60 characters. Empty: none"
          autoComplete="off"
          {...form.field("phrase")}
        />
      )}
    </PartForm>
  );
}
