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
      "Reading the public pages sets no cookie. What is kept in your browser serves to keep you signed in and to keep your own choices; nothing of it follows you.",
    ],
    sections: sections({
      kept: [
        "All that is kept in your browser",
        { head: ["Name and place", "When and what for", "How long"], rows: kept.map(row) },
      ],
      "not-kept": [
        "What there is none of",
        {
          list: [
            "No cookies for advertising, statistics or tracking.",
            "No pixels, no fingerprinting, no buttons of social networks.",
            "No requests from your browser to anybody but this site, unless you have said yes to the charting provider's widgets.",
          ],
        },
      ],
      providers: [
        "Widgets of a charting provider",
        "Charts and prices on this site are our own. An operator may offer the widgets of TradingView beside them. Then you are asked first. After a yes your browser loads them from the provider, who learns your address and browser and may set cookies of its own, under its own policy. You can take the yes back at any time, under [Embedded widgets](/embeds).",
      ],
      consent: [
        "Why nothing else asks for your consent",
        "Cookies that are needed for what you ask for, such as staying signed in, need no consent under the rules that we know of. So there is no banner.",
      ],
      control: [
        "What you can do",
        "You can delete all of it in your browser, and forbid it. Without cookies you can read the public pages and write to us; you cannot sign in. Signing out deletes the session here and in your browser.",
      ],
    }),
  };
}
