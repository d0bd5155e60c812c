import { Panel } from "#app/ui/page/panel.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { securityTerms } from "#core/people/security-terms.ts";
import { permissionTexts } from "#core/permission-texts.ts";
import { isApproval, isSensitive, may, operatorRoles, type Permission } from "#core/permissions.ts";
import list from "../parts/console-list.module.css";
import styles from "./staff.module.css";

const all = Object.entries(permissionTexts) as [Permission, string][];
const roomOf = (permission: Permission) => permission.slice(0, permission.indexOf("/"));
const rooms = [...new Set(all.map(([permission]) => roomOf(permission)))];

/** The one table that pages, buttons and acts ask: core/permissions.ts. */
export function PermissionTable() {
  return (
    <Panel title="Who may do what" flush>
      <p className={styles.lead}>
        What is marked “asks again” needs a second factor that was shown within{" "}
        {securityTerms.freshMfaMinutes} minutes. What is marked “signed” is signed each time with
        the passkey of whoever has one.
      </p>
      {rooms.map((room) => (
        <details key={room} className={styles.room}>
          <summary className={styles.summary}>{room.replaceAll("-", " ")}</summary>
          <RoomTable room={room} />
        </details>
      ))}
    </Panel>
  );
}

function RoomTable({ room }: { room: string }) {
  return (
    <DataTable
      label={`Who may do what: ${room}`}
      bare
      rows={all.filter(([permission]) => roomOf(permission) === room)}
      rowKey={([permission]) => permission}
      columns={[
        {
          head: "May",
          cellClass: styles.does,
          cell: ([permission, text]) => (
            <>
              {text}
              {isSensitive(permission) ? <span className={styles.again}>asks again</span> : null}
              {isApproval(permission) ? <span className={styles.again}>signed</span> : null}
              <div className={list.second}>
                <code>{permission}</code>
              </div>
            </>
          ),
        },
        ...operatorRoles.map((role) => ({
          head: role,
          className: styles.role,
          cell: ([permission]: (typeof all)[number]) => <Mark given={may(role, permission)} />,
        })),
      ]}
    />
  );
}

function Mark({ given }: { given: boolean }) {
  return (
    <>
      <span className={given ? styles.given : styles.kept} aria-hidden="true">
        {given ? "●" : "·"}
      </span>
      <VisuallyHidden>{given ? "yes" : "no"}</VisuallyHidden>
    </>
  );
}
