import { Link } from "react-router";
import { Facts } from "#app/ui/facts.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import { customerContext } from "#server/identity/person-context.ts";
import type { Route } from "./+types/profile";

export const meta = titled("Profile");

export function loader({ context }: Route.LoaderArgs) {
  const { firstName, lastName, email, emailVerified, createdAt } = context.get(customerContext);
  return { firstName, lastName, email, emailVerified, createdAt };
}

export default function Profile({ loaderData: person }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Profile" />
      <Panel title="What we know of you">
        <Facts
          facts={[
            { label: "Firstname", value: person.firstName },
            { label: "Lastname", value: person.lastName },
            {
              label: "Email",
              value: (
                <>
                  {person.email}{" "}
                  <StatusBadge status={person.emailVerified ? "verified" : "unverified"} />
                </>
              ),
            },
            { label: "Customer since", value: <When at={person.createdAt} /> },
          ]}
        />
      </Panel>
      <Panel title="Your words on our site">
        <Link to="/account/testimonial">What is shown of you, and what we ask</Link>
      </Panel>
      <Panel title="Changes and security">
        <Link to="/account/security">
          Password, second factor, where you are signed in, and what was done to your account
        </Link>
      </Panel>
    </>
  );
}
