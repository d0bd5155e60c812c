import { createContext, useContext } from "react";
import { type LocalePreferences, siteLocalePreferences } from "#core/people/locale-preferences.ts";

/** How the person before the page reads dates, numbers and values. A section that knows it provides it. */
export const LocalePreferencesContext = createContext<LocalePreferences>(siteLocalePreferences);

export function useLocalePreferences(): LocalePreferences {
  return useContext(LocalePreferencesContext);
}
