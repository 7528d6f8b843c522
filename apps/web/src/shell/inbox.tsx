import { useText } from '../app/text-context.ts'
import { paths } from '../paths.ts'
import { Popover } from '../ui/overlays/popover.tsx'
import { Bell, MessageList, useMessages } from './messages.tsx'

/** The bell in the top bar with the user's messages (SYS_MESSAGE). */
export function Inbox() {
  const { t } = useText()
  const messages = useMessages()
  return (
    <Popover
      onOpening={messages.reload}
      content={
        <MessageList
          messages={messages}
          findLinks={({ tag, id }) => [
            { to: paths.details(tag, { id }), text: t('inbox.open') },
            { to: paths.todo, text: t('inbox.todo') },
          ]}
        />
      }
    >
      <Bell unread={messages.unread} />
    </Popover>
  )
}
