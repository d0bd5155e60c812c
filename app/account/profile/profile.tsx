import { data, Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { type FlashKey, flash } from "#app/ui/toasts/flash.ts";
import { formatLocales, timeZones } from "#core/people/locale-preferences.ts";
import { appContext } from "#server/app-context.ts";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import { findOpenEmailChange } from "#server/identity/email-change/confirm-email-change.ts";
import { cancelEmailChange } from "#server/identity/email-change/request-email-change.ts";
import { customerContext, viewContext } from "#server/identity/sessions/person-context.ts";
import { findSettings } from "#server/identity/settings/change-settings.ts";
import { listMuted } from "#server/identity/settings/choose-notices.ts";
import { describePhone, phoneCountries } from "#server/identity/settings/phone.ts";
import { markOf } from "#server/identity/settings/settings.ts";
import { requireStepUpFor } from "#server/identity/step-up/require-step-up.ts";
import { getDigestChoice } from "#server/mining/digests/get-digest-choice.ts";
import { askExport } from "#server/personal-data/ask-export.ts";
import { findLastExport } from "#server/personal-data/find-last-export.ts";
import type { Db } from "#server/platform/database.ts";
import { findPhraseOf } from "#server/platform/mail/phrase.ts";
import { TooManyAttempts, waitUntil } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/profile";
import { browserOf } from "./browser-of.ts";
import { DataPanel } from "./data-panel.tsx";
import type { PartProps } from "./part-form.tsx";
import { EmailPart, NamesPart, PhonePart } from "./person-parts.tsx";
import styles from "./profile.module.css";
import {
  CurrencyPart,
  DigestPart,
  NoticesPart,
  PhrasePart,
  ReadingPart,
} from "./reading-parts.tsx";
import { type PartAnswer, savePart } from "./save-part.ts";
import { isPart, type PartName } from "./schemas.ts";
import { SectionNav } from "./section-nav.tsx";
import { placeOf, sectionAt } from "./sections.ts";

export const meta = titled("Profile");
export const shouldRevalidate = readAfterConflict;
export const headers = answerHeaders;

export const middleware: Route.MiddlewareFunction[] = [
  requireStepUpFor((form) => form.get("part") === "email"),
];

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const section = sectionAt(url.pathname);
  const customer = context.get(customerContext);
  const { id, firstName, lastName, email, emailVerified, createdAt } = customer;
  const [settings, muted, phrase, emailChange, lastExport, digest] = await Promise.all([
    findSettings(db, id),
    listMuted(db, id),
    findPhraseOf(db, id),
    findOpenEmailChange(db, id, now()),
    findLastExport(db, id),
    getDigestChoice(db, id),
  ]);
  const { locale, timeZone, currency, phone } = settings;
  const isViewed = context.get(viewContext) !== null;
  return {
    section,
    person: { firstName, lastName, email, emailVerified, createdAt },
    phone: phone === null ? null : describePhone(phone),
    reading: { locale, timeZone },
    currency,
    muted,
    digest,
    // Staff who look at the page could write in the customer's name with it; its mark would let them guess.
    phrase: isViewed ? null : phrase,
    emailChange,
    lastExport,
    isViewed,
    seen: { ...(await marksOf(db, id)), ...(isViewed && { phrase: "" }) },
    countries: section === "you" ? phoneCountries() : [],
    locales: section === "display" ? describeLocales(now()) : [],
    timeZones: section === "display" ? timeZones() : [],
  };
}

/** The marks of all parts as they stand now. */
async function marksOf(db: Db, customerId: string): Promise<Record<PartName, string>> {
  const [person, settings, muted, phrase, digest] = await Promise.all([
    findCustomer(db, customerId),
    findSettings(db, customerId),
    listMuted(db, customerId),
    findPhraseOf(db, customerId),
    getDigestChoice(db, customerId),
  ]);
  const { locale, timeZone, currency, phone } = settings;
  return {
    names: markOf({ firstName: person?.firstName, lastName: person?.lastName }),
    phone: markOf({ phone }),
    reading: markOf({ locale, timeZone }),
    currency: markOf({ currency }),
    notices: markOf({ muted }),
    digest: markOf({ digest }),
    phrase: markOf({ phrase }),
    email: "",
  };
}

/** What each language's way looks like: "German (Germany): 21. Nov. 2026, 1.234,56". */
function describeLocales(now: Date): Array<{ value: string; label: string }> {
  const names = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });
  return formatLocales.map((value) => {
    const day = new Intl.DateTimeFormat(value, { dateStyle: "medium", timeZone: "UTC" });
    const number = new Intl.NumberFormat(value, { minimumFractionDigits: 2 });
    return { value, label: `${names.of(value)}: ${day.format(now)}, ${number.format(1234.56)}` };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const form = await request.formData();
  const part = form.get("part");
  const now = app.now();
  const browser = browserOf(request, context);
  if (isPart(part)) {
    const seen = String(form.get("seen") ?? "");
    const refused = await savePart(part, form, { app, customerId, browser, seen, now });
    if (!refused) return said(part === "email" ? "email-links-sent" : "profile-saved", part);
    const marks = await marksOf(app.db, customerId);
    return data({ problem: null, ...refused.answer, seen: marks[part] }, refused.init);
  }
  const intent = form.get("intent");
  if (intent === "cancel-email") {
    await cancelEmailChange(app.db, customerId, now);
    return said("email-change-cancelled", "email");
  }
  if (intent !== "export") throw data(null, { status: 400, statusText: "Bad Request" });
  try {
    await askExport(app.db, { customerId, browser, now });
    return said("export-asked", "data");
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    const problem = `You have asked often enough for today. Please try again in ${waitUntil(error.retryAt, now)}.`;
    return data({ problem, part: null }, 429);
  }
}

async function said(key: FlashKey, part: PartName | "data") {
  return redirect(placeOf(part), { headers: { "Set-Cookie": await flash(key) } });
}

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  const { section, seen } = loaderData;
  const answer = actionData?.part ? (actionData as PartAnswer & { seen: string }) : undefined;
  const of = (part: PartName) => ({ seen: seen[part], answer });
  return (
    <>
      <PageHeader
        title="Profile"
        description="Each part is saved on its own. The history of your account lists what you change."
      />
      <SectionNav section={section} />
      <div className={styles.parts}>
        {section === "you" ? <You data={loaderData} of={of} /> : null}
        {section === "emails" ? <Emails data={loaderData} of={of} /> : null}
        {section === "display" ? <Display data={loaderData} of={of} /> : null}
        {section === "data" ? (
          <DataPanel last={loaderData.lastExport} problem={actionData?.problem ?? null} />
        ) : null}
      </div>
    </>
  );
}

interface SectionProps {
  data: Route.ComponentProps["loaderData"];
  of: (part: PartName) => PartProps;
}

function You({ data: { person, phone, countries, emailChange, seen }, of }: SectionProps) {
  return (
    <>
      <NamesPart {...of("names")} key={`names ${seen.names}`} {...person} />
      <EmailPart
        {...of("email")}
        key={emailChange?.newEmail ?? ""}
        email={person.email}
        emailVerified={person.emailVerified}
        change={emailChange}
      />
      <PhonePart {...of("phone")} key={`phone ${seen.phone}`} phone={phone} countries={countries} />
      <Panel title="Your account">
        <Facts
          facts={[{ label: "Customer since", value: <When at={person.createdAt} beside /> }]}
        />
        <Link to="/account/testimonial">Your words on our site</Link>
      </Panel>
    </>
  );
}

function Emails({ data: { isViewed, phrase, muted, digest, seen }, of }: SectionProps) {
  return (
    <>
      {isViewed ? (
        <Panel title="Anti-phishing phrase">Not shown to staff.</Panel>
      ) : (
        <PhrasePart {...of("phrase")} key={`phrase ${seen.phrase}`} phrase={phrase} />
      )}
      <NoticesPart {...of("notices")} key={`notices ${seen.notices}`} muted={muted} />
      <DigestPart {...of("digest")} key={`digest ${seen.digest}`} every={digest} />
    </>
  );
}

function Display({
  data: { reading, locales, timeZones: zones, currency, seen },
  of,
}: SectionProps) {
  return (
    <>
      <ReadingPart
        {...of("reading")}
        key={`reading ${seen.reading}`}
        {...reading}
        locales={locales}
        timeZones={zones}
      />
      <CurrencyPart {...of("currency")} key={`currency ${seen.currency}`} currency={currency} />
    </>
  );
}
