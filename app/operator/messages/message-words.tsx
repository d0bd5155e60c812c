import { Link } from "react-router";
import { Conversation } from "#app/ui/content/conversation.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import type { Word } from "#server/contact/list-messages.ts";
import { useMay } from "../parts/use-may.ts";

interface MessageWordsProps {
  words: Word[];
  senderName: string;
  threadId: string;
}

/** All that was said. Each file opens apart; every view is written into the audit log. */
export function MessageWords({ words, senderName, threadId }: MessageWordsProps) {
  const may = useMay();
  return (
    <Conversation
      label="What was said"
      words={words}
      nameOf={(word) => (word.kind === "reply" ? word.operatorName : senderName)}
      aside={(word) =>
        word.kind === "reply" && word.mailState ? (
          <Link to={`/operator/mail/${word.mailId}`}>
            <StatusBadge status={word.mailState} />
          </Link>
        ) : null
      }
      filesAt={may("contact/view-file") ? `/operator/messages/${threadId}` : null}
    />
  );
}
