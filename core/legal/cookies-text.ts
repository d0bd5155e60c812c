import type { BrowserStorage } from "./browser-storage.ts";
import { type LegalDocument, sections } from "./legal-document.ts";

/** The Cookie Policy: all that the site keeps in a browser, by name. */
export function cookiesText(kept: readonly BrowserStorage[]): LegalDocument {
  const row = ({ name, place, lifetime, setWhen, purpose }: BrowserStorage) => [
    `\`${name}\`, ${place}`,
    `When ${setWhen}. ${purpose}`,
    lifetime,
  ];
  return {
    id: "cookies",
    title: "Cookie Policy",
    opening: [
      "Reading the public pages sets no cookie. What we keep in your browser keeps you signed in and remembers your choices; none of it tracks you.",
    ],
    sections: sections({
      kept: [
        "Everything we keep in your browser",
        { head: ["Name and place", "When and what for", "How long"], rows: kept.map(row) },
      ],
      "not-kept": [
        "What we do not use",
        {
          list: [
            "No cookies for advertising, statistics or tracking.",
            "No pixels, no fingerprinting, no buttons of social networks.",
            "No requests from your browser to any other site, unless you have agreed to the charting provider's widgets.",
          ],
        },
      ],
      providers: [
        "Widgets of a charting provider",
        "Charts and prices on this site are our own. An operator may offer the widgets of TradingView, too. Then we ask you first. If you agree, your browser loads them from the provider, which learns your address and browser and may set its own cookies, under its own policy. You can withdraw your consent at any time, under [Embedded widgets](/embeds).",
      ],
      consent: [
        "Why nothing else asks for your consent",
        "Cookies that you need for what you ask for, such as staying signed in, need no consent under the rules that we know of. So there is no banner.",
      ],
      control: [
        "What you can do",
        "You can delete and block all of it in your browser. Without cookies you can read the public pages and write to us; you cannot sign in. Signing out deletes the session here and in your browser.",
      ],
    }),
  };
}
