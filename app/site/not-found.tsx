import { data } from "react-router";

/** Any address that is nobody's. */
export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
