import { type RefObject, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { useHydrated } from "#app/ui/browser/use-hydrated.ts";
import { SignOutForm } from "#app/ui/forms/sign-out-form.tsx";
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeCheck,
  CircleQuestionMark,
  LayoutDashboard,
  LogOut,
  MessagesSquare,
  PanelLeftClose,
  PanelLeftOpen,
  Pickaxe,
  ScrollText,
  ShieldCheck,
  UserRound,
} from "#app/ui/icons.tsx";
import { Logo } from "#app/ui/page/logo.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import styles from "./layout.module.css";
import { forgetTotalAmount } from "./total-amount.ts";

const entries = [
  { to: "/account/dashboard", label: "Dashboard", Icon: LayoutDashboard, also: /^\/account$/ },
  { to: "/account/deposit", label: "Deposits", Icon: ArrowDownToLine },
  { to: "/account/mining", label: "Mining", Icon: Pickaxe },
  { to: "/account/withdraw", label: "Withdraw", Icon: ArrowUpFromLine },
  { to: "/account/transactions", label: "Transactions", Icon: ScrollText },
  {
    to: "/account/profile",
    label: "Profile",
    Icon: UserRound,
    also: /^\/account\/testimonial$/,
  },
  { to: "/account/messages", label: "Messages", Icon: MessagesSquare },
  { to: "/account/verification", label: "Verification", Icon: BadgeCheck },
  { to: "/account/security", label: "Security", Icon: ShieldCheck },
  { to: "/account/help", label: "Help", Icon: CircleQuestionMark },
];

interface SidebarProps {
  siteName: string;
  /** First and last name. */
  name: string;
  collapsed: boolean;
  onToggle: () => void;
  /** Whether staff look at it: signing out would sign them out of the console. */
  isViewed: boolean;
  /** How many things are new in an entry, by its address. */
  news: Record<string, number>;
}

export function Sidebar({ siteName, name, collapsed, onToggle, isViewed, news }: SidebarProps) {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/$/, "");
  const row = useRef<HTMLUListElement>(null);
  useCurrentInView(row);
  return (
    <aside className={styles.sidebar}>
      <div className={styles.stay}>
        <div className={styles.logo}>
          <Logo name={siteName} nameClass={styles.label} />
        </div>
        <p className={styles.welcome}>
          Welcome, <strong>{name}</strong>
        </p>
        <nav className={styles.nav} aria-label="Account">
          <ul ref={row}>
            {entries.map(({ to, label, Icon, also }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={styles.item}
                  title={collapsed ? label : undefined}
                  aria-current={also?.test(path) || path.startsWith(to) ? "page" : undefined}
                >
                  <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
                  <span className={styles.label}>{label}</span>
                  {news[to] ? <News count={news[to]} /> : null}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.foot}>
          {isViewed ? null : <SignOut collapsed={collapsed} />}
          <CollapseButton collapsed={collapsed} onToggle={onToggle} />
        </div>
      </div>
    </aside>
  );
}

/** Server and sidebar count no further. */
const mostShown = 99;

function News({ count }: { count: number }) {
  return (
    <span className={styles.news}>
      {count > mostShown ? `${mostShown}+` : count}
      <VisuallyHidden> new</VisuallyHidden>
    </span>
  );
}

function SignOut({ collapsed }: { collapsed: boolean }) {
  return (
    <SignOutForm onSignedOut={forgetTotalAmount}>
      <button type="submit" className={styles.item} title={collapsed ? "Sign Out" : undefined}>
        <LogOut size={18} strokeWidth={1.75} aria-hidden="true" />
        <span className={styles.label}>Sign Out</span>
      </button>
    </SignOutForm>
  );
}

function CollapseButton({ collapsed, onToggle }: Pick<SidebarProps, "collapsed" | "onToggle">) {
  const hydrated = useHydrated();
  const label = collapsed ? "Show labels" : "Collapse";
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <button
      type="button"
      className={`${styles.item} ${styles.collapse}`}
      onClick={onToggle}
      disabled={!hydrated}
      aria-expanded={!collapsed}
      title={collapsed ? label : undefined}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
    </button>
  );
}

/** Brings the current entry into view where the row of entries is wider than the screen. */
function useCurrentInView(row: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry
  useEffect(() => {
    const entry = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !entry) return;
    row.current.scrollLeft = entry.offsetLeft - (row.current.clientWidth - entry.offsetWidth) / 2;
  }, [pathname]);
}
