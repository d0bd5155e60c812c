import { errorsOf, unlessRefused } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import { requestEmailChange } from "#server/identity/email-change/request-email-change.ts";
import { changeName } from "#server/identity/settings/change-name.ts";
import { changePhrase } from "#server/identity/settings/change-phrase.ts";
import { changeSettings } from "#server/identity/settings/change-settings.ts";
import { chooseNotices } from "#server/identity/settings/choose-notices.ts";
import { parsePhone } from "#server/identity/settings/phone.ts";
import type { Browser } from "#server/identity/settings/settings.ts";
import { chooseDigest } from "#server/mining/digests/choose-digest.ts";
import { saySetting } from "../refusals/settings.ts";
import { type PartName, partSchemas } from "./schemas.ts";

/** What the page is told of a form that was not saved: the form shows it again, as it was typed. */
export interface PartAnswer {
  part: PartName;
  result: FormReply;
}

interface Save {
  app: App;
  customerId: string;
  browser: Browser;
  /** The mark of what the form was made of. */
  seen: string;
  now: Date;
}

/** Saves one part of the profile; null when that is done, else what is wrong with it. */
export async function savePart(
  part: PartName,
  form: FormData,
  save: Save,
): Promise<{ answer: PartAnswer; init: ResponseInit } | null> {
  const submission = parseForm(form, { schema: partSchemas[part] });
  const hidden = { hideFields: ["password"] } as { hideFields: never[] };
  if (submission.status !== "success") {
    return { answer: { part, result: submission.reply(hidden) }, init: { status: 400 } };
  }
  return unlessRefused(
    async () => {
      await saves[part](submission.value as never, save);
      return null;
    },
    (refusal) => {
      const said = saySetting(save.now)(refusal);
      if (!said) throw refusal;
      const { status, headers = {} } = said;
      const result = submission.reply({ ...hidden, ...errorsOf(said, form) });
      return { answer: { part, result }, init: { status, headers } };
    },
  );
}

type Values = { [Part in PartName]: (typeof partSchemas)[Part]["_zod"]["output"] };

const saves: { [Part in PartName]: (values: Values[Part], save: Save) => Promise<void> } = {
  names: (values, { app, customerId: userId, browser, seen, now }) =>
    changeName(app.db, { userId, ...values, seen, browser, now }),
  phone: ({ country, phone: typed }, { app, ...save }) => {
    const phone = typed === "" ? null : parsePhone(typed, country === "" ? null : country);
    if (typed !== "" && phone === null) throw new Refusal("identity/no-such-phone");
    return changeSettings(app.db, { part: "phone-changed", values: { phone }, ...save });
  },
  reading: ({ locale, timeZone }, { app, ...save }) => {
    const values = { locale: locale || null, timeZone: timeZone || null };
    return changeSettings(app.db, { part: "reading-changed", values, ...save });
  },
  currency: (values, { app, ...save }) =>
    changeSettings(app.db, { part: "display-currency-changed", values, ...save }),
  notices: ({ wanted }, { app, ...save }) => chooseNotices(app.db, { wanted, ...save }),
  digest: ({ every }, { app, ...save }) => chooseDigest(app.db, { every, ...save }),
  phrase: ({ phrase }, { app, customerId: userId, browser, seen, now }) =>
    changePhrase(app.db, { userId, phrase: phrase === "" ? null : phrase, seen, browser, now }),
  email: (values, { app, customerId: userId, browser, now }) =>
    requestEmailChange(app.db, { userId, ...values, browser, site: app.config, now }),
};
