import { useEffect, useState } from "react";
import { ColourMenu, type ColourScheme } from "./colour-menu.tsx";
import { chooseScheme, chosenScheme, onSchemeElsewhere } from "./colour-scheme.ts";

/** Light, dark, or as the system says, on the pages that React takes over. */
export function ColourSchemeToggle() {
  const [scheme, setScheme] = useState<ColourScheme>("auto");
  useEffect(() => {
    const leaving = new AbortController();
    const show = () => setScheme(chosenScheme());
    onSchemeElsewhere(show, leaving.signal);
    show();
    return () => leaving.abort();
  }, []);
  const choose = (chosen: ColourScheme) => {
    chooseScheme(chosen);
    setScheme(chosen);
  };
  return <ColourMenu scheme={scheme} onChoose={choose} />;
}
