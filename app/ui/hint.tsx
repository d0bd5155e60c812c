import { Tooltip } from "@mantine/core";
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  type RefAttributes,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

interface HintProps {
  label: string;
  /** Whether a tap shows it too: not on what a tap opens. */
  touch?: boolean;
  /** Whether it may need several lines. */
  long?: boolean;
  /** What it is about: one element that takes a ref. */
  children: ReactElement<HTMLAttributes<HTMLElement> & RefAttributes<HTMLElement>>;
}

/**
 * A few words beside what is pointed at, focused or tapped; Escape takes them away. Nothing of it is drawn, on
 * the server or in the browser, before it is wanted: a page may hold a hundred.
 */
export function Hint({ label, touch = true, long = false, children }: HintProps) {
  const target = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState(false);
  const id = useId();
  useEffect(() => (wanted ? onEscape(() => setWanted(false)) : undefined), [wanted]);
  const about = cloneElement(children, {
    ref: target,
    "aria-describedby": wanted ? id : undefined,
    onPointerEnter: ({ pointerType }: PointerEvent) => setWanted(touch || pointerType === "mouse"),
    onPointerLeave: () => setWanted(false),
    onFocus: ({ currentTarget }: FocusEvent) => setWanted(currentTarget.matches(":focus-visible")),
    onBlur: () => setWanted(false),
  });
  return (
    <>
      {about}
      {wanted ? (
        <Tooltip
          opened
          target={target}
          label={<span id={id}>{label}</span>}
          multiline={long}
          maw={long ? 280 : undefined}
        />
      ) : null}
    </>
  );
}

function onEscape(act: () => void): () => void {
  const listen = ({ key }: KeyboardEvent) => key === "Escape" && act();
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
