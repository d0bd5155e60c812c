import { Button, Text, Title } from "@mantine/core";
import { isRouteErrorResponse, Link, useRouteLoaderData } from "react-router";
import { Drawing } from "./drawing.tsx";
import styles from "./error-page.module.css";
import { errorStatus } from "./error-status.ts";
import { Logo } from "./logo.tsx";
import { ProductMarks } from "./product-marks.tsx";

/** What stands in place of a page that could not be shown. */
export function ErrorPage({ error }: { error: unknown }) {
  const site = useRouteLoaderData<{ siteName: string; demo: boolean; network: string }>("root");
  const status = errorStatus(error, isRouteErrorResponse(error));
  const { title, sentence } = words(status);
  return (
    <div className={styles.page}>
      <title>{`${title}${site ? ` · ${site.siteName}` : ""}`}</title>
      {site ? <ProductMarks demo={site.demo} network={site.network} /> : null}
      <header className={styles.bar}>{site ? <Logo name={site.siteName} /> : null}</header>
      <main className={styles.main}>
        <div className={styles.drawing}>
          <Drawing name={status === 404 ? "touchstone" : "furnace"} />
        </div>
        {status === null ? null : <Text className={styles.status}>{status}</Text>}
        <Title order={1}>{title}</Title>
        <Text className={styles.sentence}>{sentence}</Text>
        <Button component={Link} to="/" size="md" mt="md">
          Back home
        </Button>
      </main>
    </div>
  );
}

function words(status: number | null): { title: string; sentence: string } {
  if (status === 404) {
    return { title: "Ohh!!", sentence: "We can't seem to find the page you are looking for" };
  }
  return {
    title: "Unexpected Application Error",
    sentence:
      status === null
        ? "Your internet connection seems to be unstable. Please reload the page."
        : "An unexpected error occurred. Please try again later.",
  };
}
