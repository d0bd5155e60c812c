import type { ReactNode } from "react";
import { isRouteErrorResponse, useRouteLoaderData } from "react-router";
import { ButtonLink, buttonClasses } from "#app/ui/controls/button.tsx";
import { formInHand } from "../forms/form-in-hand.tsx";
import { Drawing, type DrawingName } from "./drawing.tsx";
import styles from "./error-page.module.css";
import { errorStatus } from "./error-status.ts";
import { Logo, Stamp } from "./logo.tsx";
import { ProductMarks } from "./product-marks.tsx";

/** In place of a page that could not be shown. */
export function ErrorPage({ error }: { error: unknown }) {
  const held = formInHand(error);
  if (held) {
    return (
      <Frame title={held.title} siteName={held.siteName}>
        <div className={styles.question}>
          <h1 className={styles.asks}>{held.title}</h1>
          {held.content}
        </div>
      </Frame>
    );
  }
  return <Failure error={error} />;
}

function Frame(props: { title: string; siteName?: string; children: ReactNode }) {
  const { title, children } = props;
  const site = useRouteLoaderData<{ siteName: string; demo: boolean; network: string }>("root");
  const siteName = site?.siteName ?? props.siteName;
  return (
    <div className={styles.page}>
      <title>{`${title}${siteName ? ` · ${siteName}` : ""}`}</title>
      {site ? <ProductMarks demo={site.demo} network={site.network} /> : null}
      <header className={styles.bar}>
        {siteName ? <Logo name={siteName} /> : <Stamp size={28} />}
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  const { title, siteName } = wordsOf(error);
  return (
    <Frame title={title} {...(siteName && { siteName })}>
      <FailureWords error={error} />
    </Frame>
  );
}

/** The same inside a section's own frame, with the way back to where one was. */
export function ErrorWords({ error, back }: { error: unknown; back: Way }) {
  return (
    <div className={styles.inside}>
      <title>{wordsOf(error).title}</title>
      <FailureWords error={error} back={back} />
    </div>
  );
}

function FailureWords({ error, back }: { error: unknown; back?: Way }) {
  const { status, title, sentence, drawing, way = home } = wordsOf(error);
  const isQuiet = status === null || back !== undefined;
  return (
    <>
      <div className={styles.drawing}>
        <Drawing name={drawing} />
      </div>
      {/* Of a fault inside the server the page knows no more than that: what was answered may be a 503. */}
      {isRouteErrorResponse(error) ? <p className={styles.status}>{error.status}</p> : null}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.sentence}>{sentence}</p>
      <div className={styles.ways}>
        {status === null ? (
          // biome-ignore lint/a11y/useValidAnchor: an empty address is this page's own: it loads again without a script too
          <a href="" className={buttonClasses({})}>
            Reload
          </a>
        ) : null}
        {back && back.to !== way.to ? (
          <ButtonLink to={back.to} look={status === null ? "quiet" : "filled"}>
            {back.label}
          </ButtonLink>
        ) : null}
        <ButtonLink to={way.to} reloadDocument look={isQuiet ? "quiet" : "filled"}>
          {way.label}
        </ButtonLink>
      </div>
    </>
  );
}

function wordsOf(error: unknown): Words & { status: number | null } {
  const status = errorStatus(error, isRouteErrorResponse(error));
  const said =
    blockedWords(error) ??
    viewedWords(error) ??
    elsewhereWords(error) ??
    takenOutWords(error) ??
    words(status, refusedAct(error));
  return { status, ...said };
}

interface Way {
  to: string;
  label: string;
}

interface Words {
  title: string;
  sentence: string;
  drawing: DrawingName;
  /** Where to go from here. */
  way?: Way;
  /** Of a refusal that came before the site itself could say its name. */
  siteName?: string;
}

const home = { to: "/", label: "Back home" };

/** What a member of staff was not permitted to do, when that is why: server/identity/staff/require-permission.ts. */
function refusedAct(error: unknown): string | null {
  const isRefusal = isRouteErrorResponse(error) && error.status === 403;
  return isRefusal && typeof error.data?.refused === "string" ? error.data.refused : null;
}

/** For readers from a country that the operator blocks: app/auth/layout.tsx. */
function blockedWords(error: unknown): Words | null {
  if (!isRouteErrorResponse(error) || error.status !== 451) return null;
  const { blockedCountry: country, siteName } = error.data ?? {};
  if (typeof country !== "string") return null;
  return {
    siteName,
    title: "Not available where you are",
    sentence: `Your internet address seems to be in this country: ${country}. You cannot register or sign in from there. If you are elsewhere, a VPN or your provider may be the reason. Write to us if you need help with your account.`,
    drawing: "touchstone",
    way: { to: "/contact", label: "Write to us" },
  };
}

/** What staff read who look at a customer's account, at what is not theirs: server/identity/viewing/admit-viewer.ts. */
function viewedWords(error: unknown): Words | null {
  const isRefusal = isRouteErrorResponse(error) && error.status === 403;
  if (!isRefusal || error.data?.viewed !== true) return null;
  return {
    title: "Only the customer",
    sentence:
      "You are viewing this account as its customer sees it. Only the customer can act, open files or follow links that open something. Nothing was done.",
    drawing: "touchstone",
    way: { to: "/account/dashboard", label: "Back to the dashboard" },
  };
}

/** What staff read who followed another site's link to a file: server/identity/staff/require-permission.ts. */
function elsewhereWords(error: unknown): Words | null {
  const isRefusal = isRouteErrorResponse(error) && error.status === 403;
  if (!isRefusal || error.data?.fromElsewhere !== true) return null;
  return {
    title: "Open it from here",
    sentence:
      "Another site linked here, or your browser loaded the file ahead. We log every view of this file under your name, so it opens only from a page of the console. Nothing was done.",
    drawing: "touchstone",
    way: { to: "/operator", label: "To the console" },
  };
}

/** What a customer reads whose statement would begin with months that the operator has taken out: app/account/transactions/statement-file.ts. */
function takenOutWords(error: unknown): Words | null {
  if (!isRouteErrorResponse(error) || error.data?.statementTakenOut !== true) return null;
  return {
    title: "No longer here",
    sentence:
      "This statement would begin in archived months. Your transactions page shows from when statements are available. Write to us for an older one.",
    drawing: "ledger",
    way: { to: "/account/transactions", label: "To your transactions" },
  };
}

function words(status: number | null, refused: string | null): Words {
  if (refused !== null) {
    return {
      title: "Not for your role",
      sentence: `To ${refused} takes another role than yours. Nothing was done. An owner can change your role.`,
      drawing: "touchstone",
      way: { to: "/operator", label: "To the console" },
    };
  }
  if (status === 404) {
    return {
      title: "Ohh!!",
      sentence: "We can't seem to find the page you are looking for",
      drawing: "touchstone",
    };
  }
  const title = "Unexpected Application Error";
  if (status === null) {
    const sentence = "Your internet connection seems to be unstable. Please reload the page.";
    return { title, sentence, drawing: "pylon" };
  }
  const sentence = "An unexpected error occurred. Please try again later.";
  return { title, sentence, drawing: "furnace" };
}
