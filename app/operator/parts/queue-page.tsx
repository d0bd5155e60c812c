import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { positionParams, withParams } from "#app/ui/tables/list-params.ts";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import type { Permission } from "#core/permissions.ts";
import type { ListName } from "#server/console/lists/list-files.ts";
import { useMay } from "./use-may.ts";

interface QueuePageProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** The list as a file. */
  file?: ListName;
  /** Between the head and the list: figures, tabs by state, filters. */
  tools?: ReactNode;
  /** What is said where nothing is listed; null where something is. */
  empty: ReactNode;
  /** In which order the rows come, until a column sorts them. */
  order: string;
  /** Where the list goes on; null: here it ends. */
  after: string | null;
  /** Its `DataTable`. */
  children: ReactNode;
}

/** A list of the console that may go on over pages: its head, what narrows it, its rows, and the way to older ones. */
export function QueuePage(props: QueuePageProps) {
  const { title, description, actions, file, tools, empty, order, after, children } = props;
  const [params] = useSearchParams();
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          actions || file ? (
            <>
              {actions}
              {file ? <ListFile list={file} /> : null}
            </>
          ) : null
        }
      />
      {tools}
      {empty ?? children}
      <OlderNewer after={after}>{empty || params.has("sort") ? null : order}</OlderNewer>
    </>
  );
}

/** A list as the filters in the address leave it, as CSV, for those who may take it away. */
export function ListFile({ list }: { list: ListName }) {
  return <CsvLink file={`/operator/lists/${list}.csv`} needs="console/export-list" />;
}

/** What the address asks for, from its beginning, as a file. */
export function CsvLink({ file, needs }: { file: string; needs: Permission }) {
  const [params] = useSearchParams();
  if (!useMay()(needs)) return null;
  const start = Object.fromEntries(positionParams.map((name) => [name, null]));
  const asked = withParams(params, { ...start, sort: null, dir: null });
  return <a href={asked === "?" ? file : `${file}${asked}`}>Download as CSV</a>;
}

/** Whether the page shows all that its filters leave, so that a column can sort it. */
export function useIsWhole(after: string | null): boolean {
  const [params] = useSearchParams();
  return after === null && !positionParams.some((name) => params.has(name));
}
