import { useMantineColorScheme } from "@mantine/core";
import { useEffect } from "react";
import { closeDropdowns } from "./close-dropdowns.ts";
import { ColourMenu } from "./colour-menu.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** Light, dark, or as the system says, on the pages that React takes over. */
export function ColourSchemeToggle() {
  const hydrated = useHydrated();
  // Mantine's own pause of transitions injects a style without a nonce.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  useEffect(() => {
    const leaving = new AbortController();
    closeDropdowns(leaving.signal);
    return () => leaving.abort();
  }, []);
  return <ColourMenu scheme={hydrated ? colorScheme : "auto"} onChoose={setColorScheme} />;
}
