import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import SunMoon from "lucide-react/icons/sun-moon";
import { useHydrated } from "./use-hydrated.ts";

const choices = [
  { scheme: "light", label: "Light", Icon: Sun },
  { scheme: "dark", label: "Dark", Icon: Moon },
  { scheme: "auto", label: "As the system", Icon: SunMoon },
] as const;

/** Light, dark, or as the system says. Without JavaScript the page is light and the button is not there. */
export function ColourSchemeToggle() {
  const hydrated = useHydrated();
  // Mantine's own pause of transitions injects a style without a nonce.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const current = choices.find(({ scheme }) => hydrated && scheme === colorScheme) ?? choices[2];
  return (
    <Menu position="bottom-end" width={180} withinPortal={hydrated}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Colours: ${current.label}`}
          disabled={!hydrated}
        >
          <current.Icon size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ scheme, label, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden="true" />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
