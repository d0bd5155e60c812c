import { useRef } from "react";
import { Moon, Sun, SunMoon } from "#app/ui/icons.tsx";
import styles from "./colour-menu.module.css";

const choices = [
  { scheme: "light", label: "Light", Icon: Sun },
  { scheme: "dark", label: "Dark", Icon: Moon },
  { scheme: "auto", label: "As the system", Icon: SunMoon },
] as const;

export type ColourScheme = (typeof choices)[number]["scheme"];

interface ColourMenuProps {
  scheme?: ColourScheme;
  /** On pages that React does not take over, app/ui/theme/enhance-colour-scheme.ts does it. */
  onChoose?: (scheme: ColourScheme) => void;
}

/** Light, dark, or as the system says. Without JavaScript it is not there. */
export function ColourMenu({ scheme: chosen = "auto", onChoose }: ColourMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const current = choices.find(({ scheme }) => scheme === chosen) ?? choices[2];
  const choose = (scheme: ColourScheme) => {
    onChoose?.(scheme);
    menu.current?.removeAttribute("open");
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <details ref={menu} className={styles.menu} data-dropdown data-colours={chosen}>
      <summary className={styles.button} aria-label={`Colours: ${current.label}`}>
        {choices.map(({ scheme, Icon }) => (
          <Icon key={scheme} data-icon={scheme} size={18} aria-hidden="true" />
        ))}
      </summary>
      <div className={styles.choices}>
        {choices.map(({ scheme, label, Icon }) => (
          <button
            key={scheme}
            type="button"
            className={styles.choice}
            data-choice={scheme}
            aria-pressed={scheme === chosen}
            {...(onChoose && { onClick: () => choose(scheme) })}
          >
            <Icon size={16} aria-hidden="true" />
            {label}
          </button>
        ))}
      </div>
    </details>
  );
}
