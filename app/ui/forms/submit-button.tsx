import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "../browser/use-hydrated.ts";
import { Button, type ButtonProps } from "../controls/button.tsx";

interface SubmitButtonProps extends Omit<ButtonProps, "pendingText"> {
  /** What the button says while the form is under way: 'Submitting...'. */
  pendingText?: ReactNode;
  /** Whether it is; otherwise any submission to this page counts. */
  pending?: boolean;
}

/** A form's button: says so and takes no second click while the form is under way. */
export function SubmitButton({ children, pendingText, pending, ...rest }: SubmitButtonProps) {
  const navigation = useNavigation();
  const underWay = pending ?? navigation.formMethod === "POST";
  return (
    <Button type="submit" {...rest} disabled={rest.disabled || underWay} aria-busy={underWay}>
      {underWay ? (pendingText ?? children) : children}
    </Button>
  );
}

/** Shows what was typed as it would stand, for who has no JavaScript; with it the page does so on its own. */
export function PreviewButton() {
  if (useHydrated()) return null;
  return (
    <noscript>
      <Button type="submit" look="quiet" name="intent" value="preview">
        Preview
      </Button>
    </noscript>
  );
}
