import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import styles from "./button.module.css";

interface Look {
  /** `filled`: the one thing to do on a page. `quiet`: anything else that is done. `bare`: what may be left. */
  look?: "filled" | "quiet" | "outline" | "bare";
  /** `brick`: what is lost or refused by it. */
  tone?: "copper" | "brick";
  size?: "small" | "large";
  /** As wide as its container. */
  wide?: boolean;
  icon?: ReactNode;
}

export interface ButtonProps
  extends Look,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "color"> {
  type?: "submit" | "button";
  /**
   * What it says while its form is under way, on pages that React does not take over
   * (app/auth/enhance/button.ts); elsewhere `SubmitButton` does so.
   */
  pendingText?: string;
  /** Whether something turns meanwhile. */
  spinner?: boolean;
}

/** A native button. */
export function Button({ pendingText, spinner = false, children, ...props }: ButtonProps) {
  const { type = "button", look, tone, size, wide, icon, className, ...rest } = props;
  return (
    <button type={type} className={buttonClasses(props)} data-pending={pendingText} {...rest}>
      {spinner ? <span className={styles.spinner} /> : null}
      {icon}
      {pendingText === undefined ? children : <span data-words="">{children}</span>}
    </button>
  );
}

/** A link that looks like a button: the way to where something is done. */
export function ButtonLink({ children, ...props }: Look & LinkProps) {
  const { look, tone, size, wide, icon, className, ...rest } = props;
  return (
    <Link className={buttonClasses(props)} {...rest}>
      {icon}
      {children}
    </Link>
  );
}

/** For what is neither: a native link. */
export function buttonClasses({
  look = "filled",
  tone = "copper",
  size,
  wide,
  className,
}: Look & { className?: string | undefined }): string {
  return [
    styles.button,
    styles[look],
    styles[tone],
    size && styles[size],
    wide && styles.wide,
    className,
  ]
    .filter(Boolean)
    .join(" ");
}
